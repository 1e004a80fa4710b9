// Draws the visible part of a timeline's rows on a canvas.
import { lowerBound } from "../pyramid.js";
import { color } from "../theme.js";
import { point } from "../format.js";
import { drawnPieces } from "./lanes.js";
import { LANE } from "./rows.js";

export const LEFT = 150; // pixels of names
const RIGHT = 12;
export const AXIS = 22;

export const kindColors = {
  kernel: "#3f6fa8",
  "copy to device": "#228833",
  "copy to host": "#aa3377",
  "copy in device": "#8a7a1f",
  "copy between devices": "#1f8a99",
  fill: "#8c564b",
  migration: "#b8601f",
  "page faults": "#c23b22",
  event: "#7a6fb0",
  "host function": "#777777",
};
export const waitColors = {
  waited_for_work_us: "#9aa5b1",
  waited_for_queue_us: "#e0a100",
  waited_for_place_us: "#ee5555",
  other: "#c9b6e4",
};

export class Painter {
  // view: {work, rows, zoom, canvas, top(), chosen(item), texts(item)}
  constructor(view) {
    this.view = view;
    this.width = 1; // pixels of the time axis, as last drawn: asking for sizes lays out the page
  }
  x(time) {
    const { from, to } = this.view.zoom;
    return LEFT + ((time - from) / (to - from)) * this.width;
  }
  draw() {
    const { canvas, rows } = this.view;
    const density = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    this.width = Math.max(1, width - LEFT - RIGHT);
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    const c = canvas.getContext("2d");
    this.context = c;
    c.scale(density, density);
    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "middle";
    const names = ["paper", "sheet", "ink", "muted", "line", "grid"];
    this.colors = Object.fromEntries(names.map((name) => [name, color(name)]));
    this.grid(width, height);
    c.save();
    c.beginPath();
    c.rect(0, AXIS, width, height - AXIS);
    c.clip();
    const top = this.view.top();
    for (const row of rows) {
      const y = row.top - top + AXIS;
      if (y + row.height >= AXIS && y <= height) {
        this.row(row, y, height);
      }
    }
    c.restore();
  }
  // Lines at round times, with the times above.
  grid(width, height) {
    const { from, to } = this.view.zoom;
    const c = this.context;
    const step = roundStep((to - from) / Math.max(2, this.width / 110));
    c.textAlign = "center";
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      const x = Math.round(this.x(time)) + 0.5;
      c.fillStyle = this.colors.grid;
      c.fillRect(x - 0.5, AXIS - 4, 1, height);
      c.fillStyle = this.colors.muted;
      if (x > LEFT + 20 && x < width - 24) {
        c.fillText(point(time, step), x, 9);
      }
    }
    c.textAlign = "left";
    c.fillStyle = this.colors.muted;
    c.fillText("µs", LEFT - 20, 9);
  }
  row(row, y, height) {
    const c = this.context;
    c.textAlign = "left";
    if (row.type === "device") {
      c.fillStyle = this.colors.sheet;
      c.fillRect(0, y, LEFT + this.width + RIGHT, row.height);
      c.fillStyle = this.colors.ink;
      c.font = "600 12px system-ui, sans-serif";
      c.fillText(row.label, 6, y + row.height / 2);
      c.font = "12px system-ui, sans-serif";
      return;
    }
    c.fillStyle = this.colors.muted;
    c.fillText(row.label, 14, y + Math.min(row.height, LANE) / 2);
    c.save();
    c.beginPath();
    c.rect(LEFT, AXIS, this.width, height - AXIS);
    c.clip();
    if (row.type === "host") {
      this.submissions(row, y);
    } else if (row.type === "count") {
      this.counts(row, y);
    } else {
      c.fillStyle = this.colors.sheet;
      c.fillRect(LEFT, y, this.width, row.height);
      row.lanes.forEach((lane, place) => this.lane(lane, y + place * LANE));
    }
    c.restore();
  }
  // A thin mark for each pixel in which the host has submitted something.
  submissions(row, y) {
    const { from, to } = this.view.zoom;
    const c = this.context;
    c.fillStyle = this.colors.ink;
    for (let i = lowerBound(row.times, from); i < row.times.length && row.times[i] <= to;) {
      const x = Math.floor(this.x(row.times[i]));
      c.fillRect(x, y + 2, 1, row.height - 4);
      i = Math.max(i + 1, lowerBound(row.times, from + ((x + 1 - LEFT) / this.width) * (to - from)));
    }
  }
  // The largest number of each pixel, as an area.
  counts(row, y) {
    const { from, to } = this.view.zoom;
    const c = this.context;
    const unit = (row.height - 2) / row.greatest;
    c.fillStyle = kindColors.kernel;
    const column = (x, width, count) => c.fillRect(x, y + row.height - count * unit, width, count * unit);
    let pixel = -1;
    let greatest = 0;
    for (let i = Math.max(0, lowerBound(row.times, from) - 1); i < row.times.length && row.times[i] < to; ++i) {
      const left = Math.max(LEFT, this.x(row.times[i]));
      const right = Math.min(LEFT + this.width, i + 1 < row.times.length ? this.x(row.times[i + 1]) : Infinity);
      if (Math.floor(left) !== pixel) {
        pixel = Math.floor(left);
        greatest = 0;
      }
      if (row.counts[i] > 0 && right - left >= 1) {
        column(left, right - left, row.counts[i]);
      } else if (row.counts[i] > greatest) {
        greatest = row.counts[i];
        column(pixel, 1, greatest);
      }
    }
    c.fillStyle = this.colors.muted;
    c.textAlign = "right";
    c.fillText(`of ${row.greatest}`, LEFT - 6, y + row.height - 9);
    c.textAlign = "left";
  }
  // A time interval that is being chosen.
  band(from, to) {
    const [left, right] = [this.x(Math.min(from, to)), this.x(Math.max(from, to))];
    this.context.fillStyle = "rgba(120, 160, 220, 0.25)";
    this.context.fillRect(left, AXIS, right - left, this.view.canvas.clientHeight);
  }
  lane(lane, y) {
    const { work, zoom } = this.view;
    for (const piece of drawnPieces(lane, zoom.from, zoom.to, this.width)) {
      const item = lane.items[piece.first];
      this.gap(lane, piece.first, y);
      this.piece(piece, work.kind[item], item, y);
    }
  }
  piece(piece, kind, item, y) {
    const { work } = this.view;
    const c = this.context;
    const left = LEFT + piece.left;
    const width = Math.max(1, piece.right - piece.left - (piece.right - piece.left > 3 ? 0.5 : 0));
    c.globalAlpha = piece.first === piece.last ? 1 : Math.max(0.35, piece.share);
    c.fillStyle = kindColors[kind] ?? "#777777";
    c.fillRect(left, y + 1, width, LANE - 2);
    c.globalAlpha = 1;
    if (work.in_graph[item]) {
      c.fillStyle = this.colors.ink;
      c.fillRect(left, y + LANE - 4, width, 3);
    }
    if (piece.first === piece.last && this.view.chosen(item)) {
      c.strokeStyle = this.colors.ink;
      c.lineWidth = 2;
      c.strokeRect(left + 1, y + 2, Math.max(1, width - 2), LANE - 4);
    }
    if (width > 24) {
      c.save();
      c.beginPath();
      c.rect(left, y, width - 2, LANE);
      c.clip();
      c.fillStyle = "#ffffff";
      c.fillText(this.view.text(item), left + 4, y + LANE / 2);
      c.restore();
    }
  }
  // What a piece waited for since the one before it in its lane has ended, or since it was submitted.
  gap(lane, place, y) {
    const { work } = this.view;
    const item = lane.items[place];
    const free = place > 0 ? lane.reach[place - 1] : -Infinity;
    if (this.x(lane.starts[place]) - this.x(Math.max(free, work.submitted_us[item])) < 2) {
      return;
    }
    this.segments(item, free, y + LANE / 2 - 1, 3);
  }
  segments(item, from, y, height) {
    const c = this.context;
    for (const [cause, begin, end] of this.view.work.waits(item)) {
      const left = Math.max(LEFT, this.x(Math.max(begin, from)));
      const right = Math.min(LEFT + this.width, this.x(end));
      if (right > left) {
        c.fillStyle = waitColors[cause];
        c.fillRect(left, y, right - left, height);
      }
    }
  }
  // From the mark of the submission to the start of a piece of work, with all of its waits.
  path(item, hostRow, y) {
    const { work } = this.view;
    const c = this.context;
    const top = this.view.top();
    const x = this.x(work.submitted_us[item]);
    c.save();
    c.beginPath();
    c.rect(LEFT, AXIS, this.width, this.view.canvas.clientHeight - AXIS);
    c.clip();
    c.strokeStyle = this.colors.ink;
    c.lineWidth = 1;
    c.setLineDash([3, 3]);
    c.beginPath();
    c.moveTo(x, hostRow.top - top + AXIS + 2);
    c.lineTo(x, y + LANE);
    c.stroke();
    c.setLineDash([]);
    this.segments(item, -Infinity, y + LANE - 3, 5);
    c.restore();
  }
}

// 1, 2 or 5 times a power of 10.
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}
