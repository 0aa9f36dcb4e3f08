// The samples as the program wrote them (results/report/write/sample_json.cpp):
// columns, sorted by document, checkpoint, temperature and sample number. A row of
// the browser is what these four have in common: one completion a mode.

const RIGHT = 0;
const WRONG = 1;
const VERDICTS = ["right", "wrong", "undecided"];
const VERDICT_MARKS = ["✓", "✗", "?"];

class Samples {
  constructor(data) {
    this.data = data;
    this.samples = data.samples;
    this.documents = data.documents;
    this.length = data.samples.document.length;
    this.rows = this.#makeRows();
    this.#placeOfRow = new Map(this.rows.map((row) => [this.#key(row, row.checkpoint), row]));
    this.#texts = new Array(this.rows.length);
  }

  #placeOfRow;
  #texts;

  #key(row, checkpoint) {
    return [row.document, checkpoint, row.temperature, row.sample].join(" ");
  }

  #makeRows() {
    const { document, checkpoint, temperature, sample } = this.samples;
    const rows = [];
    for (let i = 0; i < this.length; ++i) {
      const last = rows[rows.length - 1];
      if (last && last.document === document[i] && last.checkpoint === checkpoint[i] &&
          last.temperature === temperature[i] && last.sample === sample[i]) {
        last.end = i + 1;
      } else {
        rows.push({ index: rows.length, document: document[i], checkpoint: checkpoint[i],
                    temperature: temperature[i], sample: sample[i], begin: i, end: i + 1 });
      }
    }
    return rows;
  }

  // The same document, temperature and sample number of another checkpoint.
  rowOf(row, checkpoint) {
    return this.#placeOfRow.get(this.#key(row, checkpoint));
  }

  taskOf(row) {
    return this.documents.task[row.document];
  }

  prompt(document) {
    return this.data.heads[this.documents.task[document]] + this.documents.prompt[document];
  }

  // What a search looks through, in lower case. Made once a row.
  textOf(row) {
    let text = this.#texts[row.index];
    if (text === undefined) {
      const parts = [this.documents.prompt[row.document], this.documents.target[row.document],
                     this.documents.subject[row.document]];
      for (let i = row.begin; i < row.end; ++i) {
        parts.push(this.samples.text[i], this.samples.extracted[i]);
      }
      text = this.#texts[row.index] = parts.join("\n").toLowerCase();
    }
    return text;
  }
}
