// The frame of a section: heading, description, queries; or one line that explains how to record missing data.
import { h, replace } from "./dom.js";
import { queryDisclosure } from "./query.js";

export class Section {
  constructor(id, title, about) {
    this.id = id;
    this.title = title;
    this.body = h("div", { class: "body" });
    this.queries = h("div");
    this.tables = [];
    this.charts = [];
    this.element = h(
      "section",
      { id, "aria-labelledby": `${id}-title`, tabindex: "-1" },
      h("h2", { id: `${id}-title` }, title),
      about && h("p", { class: "about" }, about),
      this.body,
      this.queries,
    );
  }
  // Overridden by sections that show one launch.
  update() {}
  show(...content) {
    replace(this.body, ...content);
  }
  missing(text) {
    this.element.classList.add("missing");
    this.show(h("p", { class: "how" }, text));
    replace(this.queries);
  }
  present() {
    this.element.classList.remove("missing");
  }
  setQueries(entries) {
    replace(this.queries, entries.length > 0 ? queryDisclosure(entries) : null);
  }
  table(table) {
    this.tables.push(table);
    return table;
  }
  chart(chart) {
    this.charts.push(chart);
    return chart;
  }
  expand(all) {
    this.tables.forEach((table) => table.expand(all));
  }
  close() {
    this.charts.forEach((chart) => chart.close());
  }
}

// Facts as a list: [[name, text, value], ...]
export function facts(entries) {
  return h(
    "dl",
    { class: "facts" },
    entries
      .filter(([, text]) => text !== undefined && text !== null && text !== "")
      .map(([name, text, value]) => h("div", {}, h("dt", {}, name), h("dd", { "data-value": value }, text))),
  );
}

// A share of a peak as a bar with its number.
export function bar(name, value, text, hint, plain = false) {
  const width = Math.max(0, Math.min(100, value ?? 0));
  return h(
    "div",
    { class: "meter", title: hint },
    h("span", { class: "name" }, name),
    h(
      "span",
      { class: "track", "aria-hidden": "true" },
      h("span", { class: plain ? "fill" : level(value), style: { width: `${width}%` } }),
    ),
    h("span", { class: "number", "data-value": value ?? undefined }, text),
  );
}

function level(value) {
  return value >= 80 ? "fill high" : value >= 60 ? "fill middle" : "fill";
}
