// The work of the devices of a run: columns as arrays, sorted by start.

const numbers = [
  "device",
  "work_index",
  "stream",
  "in_graph",
  "priority",
  "bytes",
  "submitted_us",
  "start_us",
  "end_us",
  "waited_for_work_us",
  "waited_for_queue_us",
  "waited_for_place_us",
];

// What a piece of work waits for between its submission and its start, one after another: column, text, short text.
export const causes = [
  ["waited_for_work_us", "the work before it", "work before it"],
  ["waited_for_queue_us", "the head of its queue", "queue"],
  ["waited_for_place_us", "a place on the device", "place on the device"],
];

export class Work {
  // table: a Table with the columns of the view device_timeline, by device and start
  constructor(table) {
    this.length = table.length;
    for (const name of numbers) {
      this[name] = Float64Array.from(table.column(name));
    }
    for (const name of ["kind", "kernel", "launch_index", "peer_device"]) {
      this[name] = table.column(name);
    }
  }
  time(i) {
    return this.end_us[i] - this.start_us[i];
  }
  // [[cause, from, to]...] from submission to start; the last one is what no cause explains.
  waits(i) {
    const parts = [];
    let at = this.submitted_us[i];
    for (const [column] of causes) {
      const to = Math.min(this.start_us[i], at + this[column][i]);
      if (to > at) {
        parts.push([column, at, to]);
      }
      at = Math.max(at, to);
    }
    if (this.start_us[i] > at) {
      parts.push(["other", at, this.start_us[i]]);
    }
    return parts;
  }
}
