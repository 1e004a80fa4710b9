// Work in lanes: the pieces of a lane do not overlap. A lane is drawn in time that depends on pixels, not on pieces.
import { lowerBound } from "../pyramid.js";

const MOST = 24; // lanes of a row; what finds no lane is drawn in the last one
const SAME = 1e-6; // microseconds; ends and starts that are one time may differ by rounding

// Pieces in the order of their starts, each in the first lane that is free.
export function inLanes(work, items) {
  const lanes = [];
  for (const item of items) {
    const start = work.start_us[item] + SAME;
    let place = lanes.findIndex((lane) => lane.end <= start);
    if (place < 0) {
      place = Math.min(lanes.length, MOST - 1);
      lanes[place] ??= { items: [], end: 0 };
    }
    lanes[place].items.push(item);
    lanes[place].end = Math.max(lanes[place].end, work.end_us[item]);
  }
  return lanes.map((lane) => new Lane(work, lane.items));
}

export class Lane {
  constructor(work, items) {
    this.items = items;
    this.length = items.length;
    this.starts = Float64Array.from(items, (item) => work.start_us[item]);
    this.ends = Float64Array.from(items, (item) => work.end_us[item]);
    this.reach = new Float64Array(items.length); // the last end so far: ascending, also in a full last lane
    this.busy = new Float64Array(items.length + 1); // time of all pieces before this one
    for (let i = 0; i < items.length; ++i) {
      this.reach[i] = Math.max(i > 0 ? this.reach[i - 1] : -Infinity, this.ends[i]);
      this.busy[i + 1] = this.busy[i] + this.ends[i] - this.starts[i];
    }
  }
  // The piece at this time, or the nearest one within `reach`; -1: none.
  at(time, reach) {
    let best = -1;
    let least = reach;
    for (let i = Math.max(0, lowerBound(this.reach, time - reach)); i < this.length; ++i) {
      if (this.starts[i] > time + reach) {
        break;
      }
      const distance = Math.max(0, this.starts[i] - time, time - this.ends[i]);
      if (distance <= least) {
        best = i;
        least = distance;
      }
      if (distance === 0 || i - best > 1000) {
        break;
      }
    }
    return best;
  }
}

// What is drawn of a lane between two times in `width` pixels: [{left, right, first, last, share}]. Pieces thinner than
// a pixel that begin in the same one are together; `share` is the part of the pixel that they fill.
export function drawnPieces(lane, from, to, width) {
  const scale = width / (to - from);
  const pieces = [];
  let i = lowerBound(lane.reach, from);
  while (i < lane.length && lane.starts[i] < to) {
    const left = (lane.starts[i] - from) * scale;
    const right = (lane.ends[i] - from) * scale;
    if (right - left >= 1) {
      pieces.push({ left: Math.max(0, left), right: Math.min(width, right), first: i, last: i, share: 1 });
      i += 1;
      continue;
    }
    const pixel = Math.floor(left);
    let next = Math.max(i + 1, lowerBound(lane.starts, from + (pixel + 1) / scale));
    // The last one that begins in the pixel may be wide.
    if (next - 1 > i && (lane.ends[next - 1] - lane.starts[next - 1]) * scale >= 1) {
      next -= 1;
    }
    const share = Math.min(1, (lane.busy[next] - lane.busy[i]) * scale);
    if (pixel >= 0 && pixel < width) {
      pieces.push({ left: pixel, right: pixel + 1, first: i, last: next - 1, share });
    }
    i = next;
  }
  return pieces;
}

// How many pieces run at once: {times, counts, greatest}, counts[i] from times[i] on.
export function concurrency(work, items) {
  const starts = Float64Array.from(items, (item) => work.start_us[item]).sort();
  const ends = Float64Array.from(items, (item) => work.end_us[item]).sort();
  const times = [];
  const counts = [];
  let count = 0;
  let greatest = 0;
  for (let s = 0, e = 0; e < ends.length;) {
    const time = s < starts.length ? Math.min(starts[s], ends[e]) : ends[e];
    // At one time, ends come first: the next piece of a stream is not beside the one before it.
    for (; e < ends.length && ends[e] <= time + SAME && e < s; ++e) {
      count -= 1;
    }
    for (; s < starts.length && starts[s] <= time; ++s) {
      count += 1;
    }
    greatest = Math.max(greatest, count);
    if (times.at(-1) === time) {
      counts[counts.length - 1] = count;
    } else {
      times.push(time);
      counts.push(count);
    }
  }
  return { times: Float64Array.from(times), counts: Uint32Array.from(counts), greatest };
}
