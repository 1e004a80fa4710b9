// The time interval that charts show: cycles of a launch, or microseconds of a run.
import { h } from "./dom.js";
import { point } from "./format.js";

export class Zoom {
  constructor(cycles, { least, what = "cycles", whole = "whole launch" } = {}) {
    this.words = { what, whole };
    this.cycles = cycles;
    this.first = cycles[0];
    this.last = cycles.length > 1 ? cycles[cycles.length - 1] : cycles[0] + 1;
    this.from = this.first;
    this.to = this.last;
    this.least = least ?? Math.max(1, (this.last - this.first) / Math.max(1, cycles.length - 1)) * 2;
    this.listeners = [];
    this.text = h("span", { class: "remark", role: "status" });
  }
  listen(listener) {
    this.listeners.push(listener);
  }
  set(from, to) {
    const width = Math.min(this.last - this.first, Math.max(this.least, to - from));
    this.from = Math.max(this.first, Math.min(from, this.last - width));
    this.to = this.from + width;
    this.tell();
    if (!this.waiting) {
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        this.listeners.forEach((listener) => listener());
      });
    }
  }
  tell() {
    const step = this.words.what === "cycles" ? 1 : (this.to - this.from) / 100;
    const shown = (value) => point(value, step);
    this.text.textContent = `${this.words.what} ${shown(this.from)} to ${shown(this.to)}`;
  }
  around(center, factor) {
    this.set(center - (center - this.from) * factor, center + (this.to - center) * factor);
  }
  move(share) {
    const step = (this.to - this.from) * share;
    this.set(this.from + step, this.to + step);
  }
  buttons() {
    this.tell();
    const middle = () => (this.from + this.to) / 2;
    const button = (text, label, action) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
    return h(
      "div",
      { class: "zoom", role: "group", "aria-label": "displayed time" },
      button("+", "zoom in", () => this.around(middle(), 0.5)),
      button("−", "zoom out", () => this.around(middle(), 2)),
      button("←", "earlier", () => this.move(-0.5)),
      button("→", "later", () => this.move(0.5)),
      button("all", this.words.whole, () => this.set(this.first, this.last)),
      this.text,
    );
  }
  // The wheel over a chart; `at` is the cycle under the pointer.
  wheel(element, at) {
    element.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) {
          return;
        }
        event.preventDefault();
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
          this.move(Math.sign(event.deltaX || event.deltaY) * 0.1);
        } else {
          this.around(at(event), event.deltaY > 0 ? 1.25 : 0.8);
        }
      },
      { passive: false },
    );
  }
}
