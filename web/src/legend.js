// Legends beside charts instead of within them: they take the lines that they need and never cover an axis.
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
