// Traffic between SM, L1, shared memory, L2 and DRAM.
import { h, svg } from "../dom.js";
import { bytes, number, percent, scaled } from "../format.js";
import { columnLabel } from "../labels.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";
import { flowsOf, ledgersOf } from "./memory_flows.js";

export function memory(report) {
  const section = new Section(
    "memory",
    "Memory hierarchy",
    "Bytes over each edge in both directions; the width is proportional. The tables define what each edge counts " +
      "and explain the differences between the edges.",
  );
  section.update = (launch) => {
    const row = launch.database.tables.memory.rowOf(launch);
    if (row.run_id === undefined) {
      section.missing("Only simulated launches have memory counters: select one, or simulate with warpsim run.");
      return;
    }
    section.present();
    const flows = flowsOf(row, (launch.time_us ?? 0) / 1e6);
    section.show(
      h("div", { class: "diagram", tabindex: "0", role: "region", "aria-label": "Diagram" }, diagram(row, flows)),
      edges(section, flows),
      h("div", { class: "columns" }, ledgersOf(row).map(ledger)),
      latency(section, launch),
      h("details", { class: "data" }, h("summary", {}, "Counters of the chart"), counters(section, row)),
    );
    section.setQueries(queriesOf(report, ["memory", "load_latency", "queueing"]));
  };
  return section;
}

const boxes = {
  sm: [10, 90, 130, 230, "SMs"],
  l1: [290, 70, 150, 120, "L1"],
  shared: [290, 220, 150, 100, "Shared memory"],
  l2: [600, 90, 150, 230, "L2"],
  dram: [900, 100, 130, 130, "DRAM"],
};

function amount(flow) {
  return flow.unit === "bytes" ? bytes(flow.amount) : `${number(flow.amount)} ${flow.unit}`;
}

function rate(flow) {
  return flow.perSecond > 0 ? scaled(flow.perSecond, "B/s") : "";
}

function diagram(row, flows) {
  const description = flows
    .map((flow) => `${flow.name}: ${amount(flow)}${rate(flow) && `, ${rate(flow)}`}`)
    .concat(`hit rates: L1 ${percent(row.l1_hit_pct)}, L2 ${percent(row.l2_hit_pct)}`)
    .join("; ");
  const greatest = Math.max(1, ...flows.filter((flow) => flow.unit === "bytes").map((flow) => flow.amount));
  return svg(
    "svg",
    { viewBox: "0 50 1040 290", role: "img", "aria-label": description, class: "memory" },
    Object.values(boxes).map(([x, y, width, height, name]) => box(x, y, width, height, name)),
    note(365, 160, `${percent(row.l1_hit_pct)} hits`),
    note(365, 177, "of global loads"),
    note(365, 275, `${number(row.shared_requests ?? 0)} requests`),
    note(365, 292, `${number(row.shared_conflicts ?? 0)} passes`),
    note(365, 309, "by bank conflicts"),
    note(675, 220, `${percent(row.l2_hit_pct)} hits`),
    row.fabric_bytes ? note(675, 240, `${bytes(row.fabric_bytes)}`) : null,
    row.fabric_bytes ? note(675, 257, "between its halves") : null,
    note(965, 195, `${percent(row.dram_row_hit_pct)}`),
    note(965, 212, "row hits"),
    flows.filter((flow) => flow.place).map((flow) => edge(flow, greatest)),
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

// Width in proportion to the largest flow of bytes; other units have a fixed width.
function edge(flow, greatest) {
  const [from, to, y] = flow.place;
  const counted = flow.unit === "bytes" ? Math.sqrt(flow.amount / greatest) : 0.2;
  const width = flow.amount > 0 ? 1.5 + 8 * counted : 1;
  const direction = Math.sign(to - from);
  const head = 6 + width / 2;
  const kind = flow.amount > 0 ? (flow.unit === "bytes" ? "flow" : "flow other") : "flow none";
  return svg(
    "g",
    { class: kind },
    svg("line", { x1: from, y1: y, x2: to - direction * head, y2: y, "stroke-width": width }),
    svg("polygon", { points: `${to},${y} ${to - direction * head},${y - head} ${to - direction * head},${y + head}` }),
    svg("text", { x: (from + to) / 2, y: y - head - 2 }, rate(flow) ? `${amount(flow)}, ${rate(flow)}` : amount(flow)),
  );
}

function edges(section, flows) {
  return section.table(
    new DataTable({
      caption: "What the edges count",
      rows: flows,
      columns: [
        { label: "edge", kind: "text", value: (flow) => flow.name },
        { label: "amount", kind: "number", value: (flow) => flow.amount, text: amount },
        { label: "rate over the launch", kind: "number", value: (flow) => flow.perSecond ?? null, text: rate },
        { label: "counts", kind: "text wide", value: (flow) => flow.counts },
      ],
    }),
  ).element;
}

// A sum, line by line: {title, unit, lines: [{text, amount, total}]}
function ledger({ title, unit, lines }) {
  const shown = (line) => (unit === "bytes" ? bytes(Math.abs(line.amount)) : number(Math.abs(line.amount)));
  const sign = (line) => (line.total ? "=" : line.amount < 0 ? "−" : "+");
  return h(
    "div",
    { class: "ledger" },
    h(
      "table",
      { class: "data" },
      h("caption", {}, title),
      h(
        "tbody",
        {},
        lines.map((line, place) =>
          h(
            "tr",
            { class: line.total ? "total" : undefined },
            h("td", { class: "sign", "aria-label": line.total ? "gives" : undefined }, place === 0 ? "" : sign(line)),
            h("td", { class: "wide" }, line.text),
            h("td", { class: "number", "data-value": line.amount }, shown(line)),
          ),
        ),
      ),
    ),
  );
}

function counters(section, row) {
  const rows = Object.entries(row).filter(
    ([name, value]) => value !== null && name !== "run_id" && name !== "launch_index",
  );
  return section.table(
    new DataTable({
      caption: "Counters of the chart",
      rows,
      columns: [
        { label: "counter", kind: "text", value: ([name]) => columnLabel(name), hint: ([name]) => name },
        { label: "value", kind: "number", value: ([, value]) => value },
      ],
    }),
  ).element;
}

const places = {
  shared: "shared memory",
  l1: "L1",
  l2_near: "L2, near half",
  l2_far: "L2, other half",
  dram: "DRAM",
  constant: "constant cache",
  atomic: "L2, atomics",
};

function latency(section, launch) {
  const table = launch.database.tables.load_latency;
  const rows = table.rowsOf(launch);
  if (rows.length === 0) {
    return null;
  }
  const place = (row) => places[table.at(row, "served_by")] ?? table.at(row, "served_by").replaceAll("_", " ");
  return section.table(
    new DataTable({
      caption: "Latency of loads by the level that served them",
      rows,
      columns: [
        { label: "served by", kind: "text", value: place },
        { label: "loads", kind: "number", value: (row) => table.at(row, "loads") },
        { label: "mean, cycles", kind: "number", value: (row) => table.at(row, "mean_cycles") },
        { label: "maximum, cycles", kind: "number", value: (row) => table.at(row, "greatest_cycles") },
      ],
    }),
  ).element;
}
