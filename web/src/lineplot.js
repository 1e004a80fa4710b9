// Lines over time by uPlot, with at most as many points as pixels.
import uPlot from "uplot";
import { h } from "./dom.js";
import { number } from "./format.js";
import { drawn, lowerBound } from "./pyramid.js";
import { color, onTheme } from "./theme.js";

const HEIGHT = 150;

export class LinePlot {
  // lines: [{name, pyramid, color}]
  constructor(title, zoom, lines, stacked = false) {
    Object.assign(this, { title, zoom, lines, stacked });
    this.place = h("div", { class: "plot" });
    this.element = h(
      "figure",
      {
        class: "series",
        role: "img",
        "aria-label": `${title} over time: ${lines.map((line) => line.name).join(", ")}`,
      },
      h("figcaption", {}, title),
      this.place,
    );
    zoom.listen(() => this.draw());
    this.observer = new ResizeObserver(() => this.resize());
    this.stop = onTheme(() => this.plot?.redraw());
  }
  start() {
    this.observer.observe(this.place);
  }
  close() {
    this.closed = true;
    this.observer.disconnect();
    this.stop();
    this.plot?.destroy();
  }
  resize() {
    const width = this.place.clientWidth;
    if (width === 0 || this.closed) {
      return;
    }
    if (!this.plot) {
      this.make(width);
    } else if (width !== this.plot.width) {
      this.plot.setSize({ width, height: HEIGHT });
      this.draw();
    }
  }
  make(width) {
    const axis = {
      stroke: () => color("muted"),
      grid: { stroke: () => color("grid"), width: 1 },
      ticks: { stroke: () => color("line"), width: 1 },
    };
    this.plot = new uPlot(
      {
        width,
        height: HEIGHT,
        padding: [8, 12, 0, 0],
        cursor: { sync: { key: "warpsim" }, drag: { x: true, y: false, setScale: false }, points: { show: false } },
        scales: {
          x: { time: false, range: () => [this.zoom.from, this.zoom.to] },
          y: { range: (_, low, high) => [Math.min(0, low ?? 0), high > 0 ? high * 1.05 : 1] },
        },
        axes: [
          { ...axis, size: 34, values: (_, ticks) => ticks.map(number) },
          { ...axis, size: 70, values: (_, ticks) => ticks.map(number) },
        ],
        series: [
          { label: "cycle", value: (_, value) => (value === null ? "–" : number(Math.round(value))) },
          ...this.lines.map((line, place) => this.seriesOf(line, place)),
        ],
        hooks: { setSelect: [(plot) => this.selected(plot)] },
        legend: { live: true },
      },
      this.data(width),
      this.place,
    );
    this.plot.over.addEventListener("dblclick", () => this.zoom.set(this.zoom.first, this.zoom.last));
    this.zoom.wheel(this.plot.over, (event) =>
      this.plot.posToVal(event.clientX - this.plot.over.getBoundingClientRect().left, "x"),
    );
  }
  seriesOf(line, place) {
    return {
      label: line.name,
      stroke: line.color,
      width: this.stacked ? 0.5 : 1.2,
      fill: this.stacked ? line.color : undefined,
      points: { show: false },
      value: (plot, value, _, index) =>
        number(this.stacked && index !== null && index !== undefined ? this.values?.[place]?.[index] : value),
    };
  }
  selected(plot) {
    const { left, width } = plot.select;
    if (width > 3) {
      this.zoom.set(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
    }
    if (width > 0) {
      plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    }
  }
  draw() {
    if (this.plot && !this.closed) {
      this.plot.setData(this.data(this.plot.width));
    }
  }
  data(width) {
    const { cycles, from, to } = this.zoom;
    const first = Math.max(0, lowerBound(cycles, from) - 1);
    const last = Math.min(cycles.length, lowerBound(cycles, to) + 2);
    const parts = this.lines.map((line) => drawn(line.pyramid, first, last, width));
    return this.stacked ? this.stack(parts, cycles) : extremes(parts, cycles);
  }
  // Sums from the last line up, so that fills of later lines cover those of earlier ones.
  stack(parts, cycles) {
    const steps = parts[0].steps;
    this.values = parts.map((part) => part.mean);
    const sums = [];
    let sum = new Float32Array(steps.length);
    for (let place = parts.length - 1; place >= 0; --place) {
      sum = sum.map((value, i) => value + (this.values[place][i] || 0));
      sums[place] = sum;
    }
    return [Array.from(steps, (step) => cycles[step]), ...sums.map((values) => Array.from(values))];
  }
}

// The minimum and maximum of each interval, one after the other.
function extremes(parts, cycles) {
  const { steps, single } = parts[0];
  const known = (value) => (value === value ? value : null);
  if (single) {
    return [Array.from(steps, (step) => cycles[step]), ...parts.map((part) => Array.from(part.low, known))];
  }
  const count = steps.length;
  const x = new Array(2 * count);
  for (let i = 0; i < count; ++i) {
    const begin = cycles[steps[i]];
    const end = i + 1 < count ? cycles[steps[i + 1]] : cycles[Math.min(cycles.length - 1, steps[i] + 1)];
    x[2 * i] = begin;
    x[2 * i + 1] = begin + (end - begin) / 2;
  }
  const data = parts.map((part) => {
    const y = new Array(2 * count);
    for (let i = 0; i < count; ++i) {
      y[2 * i] = known(part.low[i]);
      y[2 * i + 1] = known(part.high[i]);
    }
    return y;
  });
  return [x, ...data];
}
