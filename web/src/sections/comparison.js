// The same launches in several runs, on several GPUs or from several databases, side by side.
import { axis, Chart, lines, tooltip } from "../chart.js";
import { h, newId, replace } from "../dom.js";
import { digits, number } from "../format.js";
import { legendList } from "../legend.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";
import { palette } from "../theme.js";
import { valuesOf } from "./metrics.js";

const measures = [
  ["time_us", "time, µs"],
  ["cycles", "cycles"],
  ["ipc", "IPC"],
  ["instructions", "instructions"],
  ["occupancy_achieved_pct", "achieved occupancy, %"],
  ["occupancy_theoretical_pct", "theoretical occupancy, %"],
  ["l1_hit_pct", "L1 hit rate, %"],
  ["l2_hit_pct", "L2 hit rate, %"],
  ["l2_gb_per_s", "L2 GB/s"],
  ["dram_gb_per_s", "DRAM GB/s"],
  ["mean_load_latency_cycles", "mean load latency, cycles"],
];
const MOST = 40;

export function comparison(report) {
  const section = new Section(
    "comparison",
    "Comparison",
    "The same launches of a trace or program in several variants. A variant is the configuration of a run: GPU, " +
      "values of its description, cache control. The first one is the baseline.",
  );
  const groups = groupsOf(report);
  if (groups.length === 0) {
    section.missing(
      "Nothing to compare: warpsim compare TRACE --gpu A --gpu B --out both.db simulates several GPUs, and report " +
        "takes several databases.",
    );
    return section;
  }
  const named = new Set(groups.flatMap((group) => group.map((entry) => entry.variant)));
  const base = report.speedups[0]?.baseline ?? [...named][0];
  const variants = [base, ...[...named].filter((name) => name !== base)];
  let measure = measures[0];
  const id = newId("measure");
  const select = h(
    "select",
    { id },
    measures.map(([name, label]) => h("option", { value: name }, label)),
  );
  const shown = groups.slice(0, MOST);
  const chart = section.chart(
    new Chart("", 70 + shown.length * (14 * variants.length + 12), () => option(shown, variants, measure)),
  );
  const relabel = () =>
    chart.setLabel(
      `${measure[1]} of ${shown.length} launches in ${variants.length} variants; numbers in the table below`,
    );
  relabel();
  select.addEventListener("change", () => {
    measure = measures.find(([name]) => name === select.value);
    relabel();
    chart.draw();
    table.setRows(groups);
  });
  const table = section.table(pivot(groups, variants, () => measure));
  const one = h("div");
  section.show(
    h("p", {}, `${groups.length} launches are in several variants.`),
    section.table(means(report)).element,
    h("p", {}, h("label", { for: id }, "Compare by "), select),
    legendList(
      variants.map((name, place) => ({ color: palette[place % palette.length], name, mark: "square" })),
      "colours of variants",
    ),
    chart.element,
    table.element,
    one,
  );
  section.setQueries(queriesOf(report, ["comparison", "metrics"]));
  section.update = (launch) => {
    const group = groups.find((entries) => entries.some((entry) => entry.launch === launch));
    replace(
      one,
      group ? detail(section, group) : h("p", { class: "how" }, `${launch.label} has no counterpart to compare with.`),
    );
  };
  return section;
}

function groupsOf(report) {
  const groups = new Map();
  const launches = new Map(report.simulated.map((launch) => [`${launch.database.place} ${launch.id}`, launch]));
  for (const database of report.databases) {
    const table = database.tables.comparison;
    for (let row = 0; row < table.length; ++row) {
      const values = table.row(row);
      const launch = launches.get(`${database.place} ${values.run_id}/${values.launch_index}`);
      const key = `${values.trace_hash || values.workload} ${values.launch_index}`;
      groups.set(key, [...(groups.get(key) ?? []), { ...values, launch }]);
    }
  }
  for (const group of groups.values()) {
    for (const entry of group) {
      entry.variant = report.several ? `${entry.launch.database.label}: ${entry.variant}` : entry.variant;
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

const nameOf = (group) => `${group[0].workload}[${group[0].launch_index}]`;
const valueOf = (group, variant, name) => group.find((entry) => entry.variant === variant)?.[name] ?? null;

function option(groups, variants, [name, label]) {
  return {
    grid: { left: 10, right: 20, top: 10, bottom: 45, containLabel: true },
    tooltip: tooltip((event) =>
      lines(nameOf(groups[event.dataIndex]), `${event.seriesName}: ${number(event.value)} (${label})`),
    ),
    xAxis: { type: "value", ...axis(label) },
    yAxis: { type: "category", inverse: true, data: groups.map(nameOf), ...axis("", { splitLine: { show: false } }) },
    series: variants.map((variant, place) => ({
      type: "bar",
      name: variant,
      barMaxWidth: 12,
      itemStyle: { color: palette[place % palette.length] },
      data: groups.map((group) => valueOf(group, variant, name)),
    })),
  };
}

function pivot(groups, variants, measure) {
  return new DataTable({
    caption: "All compared launches",
    rows: groups,
    search: "Search launches",
    columns: [
      { label: "launch", kind: "text", value: nameOf },
      { label: "kernel", kind: "text", value: (group) => group[0].launch.kernel },
      ...variants
        .flatMap((variant, place) => [
          { label: variant, kind: "number", value: (group) => valueOf(group, variant, measure()[0]) },
          place > 0 && {
            label: "speed-up",
            title: `of ${variant} over ${variants[0]}`,
            kind: "number",
            value: (group) => speedUp(group, variants[0], variant),
            text: (group) => factor(speedUp(group, variants[0], variant)),
          },
        ])
        .filter(Boolean),
    ],
  });
}

// Null where one of the two did not run the launch.
function speedUp(group, base, variant) {
  const time = valueOf(group, variant, "time_us");
  const baseTime = valueOf(group, base, "time_us");
  return time > 0 && baseTime > 0 ? baseTime / time : null;
}

const factor = (value) => (value === null ? "–" : `${digits(value, 2)} ×`);

// The same definition as in warpsim compare and plot speedup.
function means(report) {
  const base = report.speedups[0]?.baseline ?? "";
  return new DataTable({
    caption: `Speed-up over ${base}, total time of each workload`,
    rows: report.speedups,
    columns: [
      { label: "variant", kind: "text", value: (row) => row.variant },
      { label: "workloads", kind: "number", value: (row) => row.workloads },
      {
        label: "geometric mean over workloads",
        kind: "number",
        value: (row) => row.geometric_mean,
        text: (row) => factor(row.geometric_mean),
      },
      {
        label: "total speed-up",
        kind: "number",
        value: (row) => row.speed_up_of_sum,
        text: (row) => factor(row.speed_up_of_sum),
      },
    ],
  });
}

function detail(section, group) {
  const rows = measures.map(([name, label]) => ({ label, values: group.map((entry) => entry[name]) }));
  const values = group.map((entry) => valuesOf(entry.launch));
  for (const metric of values[0].keys()) {
    rows.push({ label: metric, values: values.map((known) => known.get(metric) ?? null) });
  }
  const table = section.table(
    new DataTable({
      caption: `${nameOf(group)} in all variants`,
      rows,
      search: "Search metrics",
      columns: [
        { label: "metric", kind: "text code", value: (row) => row.label },
        ...group
          .flatMap((entry, place) => [
            { label: entry.variant, kind: "number", value: (row) => row.values[place] },
            place > 0 && {
              label: "of baseline",
              title: "in per cent of the baseline",
              kind: "number",
              value: (row) => ratio(row.values, place),
              text: (row) => percentOf(ratio(row.values, place)),
            },
          ])
          .filter(Boolean),
      ],
    }),
  );
  return table.element;
}

const ratio = (values, place) =>
  values[0] && typeof values[place] === "number" ? (100 * values[place]) / values[0] : null;
const percentOf = (value) => (value === null ? "–" : `${digits(value, 1)} %`);
