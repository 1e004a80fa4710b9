// The limiter of each launch, and the shares of the GPU's peaks.
import { h, replace } from "../dom.js";
import { percent, time } from "../format.js";
import { queriesOf } from "../query.js";
import { bar, Section } from "../section.js";
import { DataTable } from "../table.js";

export const kinds = {
  dram: "DRAM",
  l2: "L2",
  l1: "L1 and shared memory",
  fma: "FMA pipes",
  alu: "ALU pipe",
  fp64: "FP64 pipe",
  xu: "XU pipe",
  issue: "issue slots",
  latency: "latency",
  few_blocks: "too few blocks",
  launch_overhead: "launch overhead",
  imbalance: "uneven work",
};

const peaks = [
  ["issue slots", "issue_pct"],
  ["FMA pipes", "fma_pct"],
  ["ALU pipe", "alu_pct"],
  ["FP64 pipe", "fp64_pct"],
  ["XU pipe", "xu_pct"],
  ["load/store unit (L1)", "l1_pct"],
  ["shared memory", "shared_pct"],
  ["L2", "l2_pct"],
  ["DRAM", "dram_pct"],
];

export function summary(report, store) {
  const section = new Section("summary", "Summary", "What limits each launch, derived by rules from its metrics.");
  const card = h("div", { class: "card", "aria-live": "polite" });
  const simulated = report.simulated;
  if (simulated.length === 0) {
    section.missing("No simulated launch yet: warpsim run TRACE --gpu GPU --out results.db adds launches.");
    return section;
  }
  const total = simulated.reduce((sum, launch) => sum + (launch.time_us ?? 0), 0);
  const table = section.table(
    new DataTable({
      caption: "Verdicts on all launches",
      rows: simulated,
      search: "Search launches",
      select: (launch) => store.select(launch),
      selected: (launch) => launch === store.launch,
      selectedAny: () => store.launch !== undefined,
      columns: [
        { label: "launch", value: (launch) => launch.label, kind: "text" },
        {
          label: "kernel",
          value: (launch) => launch.name,
          text: (launch) => launch.kernel,
          hint: (launch) => launch.name,
          kind: "text",
        },
        { label: "time", value: (launch) => launch.time_us, text: (launch) => time(launch.time_us), kind: "number" },
        {
          label: "of total",
          title: "share of the time of all launches",
          value: (launch) => share(launch, total),
          text: (launch) => percent(share(launch, total)),
          kind: "number",
        },
        {
          label: "limited by",
          value: (launch) => kinds[launch.verdict?.limiter.kind] ?? launch.verdict?.limiter.kind ?? "",
          kind: "text",
        },
        { label: "verdict", value: (launch) => launch.verdict?.limiter.sentence ?? "", kind: "text wide" },
        {
          label: "also",
          title: "further findings",
          value: (launch) =>
            (launch.verdict?.further ?? []).map((finding) => finding.kind.replaceAll("_", " ")).join(", "),
          kind: "text",
        },
      ],
    }),
  );
  section.show(h("p", {}, overview(simulated, total)), card, table.element);
  section.setQueries(queriesOf(report, ["facts", "kernel_summary", "stall_shares"]));
  section.update = (launch) => {
    replace(card, launch.hardware ? h("p", {}, "Measured on hardware: there is no verdict.") : verdictCard(launch));
    table.refresh();
  };
  return section;
}

function share(launch, total) {
  return total > 0 ? (100 * (launch.time_us ?? 0)) / total : null;
}

function overview(launches, total) {
  const longest = launches.reduce((a, b) => ((b.time_us ?? 0) > (a.time_us ?? 0) ? b : a));
  const counts = new Map();
  for (const launch of launches) {
    const kind = kinds[launch.verdict?.limiter.kind] ?? "unknown";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const limits = [...counts].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${kind} (${count})`);
  return (
    `${launches.length} launches, ${time(total)} together; the longest is ${longest.label}, ${longest.kernel}, ` +
    `${percent(share(longest, total))} of it. Limited by: ${limits.join(", ")}.`
  );
}

function finding(entry, heading) {
  return h(
    "div",
    { class: `finding ${heading ? "main" : ""}` },
    heading ? h("h3", {}, entry.sentence) : h("p", {}, entry.sentence),
    entry.advice && h("p", { class: "advice" }, entry.advice),
    entry.evidence.length > 0 &&
      h(
        "ul",
        { class: "evidence" },
        entry.evidence.map((piece) => h("li", { title: piece.name, "data-value": piece.value }, piece.text)),
      ),
  );
}

function besideText(count) {
  const others = count === 1 ? "another launch" : `${count} other launches`;
  return (
    `It ran beside ${others}. Its counters are those of its own warps and requests. Cycles, latencies, stall reasons ` +
    "and hit rates also depend on the others, which use the same issue slots, caches, links and DRAM; shares of " +
    "peaks and rates are its own part only."
  );
}

function verdictCard(launch) {
  const numbers = launch.database.tables.facts.rowOf(launch);
  const verdict = launch.verdict;
  return [
    h("p", { class: "of" }, `${launch.label}: ${launch.name}, ${time(launch.time_us)}, on ${launch.gpu}`),
    launch.beside > 0 && h("p", { class: "beside" }, besideText(launch.beside)),
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        {},
        verdict && finding(verdict.limiter, true),
        (verdict?.further ?? []).map((entry) => finding(entry, false)),
      ),
      h(
        "div",
        { class: "peaks", role: "group", "aria-label": "share of the GPU's peaks over the whole launch" },
        h("h3", {}, "Share of the GPU's peaks over the whole launch"),
        peaks.map(([name, column]) => bar(name, numbers[column], percent(numbers[column]), column)),
      ),
    ),
  ];
}
