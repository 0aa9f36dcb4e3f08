// Texts that models wrote, shown as text: what has no shape of its own, or would
// turn the reading direction around, appears as its code point's name.

const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

function codePointName(character) {
  return "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

// Calls piece(text) for what lies between matches and match(text) for each match.
function splitByMatches(text, pattern, piece, match) {
  let last = 0;
  for (const found of text.matchAll(pattern)) {
    if (found[0] === "") continue;
    if (found.index > last) piece(text.slice(last, found.index));
    match(found[0]);
    last = found.index + found[0].length;
  }
  if (last < text.length) piece(text.slice(last));
}

function appendVisible(parent, text) {
  splitByMatches(text, INVISIBLE, (piece) => parent.append(piece), (character) => {
    const name = document.createElement("span");
    name.className = "control";
    name.textContent = codePointName(character);
    parent.append(name);
  });
}

// Appends `text` to `parent`; what `search` (a RegExp or null) finds is marked.
function appendText(parent, text, search) {
  if (!search) {
    appendVisible(parent, text);
    return;
  }
  splitByMatches(text, search, (piece) => appendVisible(parent, piece), (hit) => {
    const mark = document.createElement("mark");
    appendVisible(mark, hit);
    parent.append(mark);
  });
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) appendVisible(made, text);
  return made;
}
