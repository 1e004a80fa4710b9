// A table that can be sorted by its headings and searched, and that contains only the visible rows if it is long.
import { h, replace, newId } from "./dom.js";
import { number } from "./format.js";
import { columnLabel } from "./labels.js";

export const ROW = 26; // pixels; what CSS gives each row of a long table
const LONG = 300; // rows; longer tables scroll in a window of their own
const MARGIN = 20; // rows above and below the window

// options: {caption, columns: [{label, title, value(row), text(row), cell(row), kind: "text" | "number"}], rows,
// search,
// sort: {column, descending}, select(row), selected(row), rowClass(row), height}
export class DataTable {
  constructor(options) {
    this.options = options;
    this.rows = options.rows;
    this.sort = options.sort ?? null;
    this.filter = "";
    this.body = h("tbody");
    this.headings = options.columns.map((column, place) => this.heading(column, place));
    this.table = h(
      "table",
      { class: "data", "aria-rowcount": String(this.rows.length + 1) },
      h("caption", { class: options.caption ? "" : "offscreen" }, options.caption ?? "table"),
      h("thead", {}, h("tr", {}, this.headings)),
      this.body,
    );
    this.window = h("div", {
      class: "window",
      tabindex: "0",
      role: "region",
      "aria-label": options.caption ?? "table",
    });
    this.window.append(this.table);
    this.window.addEventListener("scroll", () => this.scrolled());
    this.count = h("span", { class: "remark", role: "status" });
    this.element = h("div", { class: "table" }, this.searchField(), this.window);
    this.refresh();
  }
  searchField() {
    if (!this.options.search) {
      return null;
    }
    const id = newId("search");
    this.input = h("input", { type: "search", id, placeholder: "search", autocomplete: "off" });
    this.input.addEventListener("input", () => {
      this.filter = this.input.value;
      this.refresh();
    });
    return h("p", { class: "search" }, h("label", { for: id }, this.options.search), this.input, this.count);
  }
  heading(column, place) {
    const button = h("button", { type: "button", title: column.title }, column.label);
    button.addEventListener("click", () => {
      const same = this.sort && this.sort.column === place;
      this.sort = { column: place, descending: same ? !this.sort.descending : column.kind !== "text" };
      this.refresh();
    });
    return h("th", { scope: "col", class: column.kind }, button);
  }
  setRows(rows) {
    this.rows = rows;
    this.refresh();
  }
  refresh() {
    const columns = this.options.columns;
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = this.rows;
    if (words.length > 0) {
      shown = shown.filter((row) => {
        const text = columns.map((column) => String(column.text ? column.text(row) : column.value(row))).join(" ");
        const lower = text.toLowerCase();
        return words.every((word) => lower.includes(word));
      });
    }
    if (this.sort) {
      shown = sorted(shown, columns[this.sort.column].value, this.sort.descending);
    }
    this.shown = shown;
    this.headings.forEach((heading, place) => {
      const active = this.sort && this.sort.column === place;
      heading.setAttribute("aria-sort", active ? (this.sort.descending ? "descending" : "ascending") : "none");
    });
    this.table.setAttribute("aria-rowcount", String(shown.length + 1));
    this.count.textContent = words.length > 0 ? `${shown.length} of ${this.rows.length}` : `${this.rows.length}`;
    this.first = -1;
    this.window.classList.toggle("long", shown.length > LONG);
    this.draw();
  }
  // All rows, for paper.
  expand(all) {
    this.whole = all;
    this.first = -1;
    this.draw();
  }
  scrolled() {
    if (this.shown.length > LONG && !this.whole) {
      this.draw();
    }
  }
  draw() {
    const long = this.shown.length > LONG && !this.whole;
    if (!long) {
      replace(
        this.body,
        this.shown.map((row, place) => this.row(row, place)),
      );
      return;
    }
    const visible = Math.ceil((this.window.clientHeight || 480) / ROW) + 2 * MARGIN;
    const top = Math.floor(this.window.scrollTop / ROW) - MARGIN;
    const first = Math.max(0, Math.min(top, this.shown.length - visible));
    if (Math.abs(first - this.first) < MARGIN / 2 && this.first >= 0) {
      return;
    }
    this.first = first;
    const last = Math.min(this.shown.length, first + visible);
    const rows = [];
    for (let place = first; place < last; ++place) {
      rows.push(this.row(this.shown[place], place));
    }
    replace(this.body, spacer(first), rows, spacer(this.shown.length - last));
  }
  row(row, place) {
    const options = this.options;
    const selected = options.selected?.(row) ?? false;
    const element = h(
      "tr",
      {
        class: options.rowClass?.(row),
        "aria-rowindex": String(place + 2),
        "aria-selected": options.select && String(selected),
      },
      options.columns.map((column) => cell(column, row)),
    );
    if (options.select) {
      element.tabIndex = selected || (place === 0 && !options.selectedAny?.()) ? 0 : -1;
      element.addEventListener("click", () => options.select(row));
      element.addEventListener("keydown", (event) => this.key(event, place));
    }
    return element;
  }
  key(event, place) {
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -place, End: this.shown.length - 1 - place, Enter: 0, " ": 0 };
    if (!(event.key in steps)) {
      return;
    }
    event.preventDefault();
    const to = Math.max(0, Math.min(this.shown.length - 1, place + steps[event.key]));
    this.options.select(this.shown[to]);
    this.focus(to);
  }
  focus(place) {
    const long = this.shown.length > LONG && !this.whole;
    if (long) {
      this.window.scrollTop = Math.max(0, (place - 3) * ROW);
      this.draw();
    }
    this.body.querySelector(`tr[aria-rowindex="${place + 2}"]`)?.focus();
  }
}

function spacer(rows) {
  return rows > 0
    ? h("tr", { class: "spacer", "aria-hidden": "true" }, h("td", { style: { height: `${rows * ROW}px` } }))
    : null;
}

function cell(column, row) {
  const value = column.value(row);
  const element = h("td", { class: column.kind, title: column.hint?.(row) });
  if (typeof value === "number") {
    element.dataset.value = String(value);
  }
  const content = column.cell ? column.cell(row) : column.text ? column.text(row) : number(value);
  element.append(...[content].flat());
  return element;
}

// "bfs[2]" before "bfs[10]".
const inOrder = new Intl.Collator("en", { numeric: true });

// Missing values come last in both directions.
function sorted(rows, value, descending) {
  const sign = descending ? -1 : 1;
  const missing = (x) => x === null || x === undefined || Number.isNaN(x);
  return [...rows].sort((a, b) => {
    const x = value(a);
    const y = value(b);
    if (missing(x) || missing(y)) {
      return Number(missing(x)) - Number(missing(y));
    }
    return sign * (typeof x === "number" && typeof y === "number" ? x - y : inOrder.compare(String(x), String(y)));
  });
}

// All columns of a table of the document, unchanged.
export function plainColumns(table, labels = {}) {
  return table.columns.map((name) => ({
    label: labels[name] ?? columnLabel(name),
    value: (row) => table.at(row, name),
    kind: table.column(name).some((value) => typeof value === "string") ? "text" : "number",
  }));
}
