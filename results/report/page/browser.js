// The browser of samples: filters above, list beside the chosen sample.

const ROW_HEIGHT = 48;  // browser.css agrees
const LONGEST_SNIPPET = 160;
const TYPING_PAUSE_MS = 80;

function addOption(select, value, text) {
  const option = element("option", "", text);
  option.value = value;
  select.append(option);
}

// A select over names by index; hidden where there is nothing to choose.
function fillSelect(select, names, anyText) {
  if (anyText !== null) addOption(select, ANY, anyText);
  names.forEach((name, index) => addOption(select, index, name));
  select.closest("label").hidden = names.length < 2;
}

class SampleBrowser {
  constructor(samples) {
    this.samples = samples;
    this.controls = Object.fromEntries(
      ["task", "checkpoint", "other", "mode", "temperature", "outcome", "text"].map(
        (name) => [name, document.getElementById(`filter-${name}`)]));
    this.count = document.getElementById("sample-count");
    this.detail = document.getElementById("sample-detail");
    this.list = new VirtualList(
      document.getElementById("sample-list"), document.getElementById("sample-rows"), ROW_HEIGHT,
      (place, row) => this.#drawRow(place, row), (row) => this.#choose(row));
    this.#fillControls();
    this.#listen();
    this.#apply();
  }

  #fillControls() {
    const { data, rows } = this.samples;
    const shown = this.samples.length.toLocaleString("en");
    const total = data.total.toLocaleString("en");
    document.getElementById("sample-total").textContent =
      data.total === this.samples.length
        ? `All ${total} samples of the runs above.`
        : `${shown} of ${total} samples: whole documents, spread evenly over each task.`;
    fillSelect(this.controls.task, data.tasks, "every task");
    fillSelect(this.controls.checkpoint, data.checkpoints, "every checkpoint");
    fillSelect(this.controls.other, data.checkpoints, "none");
    fillSelect(this.controls.mode, data.modes, "every mode");
    const temperatures = [...new Set(rows.map((row) => row.temperature))].sort((a, b) => a - b);
    addOption(this.controls.temperature, ANY, "every temperature");
    for (const value of temperatures) addOption(this.controls.temperature, value, String(value));
    this.controls.temperature.closest("label").hidden = temperatures.length < 2;
    for (const [name, text] of OUTCOMES) addOption(this.controls.outcome, name, text);
  }

  #listen() {
    const form = document.getElementById("filters");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => this.#apply());
    form.addEventListener("reset", () => setTimeout(() => this.#apply()));
    let pause = 0;
    this.controls.text.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(() => this.#apply(), TYPING_PAUSE_MS);
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, select, textarea");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        this.controls.text.focus();
      }
    });
    this.list.list.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.list.chosen >= 0) this.detail.focus();
    });
    this.detail.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.list.list.focus();
    });
  }

  #filter() {
    const number = (name) => Number(this.controls[name].value);
    return {
      task: number("task"),
      checkpoint: number("checkpoint"),
      other: number("other"),
      mode: number("mode"),
      temperature: number("temperature"),
      outcome: this.controls.outcome.value,
      text: this.controls.text.value.toLowerCase(),
    };
  }

  #apply() {
    const start = performance.now();
    this.filter = this.#filter();
    this.search = searchPattern(this.controls.text.value);
    const chosen = this.list.items[this.list.chosen];
    const found = filterRows(this.samples, this.filter);
    this.list.show(found, chosen);
    this.count.textContent =
      `${found.length.toLocaleString("en")} of ${this.samples.rows.length.toLocaleString("en")} rows`;
    performance.measure("filter", { start, end: performance.now() });
  }

  #choose(row) {
    showDetail(this.detail, this.samples, row, this.filter, this.search);
  }

  #drawRow(place, row) {
    const { samples: columns, documents, data } = this.samples;
    const completions = completionsOf(this.samples, row, this.filter);
    const head = element("div", "row-head");
    let name = `${data.tasks[documents.task[row.document]]} ${documents.id[row.document]}`;
    if (row.temperature > 0) name += ` · T ${row.temperature} #${row.sample + 1}`;
    if (data.checkpoints.length > 1 && this.filter.checkpoint === ANY) {
      name += ` · ${data.checkpoints[row.checkpoint]}`;
    }
    head.append(element("span", "row-name", name));
    const marks = element("span");
    for (const i of completions) {
      const verdict = columns.verdict[i];
      const mark = element("span", `dot verdict-${VERDICTS[verdict]}`, VERDICT_MARKS[verdict]);
      const mode = data.modes[columns.mode[i]];
      mark.title = `${mode}: ${VERDICTS[verdict]}`;
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", mark.title);
      marks.append(mark);
    }
    head.append(marks);
    const snippet = columns.text[completions[completions.length - 1]];
    place.append(head, element("div", "row-text", snippet.trim().slice(0, LONGEST_SNIPPET)));
  }
}

const sampleData = document.getElementById("sample-data");
if (sampleData) new SampleBrowser(new Samples(JSON.parse(sampleData.textContent)));
