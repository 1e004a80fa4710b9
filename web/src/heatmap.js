// A value of each instance over time as colours: one row per SM, slice or channel.
import { h } from "./dom.js";
import { digits, number } from "./format.js";
import { lowerBound } from "./pyramid.js";
import { color, onTheme } from "./theme.js";

const LEFT = 70; // as wide as the axes of the lines above
const stops = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];

const ramp = new Uint32Array(256);
for (let i = 1; i < 256; ++i) {
  const place = ((i - 1) / 254) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(place));
  const [r, g, b] = stops[low].map((value, channel) =>
    Math.round(value + (stops[low + 1][channel] - value) * (place - low)),
  );
  ramp[i] = (255 << 24) | (b << 16) | (g << 8) | r;
}

export class HeatMap {
  constructor(map, cycles, cells, zoom) {
    Object.assign(this, { map, cycles, cells, zoom });
    this.count = map.instances.length;
    this.rowHeight = Math.max(2, Math.min(8, Math.floor(320 / this.count)));
    const height = this.count * this.rowHeight;
    this.canvas = h("canvas", { style: { height: `${height}px` } });
    this.pointer = h("p", { class: "remark", role: "status" }, " ");
    this.element = h(
      "figure",
      { class: "series" },
      h("figcaption", {}, map.title),
      h(
        "div",
        {
          class: "map",
          role: "img",
          "aria-label": `${map.title} over time, ${this.count} rows; maximum ${number(map.greatest)}`,
          style: { "margin-left": `${LEFT}px`, "margin-right": "12px" },
        },
        this.canvas,
      ),
      h(
        "p",
        { class: "scale", style: { "margin-left": `${LEFT}px` } },
        "0 ",
        h("span", { class: "ramp", "aria-hidden": "true" }),
        ` ${number(map.greatest)}, in steps of 1/254; ${map.component} ${map.instances[0]} on top`,
      ),
      this.pointer,
    );
    zoom.listen(() => this.draw());
    zoom.wheel(this.canvas, (event) => this.cycleAt(event));
    this.canvas.addEventListener("mousemove", (event) => this.tell(event));
    this.observer = new ResizeObserver(() => this.draw());
    this.stop = onTheme(() => this.draw());
  }
  start() {
    this.observer.observe(this.canvas);
  }
  close() {
    this.closed = true;
    this.observer.disconnect();
    this.stop();
  }
  cycleAt(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.zoom.from + ((event.clientX - box.left) / box.width) * (this.zoom.to - this.zoom.from);
  }
  tell(event) {
    const box = this.canvas.getBoundingClientRect();
    const row = Math.min(
      this.count - 1,
      Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * this.count)),
    );
    const point = Math.min(this.cycles.length - 1, lowerBound(this.cycles, this.cycleAt(event)));
    const cell = this.cells[point * this.count + row];
    const value = cell === 0 ? "no value" : `about ${digits((this.map.greatest * (cell - 1)) / 254, 2)}`;
    const name = `${this.map.component} ${this.map.instances[row]}`;
    this.pointer.textContent = `${name}, cycle ${number(this.cycles[point])}: ${value}`;
  }
  // Each column of pixels is the mean of the points in it.
  draw() {
    const width = Math.round(this.canvas.clientWidth);
    if (width === 0 || this.closed) {
      return;
    }
    const { count, cells, cycles } = this;
    const { from, to } = this.zoom;
    this.canvas.width = width;
    this.canvas.height = count;
    const context = this.canvas.getContext("2d");
    const image = context.createImageData(width, count);
    const pixels = new Uint32Array(image.data.buffer);
    const sums = new Uint32Array(count);
    const known = new Uint32Array(count);
    for (let x = 0; x < width; ++x) {
      const begin = lowerBound(cycles, from + ((to - from) * x) / width);
      const end = Math.max(begin + 1, lowerBound(cycles, from + ((to - from) * (x + 1)) / width));
      sums.fill(0);
      known.fill(0);
      for (let point = begin; point < end && point < cycles.length; ++point) {
        for (let row = 0, cell = point * count; row < count; ++row, ++cell) {
          if (cells[cell] !== 0) {
            sums[row] += cells[cell];
            known[row] += 1;
          }
        }
      }
      for (let row = 0; row < count; ++row) {
        pixels[row * width + x] = known[row] > 0 ? ramp[Math.round(sums[row] / known[row])] : 0;
      }
    }
    context.putImageData(image, 0, 0);
    this.canvas.style.background = color("grid");
  }
}
