// Legends beside charts instead of inside: they use as many lines as necessary and never cover an axis.
import { h } from "./dom.js";

// entries: [{color, name, mark: "line" | "dashes" | "circle" | "diamond" | "square"}]
export function legendList(entries, label) {
  return h(
    "ul",
    { class: "legend", "aria-label": label },
    entries.map(({ color, name, mark }) =>
      h("li", {}, h("span", { class: `mark ${mark}`, style: { "--mark-color": color }, "aria-hidden": "true" }), name),
    ),
  );
}
