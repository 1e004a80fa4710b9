// The rows of a timeline, from top to bottom: for each device what the host submits, how many kernels run at once, the
// streams, and the copies by direction.
import { concurrency, inLanes } from "./lanes.js";

export const LANE = 18;
const heights = { device: 24, host: 16, count: 34 };
const GAP = 6;

const copies = [
  ["copies to device", ["copy to device"]],
  ["copies to host", ["copy to host"]],
  ["copies between devices", ["copy between devices"]],
  ["copies, fills in device", ["copy in device", "fill"]],
  ["managed memory", ["migration", "page faults"]],
];
// What the driver does by itself is in no stream.
const ofDriver = "page faults";

export const streamName = (stream) => (stream === 0 ? "default stream" : `stream ${stream}`);

// names: of the GPUs, by number of the device
export function rowsOf(work, names) {
  const rows = [];
  for (const [device, items] of grouped(work.device, everything(work))) {
    rows.push({ type: "device", device, label: `GPU ${device}: ${names.get(device) ?? "unknown"}` });
    const inStreams = items.filter((item) => work.kind[item] !== ofDriver);
    const submitted = Float64Array.from(inStreams, (item) => work.submitted_us[item]).sort();
    rows.push({ type: "host", device, label: "submitted by host", times: submitted });
    const kernels = items.filter((item) => work.kind[item] === "kernel");
    if (kernels.length > 0) {
      rows.push({ type: "count", device, label: "kernels at once", ...concurrency(work, kernels) });
    }
    for (const [stream, own] of [...grouped(work.stream, inStreams)].sort((a, b) => a[0] - b[0])) {
      rows.push({ type: "lanes", device, group: "stream", label: streamName(stream), lanes: inLanes(work, own) });
    }
    for (const [label, kinds] of copies) {
      const own = items.filter((item) => kinds.includes(work.kind[item]));
      if (own.length > 0) {
        rows.push({ type: "lanes", device, group: "copies", label, lanes: inLanes(work, own) });
      }
    }
  }
  let top = 0;
  for (const row of rows) {
    row.top = top;
    row.height = row.type === "lanes" ? row.lanes.length * LANE : heights[row.type];
    top += row.height + GAP;
  }
  return rows;
}

// All pieces by start.
function everything(work) {
  const items = Array.from({ length: work.length }, (_, i) => i);
  return items.sort((a, b) => work.start_us[a] - work.start_us[b] || work.work_index[a] - work.work_index[b]);
}

function grouped(column, items) {
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(column[item]);
    if (group) {
      group.push(item);
    } else {
      groups.set(column[item], [item]);
    }
  }
  return groups;
}

// {row, lane, place} of a piece of work, in its stream.
export function placeOf(rows, work, item) {
  for (const row of rows) {
    if (row.group === "stream" && row.device === work.device[item]) {
      for (const lane of row.lanes) {
        const place = lane.items.indexOf(item);
        if (place >= 0) {
          return { row, lane, place };
        }
      }
    }
  }
  return null;
}

export const heightOf = (rows) => (rows.length === 0 ? 0 : rows.at(-1).top + rows.at(-1).height + GAP);
