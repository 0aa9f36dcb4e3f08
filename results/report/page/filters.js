// Which rows are shown. A row's completions are those of its checkpoint in the
// chosen modes and, where another checkpoint stands beside it, that one's before
// them. Outcomes speak of these completions, in this order.

const OUTCOMES = [
  ["any", "any", () => true],
  ["right", "all right", (verdicts) => verdicts.every((v) => v === RIGHT)],
  ["wrong", "all wrong", (verdicts) => verdicts.every((v) => v === WRONG)],
  ["flipped", "flipped: right here, wrong there",
   (verdicts) => verdicts.includes(RIGHT) && verdicts.includes(WRONG)],
  ["gained", "gained: first wrong, last right",
   (verdicts) => verdicts[0] === WRONG && verdicts[verdicts.length - 1] === RIGHT],
  ["lost", "lost: first right, last wrong",
   (verdicts) => verdicts[0] === RIGHT && verdicts[verdicts.length - 1] === WRONG],
  ["undecided", "undecided", (verdicts) => verdicts.some((v) => v !== RIGHT && v !== WRONG)],
];

const ANY = -1;

// filter: { task, checkpoint, other, mode, temperature (ANY or an index or number), outcome, text }
function completionsOf(samples, row, filter) {
  const completions = [];
  const add = (one) => {
    for (let i = one.begin; i < one.end; ++i) {
      if (filter.mode === ANY || samples.samples.mode[i] === filter.mode) completions.push(i);
    }
  };
  if (filter.other !== ANY && filter.other !== row.checkpoint) {
    const beside = samples.rowOf(row, filter.other);
    if (beside) add(beside);
  }
  add(row);
  return completions;
}

function fits(samples, row, filter, outcome) {
  if (filter.task !== ANY && samples.taskOf(row) !== filter.task) return false;
  if (filter.checkpoint !== ANY && row.checkpoint !== filter.checkpoint) return false;
  if (filter.temperature !== ANY && row.temperature !== filter.temperature) return false;
  const verdicts = completionsOf(samples, row, filter).map((i) => samples.samples.verdict[i]);
  if (verdicts.length === 0 || !outcome(verdicts)) return false;
  return filter.text === "" || samples.textOf(row).includes(filter.text);
}

function filterRows(samples, filter) {
  const outcome = OUTCOMES.find(([name]) => name === filter.outcome)[2];
  return samples.rows.filter((row) => fits(samples, row, filter, outcome));
}

// The search text as a pattern that finds it in any case; null for none.
function searchPattern(text) {
  return text === "" ? null : new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
}
