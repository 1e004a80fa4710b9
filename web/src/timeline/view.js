// A timeline of devices: pointer, keyboard, zoom, and the values of the piece of work that is pointed at or chosen.
import { h, replace } from "../dom.js";
import { bytes, number, point, scaled, time } from "../format.js";
import { legendList } from "../legend.js";
import { facts } from "../section.js";
import { onTheme } from "../theme.js";
import { Zoom } from "../zoom.js";
import { AXIS, kindColors, LEFT, Painter, waitColors } from "./painter.js";
import { heightOf, LANE, placeOf, rowsOf, streamName } from "./rows.js";
import { causes } from "./work.js";

const HIGHEST = 520; // pixels; higher timelines scroll
const at = (microseconds) => `${point(microseconds, 0.001)} µs`;

export class TimelineView {
  // options: {gpus: Map of names by device, label(item): of a kernel's launch, choose(item), about}
  constructor(work, options) {
    Object.assign(this, { work, options });
    this.rows = rowsOf(work, options.gpus);
    let last = 1;
    for (let i = 0; i < work.length; ++i) {
      last = Math.max(last, work.end_us[i]);
    }
    this.zoom = new Zoom([0, last], { least: 1e-3, what: "microseconds", whole: "whole run" });
    this.pointed = -1;
    this.selected = -1;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.scroller = h(
      "div",
      {
        class: "device",
        tabindex: "0",
        role: "group",
        "aria-roledescription": "timeline",
        "aria-label":
          `${options.about}. Left and right: pieces of a stream; up and down: streams; ` + "plus and minus: zoom",
        style: { height: `${Math.min(HIGHEST, heightOf(this.rows) + AXIS)}px` },
      },
      h("div", { style: { height: `${heightOf(this.rows) + AXIS}px` } }, this.canvas),
    );
    this.values = h("div", { class: "values" });
    this.spoken = h("p", { class: "offscreen", role: "status" });
    this.element = h(
      "figure",
      { class: "series" },
      h("figcaption", {}, "Timeline"),
      this.legend(),
      this.zoom.buttons(),
      this.scroller,
      this.values,
      this.spoken,
    );
    this.painter = new Painter(this);
    this.listen();
    this.tell();
  }
  legend() {
    const kinds = new Set(this.work.kind);
    const waits = [...causes.map(([name, text]) => [name, `waits for ${text}`]), ["other", "launch overhead"]];
    return legendList(
      [
        ...Object.keys(kindColors)
          .filter((kind) => kinds.has(kind))
          .map((kind) => ({ color: kindColors[kind], name: kind, mark: "square" })),
        this.work.in_graph.some((value) => value) && { color: "var(--ink)", name: "in a graph", mark: "line" },
        ...waits.map(([name, text]) => ({ color: waitColors[name], name: text, mark: "line" })),
      ].filter(Boolean),
      "kinds of work, and what it waits for",
    );
  }
  listen() {
    this.zoom.listen(() => this.draw());
    this.zoom.wheel(this.canvas, (event) => this.timeAt(event));
    this.scroller.addEventListener("scroll", () => this.draw());
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("pointerleave", () => this.point(-1));
    this.canvas.addEventListener("dblclick", () => this.zoom.set(this.zoom.first, this.zoom.last));
    this.observer = new ResizeObserver(() => this.draw());
    this.stop = onTheme(() => this.draw());
  }
  start() {
    this.observer.observe(this.scroller);
  }
  close() {
    this.closed = true;
    this.observer.disconnect();
    this.stop();
  }
  top() {
    return this.scroller.scrollTop;
  }
  chosen(item) {
    return item === this.selected;
  }
  text(item) {
    return this.work.kernel[item] ?? this.work.kind[item];
  }
  timeAt(event) {
    const share = (event.clientX - this.canvas.getBoundingClientRect().left - LEFT) / this.painter.width;
    return this.zoom.from + share * (this.zoom.to - this.zoom.from);
  }
  // The piece of work under the pointer; -1: none.
  itemAt(event) {
    const y = event.clientY - this.canvas.getBoundingClientRect().top - AXIS + this.top();
    const row = this.rows.find((each) => y >= each.top && y < each.top + each.height);
    if (row?.type !== "lanes") {
      return -1;
    }
    const lane = row.lanes[Math.min(row.lanes.length - 1, Math.floor((y - row.top) / LANE))];
    const pixel = (this.zoom.to - this.zoom.from) / this.painter.width;
    const place = lane.at(this.timeAt(event), 4 * pixel);
    return place < 0 ? -1 : lane.items[place];
  }
  press(event) {
    this.pressed = { x: event.clientX, time: this.timeAt(event) };
    this.canvas.setPointerCapture(event.pointerId);
  }
  move(event) {
    if (this.pressed && Math.abs(event.clientX - this.pressed.x) > 3) {
      this.dragged = { from: this.pressed.time, to: this.timeAt(event) };
      this.draw();
    } else if (!this.pressed) {
      this.point(this.itemAt(event));
    }
  }
  release(event) {
    const { dragged } = this;
    this.pressed = this.dragged = null;
    if (dragged) {
      this.zoom.set(Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to));
      return;
    }
    const item = this.itemAt(event);
    this.select(item);
    if (item >= 0) {
      this.options.choose(item);
    }
  }
  point(item) {
    if (item !== this.pointed) {
      this.pointed = item;
      this.draw();
      this.tell();
    }
  }
  // Shows the values of a piece of work, and brings it into view.
  select(item, seek = false) {
    this.selected = item;
    if (item >= 0 && seek) {
      this.seek(item);
    }
    this.draw();
    this.tell();
  }
  seek(item) {
    const { zoom, work } = this;
    if (work.end_us[item] < zoom.from || work.start_us[item] > zoom.to) {
      const half = (zoom.to - zoom.from) / 2;
      const middle = (work.start_us[item] + work.end_us[item]) / 2;
      zoom.set(middle - half, middle + half);
    }
    const found = placeOf(this.rows, work, item);
    const y = found.row.top + found.row.lanes.indexOf(found.lane) * LANE;
    if (y < this.top() || y + LANE > this.top() + this.scroller.clientHeight - AXIS) {
      this.scroller.scrollTop = y - this.scroller.clientHeight / 2;
    }
  }
  key(event) {
    const actions = {
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      ArrowDown: () => this.change(1),
      ArrowUp: () => this.change(-1),
      "+": () => this.zoomAt(0.5),
      "=": () => this.zoomAt(0.5),
      "-": () => this.zoomAt(2),
      Home: () => this.zoom.set(this.zoom.first, this.zoom.last),
      Enter: () => this.selected >= 0 && this.options.choose(this.selected),
    };
    if (event.key in actions && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      actions[event.key]();
      this.spoken.textContent = this.selected < 0 ? "" : this.sentence(this.selected);
    }
  }
  zoomAt(factor) {
    const { work, zoom, selected } = this;
    const middle = selected < 0 ? (zoom.from + zoom.to) / 2 : (work.start_us[selected] + work.end_us[selected]) / 2;
    zoom.around(Math.min(zoom.to, Math.max(zoom.from, middle)), factor);
  }
  lanes() {
    return this.rows.filter((row) => row.group === "stream").flatMap((row) => row.lanes);
  }
  // To another piece of the lane.
  step(by) {
    const found = this.selected < 0 ? null : placeOf(this.rows, this.work, this.selected);
    const lane = found?.lane ?? this.lanes()[0];
    const place = found ? found.place + by : 0;
    if (lane && place >= 0 && place < lane.length) {
      this.select(lane.items[place], true);
    }
  }
  // To the piece of another lane at this time.
  change(by) {
    const found = this.selected < 0 ? null : placeOf(this.rows, this.work, this.selected);
    const lanes = this.lanes();
    const lane = found ? lanes[lanes.indexOf(found.lane) + by] : lanes[0];
    if (lane) {
      const place = found ? lane.at(this.work.start_us[this.selected], Infinity) : 0;
      this.select(lane.items[Math.max(0, place)], true);
    }
  }
  draw() {
    if (this.closed || this.scroller.clientWidth === 0) {
      return;
    }
    this.canvas.style.height = `${this.scroller.clientHeight}px`;
    this.painter.draw();
    const item = this.pointed >= 0 ? this.pointed : this.selected;
    const found = item < 0 ? null : placeOf(this.rows, this.work, item);
    if (found) {
      const host = this.rows.find((row) => row.type === "host" && row.device === found.row.device);
      const y = found.row.top + found.row.lanes.indexOf(found.lane) * LANE - this.top() + AXIS;
      this.painter.path(item, host, y);
    }
    if (this.dragged) {
      this.painter.band(this.dragged.from, this.dragged.to);
    }
  }
  sentence(i) {
    const { work } = this;
    const waits = work.waits(i).map(([cause, from, to]) => `${this.cause(cause)} ${time(to - from)}`);
    return (
      `${this.text(i)}, GPU ${work.device[i]}, ${streamName(work.stream[i])}, ` +
      `from ${at(work.start_us[i])}, ${time(work.time(i))} long` +
      (waits.length > 0 ? `; waited for ${waits.join(", ")}` : "")
    );
  }
  cause(name) {
    return causes.find(([column]) => column === name)?.[1] ?? "its launch overhead";
  }
  tell() {
    const i = this.pointed >= 0 ? this.pointed : this.selected;
    if (i < 0) {
      replace(
        this.values,
        h("p", { class: "remark" }, "Point at a piece of work, or choose it: its values are shown here."),
      );
      return;
    }
    const { work } = this;
    const took = work.time(i);
    replace(
      this.values,
      h("p", { class: "of" }, `${work.kind[i]} ${work.work_index[i]}${work.kernel[i] ? `: ${work.kernel[i]}` : ""}`),
      facts([
        ["launch", this.options.label(i)],
        ["GPU", `${work.device[i]}, ${this.options.gpus.get(work.device[i]) ?? "unknown"}`],
        ["to or from GPU", work.peer_device[i] ?? undefined],
        ["stream", streamName(work.stream[i]) + (work.in_graph[i] ? ", in a graph" : "")],
        ["priority", work.priority[i] === 0 ? "0 (default)" : number(work.priority[i])],
        ["bytes", work.bytes[i] > 0 ? bytes(work.bytes[i]) : undefined, work.bytes[i]],
        ["rate", work.bytes[i] > 0 && took > 0 ? scaled((work.bytes[i] / took) * 1e6, "B/s") : undefined],
        ["submitted", at(work.submitted_us[i]), work.submitted_us[i]],
        ["start", at(work.start_us[i]), work.start_us[i]],
        ["end", at(work.end_us[i]), work.end_us[i]],
        ["time", time(took), took],
        ...work.waits(i).map(([cause, from, to]) => [`waited for ${this.cause(cause)}`, time(to - from), to - from]),
      ]),
    );
  }
}
