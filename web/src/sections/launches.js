// All launches in one table; the sections below show the selected launch.
import { digits, nothing, number, percent, time } from "../format.js";
import { reasonLabel } from "../labels.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";

const shown = [
  ["launch", "label", "text"],
  ["source", "source", "text"],
  ["GPU", "gpu", "text"],
  ["GPU number", "device", "number"],
  ["kernel", "name", "text"],
  ["grid", "grid", "text"],
  ["block", "block", "text"],
  ["cycles", "cycles", "number"],
  ["time", "time_us", "number", time],
  ["beside others", "beside", "number"],
  ["instructions", "instructions", "number"],
  ["IPC", "ipc", "number", (x) => digits(x, 2)],
  ["occupancy", "occupancy_achieved_pct", "number", percent],
  ["theoretical", "occupancy_theoretical_pct", "number", percent],
  ["limited by", "occupancy_limiter", "text"],
  ["L1 hits", "l1_hit_pct", "number", percent],
  ["L2 hits", "l2_hit_pct", "number", percent],
  ["L2 GB/s", "l2_gb_per_s", "number"],
  ["DRAM GB/s", "dram_gb_per_s", "number"],
  ["load latency, cycles", "mean_load_latency_cycles", "number"],
  ["top stall", "top_stall", "text", (reason) => (reason ? reasonLabel(reason) : nothing)],
  ["status", "status", "text"],
];

export function launches(report, store) {
  const section = new Section(
    "launches",
    "Launches",
    "Select a launch: the sections below show it. The arrow keys move through the rows.",
  );
  // Only where a run has several GPUs, and where launches ran at the same time.
  const needed = { device: (launch) => launch.device > 0, beside: (launch) => launch.beside > 0 };
  const used = shown.filter(([, name]) => !(name in needed) || report.launches.some(needed[name]));
  const columns = used.map(([label, name, kind, text]) => ({
    label,
    title: name,
    kind,
    value: (launch) => launch[name],
    text: (launch) => (name === "name" ? launch.kernel : (text ?? number)(launch[name])),
    hint: (launch) => (name === "name" ? launch.name : undefined),
  }));
  if (report.launches.length === 0) {
    section.missing("No launch yet: warpsim run TRACE --gpu GPU --out results.db adds launches.");
    return section;
  }
  const table = section.table(
    new DataTable({
      caption: "Launches",
      rows: report.launches,
      search: "Search launches",
      columns,
      select: (launch) => store.select(launch),
      selected: (launch) => launch === store.launch,
      selectedAny: () => store.launch !== undefined,
    }),
  );
  section.show(table.element);
  section.setQueries(queriesOf(report, ["kernel_summary"]));
  section.update = () => table.refresh();
  return section;
}
