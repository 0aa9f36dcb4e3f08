// One row of the browser in full: the prompt, and its completions side by side.

function fact(list, name, value, search) {
  if (value === "" || value === undefined) return;
  list.append(element("dt", "", name));
  const place = element("dd");
  appendText(place, String(value), search);
  list.append(place);
}

function verdictBadge(verdict) {
  return element("span", `badge verdict-${VERDICTS[verdict]}`,
                 `${VERDICT_MARKS[verdict]} ${VERDICTS[verdict]}`);
}

function completionCard(samples, i, withCheckpoint, search) {
  const { samples: columns, data } = samples;
  const card = element("article", "completion");
  const heading = element("h4", "", data.modes[columns.mode[i]]);
  if (withCheckpoint) {
    heading.prepend(element("span", "", data.checkpoints[columns.checkpoint[i]]));
  }
  heading.append(verdictBadge(columns.verdict[i]));
  const facts = element("dl", "facts");
  fact(facts, "answer", columns.extracted[i], search);
  fact(facts, "decided by", data.words[columns.rule[i]]);
  if (columns.trace[i] > 0) {
    fact(facts, "length", `${columns.trace[i]} tokens, ${columns.reasoning[i]} before the answer`);
  }
  fact(facts, "stopped by", data.words[columns.stop[i]].replace("_", " "));
  const text = element("pre");
  appendText(text, columns.text[i], search);
  card.append(heading, facts, text);
  return card;
}

const LONGEST_PROMPT = 700;

// The prompt's end, from a paragraph's or else a line's beginning on: after the
// examples of a few-shot prompt stands the question.
function promptEnd(prompt) {
  if (prompt.length <= LONGEST_PROMPT) return prompt;
  const end = prompt.slice(-LONGEST_PROMPT);
  const paragraph = end.indexOf("\n\n");
  const line = end.indexOf("\n");
  if (paragraph >= 0 && paragraph < LONGEST_PROMPT / 2) return end.slice(paragraph + 2);
  return line >= 0 ? end.slice(line + 1) : end;
}

// Its end; the whole on request, or where the end lacks what was searched for.
function promptBlock(samples, document, search) {
  const block = element("div");
  const prompt = samples.prompt(document);
  const end = promptEnd(prompt);
  const hidden = prompt.slice(0, prompt.length - end.length);
  const whole = hidden === "" || (search !== null && hidden.search(search) >= 0);
  const text = element("pre");
  appendText(text, whole ? prompt : end, search);
  if (!whole) {
    const more = element("button", "more", "Show the whole prompt");
    more.type = "button";
    more.addEventListener("click", () => {
      text.replaceChildren();
      appendText(text, prompt, search);
      more.remove();
      text.tabIndex = -1;
      text.focus();
    });
    block.append(more);
  }
  block.append(text);
  return block;
}

function showDetail(place, samples, row, filter, search) {
  place.replaceChildren();
  place.scrollTop = 0;
  if (!row) {
    place.append(element("p", "empty", "Choose a sample in the list."));
    return;
  }
  const { documents, data } = samples;
  const task = data.tasks[documents.task[row.document]];
  place.append(element("h3", "", `${task}, document ${documents.id[row.document]}`));
  const facts = element("dl", "facts");
  fact(facts, "checkpoint", data.checkpoints[row.checkpoint]);
  fact(facts, "subject", documents.subject[row.document], search);
  if (row.temperature > 0) {
    fact(facts, "sample", `${row.sample + 1} at temperature ${row.temperature}`);
  }
  fact(facts, "reference", documents.target[row.document], search);
  place.append(facts, promptBlock(samples, row.document, search));
  const completions = element("div", "completions");
  for (const i of completionsOf(samples, row, filter)) {
    completions.append(completionCard(samples, i, filter.other !== ANY, search));
  }
  place.append(completions);
}
