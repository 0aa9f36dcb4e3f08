// A listbox that keeps only the visible rows in the document. One row is chosen;
// focus stays on the list (aria-activedescendant).

class VirtualList {
  // draw(place, item) fills an empty row; choose(item) is told of the chosen one.
  constructor(list, space, rowHeight, draw, choose) {
    Object.assign(this, { list, space, rowHeight, draw, choose, items: [], chosen: -1 });
    this.drawn = new Map();
    list.addEventListener("scroll", () => this.#update());
    list.addEventListener("keydown", (event) => this.#key(event));
    list.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.select(Number(row.dataset.index));
    });
    new ResizeObserver(() => this.#update()).observe(list);
  }

  // Shows other items, and chooses `keep` among them or else the first.
  show(items, keep) {
    this.items = items;
    this.space.style.height = `${items.length * this.rowHeight}px`;
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
    this.chosen = -1;
    const at = Math.max(0, items.indexOf(keep));
    this.#update();
    this.select(items.length > 0 ? at : -1);
  }

  select(index) {
    const before = this.drawn.get(this.chosen);
    if (before) before.setAttribute("aria-selected", "false");
    this.chosen = index;
    if (index < 0) {
      this.list.removeAttribute("aria-activedescendant");
      this.choose(null);
      return;
    }
    this.#scrollTo(index);
    this.#update();
    const row = this.drawn.get(index);
    if (row) {
      row.setAttribute("aria-selected", "true");
      this.list.setAttribute("aria-activedescendant", row.id);
    }
    this.choose(this.items[index]);
  }

  #scrollTo(index) {
    const top = index * this.rowHeight;
    const visible = this.list.clientHeight;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    if (top + this.rowHeight > this.list.scrollTop + visible) {
      this.list.scrollTop = top + this.rowHeight - visible;
    }
  }

  #update() {
    const margin = 4;
    const first = Math.max(0, Math.floor(this.list.scrollTop / this.rowHeight) - margin);
    const count = Math.ceil(this.list.clientHeight / this.rowHeight) + 2 * margin;
    const end = Math.min(this.items.length, first + count);
    for (const [index, row] of this.drawn) {
      if (index >= first && index < end) continue;
      row.remove();
      this.drawn.delete(index);
    }
    for (let index = first; index < end; ++index) {
      if (!this.drawn.has(index)) this.#add(index);
    }
  }

  #add(index) {
    const row = element("div", "row");
    row.id = `sample-row-${index}`;
    row.dataset.index = index;
    row.style.top = `${index * this.rowHeight}px`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-posinset", index + 1);
    row.setAttribute("aria-setsize", this.items.length);
    row.setAttribute("aria-selected", String(index === this.chosen));
    this.draw(row, this.items[index]);
    this.space.append(row);
    this.drawn.set(index, row);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.list.clientHeight / this.rowHeight) - 1);
    const last = this.items.length - 1;
    const target = {
      ArrowDown: this.chosen + 1,
      ArrowUp: this.chosen - 1,
      PageDown: this.chosen + page,
      PageUp: this.chosen - page,
      Home: 0,
      End: last,
    }[event.key];
    if (target === undefined || last < 0) return;
    event.preventDefault();
    this.select(Math.min(last, Math.max(0, target)));
  }
}
