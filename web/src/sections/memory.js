// What moved between SM, L1, shared memory, L2 and DRAM.
import { h, svg } from "../dom.js";
import { bytes, number, percent, scaled } from "../format.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";

export function memory(report) {
  const section = new Section(
    "memory",
    "Memory hierarchy",
    "Bytes over each edge, and how much of what was looked up was found.",
  );
  section.update = (launch) => {
    const row = launch.database.tables.memory.rowOf(launch);
    if (row.run_id === undefined) {
      section.missing("Counters of memory come with simulated launches: choose one, or simulate with warpsim run.");
      return;
    }
    section.present();
    section.show(
      h("div", { class: "diagram" }, diagram(row, launch)),
      h("details", { class: "data" }, h("summary", {}, "Numbers of the chart"), numbers(section, row)),
      latency(section, launch),
    );
    section.setQueries(queriesOf(report, ["memory", "load_latency", "queueing"]));
  };
  return section;
}

const boxes = {
  sm: [10, 90, 130, 210, "SMs"],
  l1: [290, 70, 150, 120, "L1"],
  shared: [290, 220, 150, 100, "Shared memory"],
  l2: [600, 90, 150, 180, "L2"],
  dram: [900, 100, 130, 130, "DRAM"],
};

function diagram(row, launch) {
  const seconds = (launch.time_us ?? 0) / 1e6;
  const rate = (amount) =>
    amount && seconds > 0 ? `${bytes(amount)}, ${scaled(amount / seconds, "B/s")}` : bytes(amount ?? 0);
  const loads = (row.global_load_bytes ?? 0) + (row.local_load_bytes ?? 0);
  const stores = (row.global_store_bytes ?? 0) + (row.local_store_bytes ?? 0) + (row.global_atomic_bytes ?? 0);
  const description =
    `L1 to SMs ${rate(loads)}, SMs to L1 ${rate(stores)}; L2 to SMs ${rate(row.l2_to_sm_bytes)}, SMs to L2 ` +
    `${rate(row.sm_to_l2_bytes)}; DRAM to L2 ${rate(row.dram_to_l2_bytes)}, ` +
    `L2 to DRAM ${rate(row.l2_to_dram_bytes)}; ` +
    `hit rates: L1 ${percent(row.l1_hit_pct)}, L2 ${percent(row.l2_hit_pct)}`;
  const greatest = Math.max(
    loads,
    stores,
    row.l2_to_sm_bytes ?? 0,
    row.sm_to_l2_bytes ?? 0,
    row.dram_to_l2_bytes ?? 0,
    row.l2_to_dram_bytes ?? 0,
    1,
  );
  const flow = (x1, x2, y, amount, label) => edge(x1, x2, y, amount, greatest, label ?? rate(amount));
  const passes = row.shared_wavefronts ?? 0;
  return svg(
    "svg",
    { viewBox: "0 50 1040 290", role: "img", "aria-label": description, class: "memory" },
    Object.values(boxes).map(([x, y, width, height, name]) => box(x, y, width, height, name)),
    note(365, 155, `${percent(row.l1_hit_pct)} hits`),
    note(365, 172, "of global loads"),
    note(365, 282, `${number(passes)} passes`),
    note(365, 299, `${number(row.shared_conflicts ?? 0)} by conflicts`),
    note(675, 200, `${percent(row.l2_hit_pct)} hits`),
    row.fabric_bytes ? note(675, 220, `${bytes(row.fabric_bytes)} across`) : null,
    note(965, 195, `${percent(row.dram_row_hit_pct)}`),
    note(965, 212, "row hits"),
    flow(290, 140, 125, loads),
    flow(140, 290, 160, stores),
    edge(
      140,
      290,
      270,
      row.shared_requests > 0 ? greatest / 4 : 0,
      greatest,
      `${number(row.shared_requests ?? 0)} requests`,
    ),
    flow(600, 440, 125, row.l2_to_sm_bytes ?? 0),
    flow(440, 600, 160, row.sm_to_l2_bytes ?? 0),
    row.bulk_copy_in_bytes || row.bulk_copy_out_bytes
      ? flow(600, 440, 260, (row.bulk_copy_in_bytes ?? 0) + (row.bulk_copy_out_bytes ?? 0))
      : null,
    flow(900, 750, 150, row.dram_to_l2_bytes ?? 0),
    flow(750, 900, 190, row.l2_to_dram_bytes ?? 0),
  );
}

function box(x, y, width, height, name) {
  return [
    svg("rect", { x, y, width, height, rx: 8, class: "box" }),
    svg("text", { x: x + width / 2, y: y + 28, class: "name" }, name),
  ];
}

function note(x, y, text) {
  return svg("text", { x, y, class: "note" }, text);
}

// As thick as the share of the greatest flow.
function edge(from, to, y, amount, greatest, text) {
  const width = amount > 0 ? 1.5 + 8 * Math.sqrt(amount / greatest) : 1;
  const direction = Math.sign(to - from);
  const head = 6 + width / 2;
  return svg(
    "g",
    { class: amount > 0 ? "flow" : "flow none" },
    svg("line", { x1: from, y1: y, x2: to - direction * head, y2: y, "stroke-width": width }),
    svg("polygon", { points: `${to},${y} ${to - direction * head},${y - head} ${to - direction * head},${y + head}` }),
    svg("text", { x: (from + to) / 2, y: y - head - 2 }, text),
  );
}

function numbers(section, row) {
  const rows = Object.entries(row).filter(
    ([name, value]) => value !== null && name !== "run_id" && name !== "launch_index",
  );
  return section.table(
    new DataTable({
      caption: "Numbers of the chart",
      rows,
      columns: [
        { label: "what", kind: "text", value: ([name]) => name.replaceAll("_", " ") },
        { label: "value", kind: "number", value: ([, value]) => value },
      ],
    }),
  ).element;
}

function latency(section, launch) {
  const table = launch.database.tables.load_latency;
  const rows = table.rowsOf(launch);
  if (rows.length === 0) {
    return null;
  }
  return section.table(
    new DataTable({
      caption: "How long loads took, by where they were served",
      rows,
      columns: [
        { label: "served by", kind: "text", value: (row) => table.at(row, "served_by").replaceAll("_", " ") },
        { label: "loads", kind: "number", value: (row) => table.at(row, "loads") },
        { label: "mean cycles", kind: "number", value: (row) => table.at(row, "mean_cycles") },
        { label: "longest", kind: "number", value: (row) => table.at(row, "greatest_cycles") },
      ],
    }),
  ).element;
}
