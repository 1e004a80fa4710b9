// The cost of each instruction of the launch, as an annotated listing.
import { h, newId, replace } from "../dom.js";
import { digits, number, percent } from "../format.js";
import { reasonLabel } from "../labels.js";
import { Table } from "../model.js";
import { queryDisclosure } from "../query.js";
import { Section } from "../section.js";
import { DataTable, ROW } from "../table.js";
import { reasonColor } from "../theme.js";

export function hotspots(report) {
  const section = new Section(
    "hotspots",
    "Hot spots",
    "Warp-cycles are the time that warps spent at an instruction, waiting for it or issuing it. Select a row for its " +
      "stalls and latencies.",
  );
  const how = "No hot spots of this launch: warpsim run ... --hot-spots records them.";
  let shown = null;
  section.update = async (launch) => {
    shown = launch;
    const code = launch.database.code.get(launch.id);
    if (!code) {
      section.missing(how);
      return;
    }
    const json = await report.pack.json(code.blob);
    if (shown !== launch) {
      return; // another launch was selected meanwhile
    }
    section.present();
    const spots = new Table(json.spots);
    const view = new Listing(
      section,
      launch,
      spots,
      stallsByPosition(new Table(json.stalls)),
      latencyByPosition(new Table(json.latency)),
    );
    section.show(view.element);
    view.start();
    replace(
      section.queries,
      queryDisclosure([json.spots, json.stalls, json.latency].map((table) => ({ sql: table.sql, label: table.title }))),
    );
  };
  return section;
}

function stallsByPosition(table) {
  const stalls = new Map();
  for (let row = 0; row < table.length; ++row) {
    const position = table.at(row, "position");
    const list = stalls.get(position) ?? [];
    list.push([table.at(row, "reason"), table.at(row, "warp_cycles")]);
    stalls.set(position, list);
  }
  stalls.forEach((list) => list.sort((a, b) => b[1] - a[1]));
  return stalls;
}

function latencyByPosition(table) {
  const buckets = new Map();
  for (let row = 0; row < table.length; ++row) {
    const position = table.at(row, "position");
    buckets.set(position, [...(buckets.get(position) ?? []), table.row(row)]);
  }
  return buckets;
}

class Listing {
  constructor(section, launch, spots, stalls, latency) {
    Object.assign(this, { spots, stalls, latency });
    this.chosen = -1;
    this.detail = h("div", { class: "card", "aria-live": "polite" });
    const greatest = Math.max(...spots.column("warp_cycles"), 1);
    this.table = section.table(
      new DataTable({
        caption: `Code of ${launch.label}, ${launch.kernel}`,
        rows: Array.from({ length: spots.length }, (_, row) => row),
        search: "Search code",
        columns: this.columns(greatest),
        select: (row) => this.choose(row),
        selected: (row) => row === this.chosen,
        selectedAny: () => this.chosen >= 0,
      }),
    );
    const id = newId("order");
    const order = h(
      "select",
      { id },
      h("option", { value: "address" }, "address"),
      h("option", { value: "heat" }, "heat"),
    );
    order.addEventListener("change", () => {
      this.table.sort = order.value === "heat" ? { column: 2, descending: true } : { column: 0, descending: false };
      this.table.window.scrollTop = 0;
      this.table.refresh();
    });
    this.element = h(
      "div",
      {},
      this.hottest(),
      h("p", {}, h("label", { for: id }, "Order by "), order),
      this.table.element,
      this.detail,
    );
    this.choose(this.hottestRow());
  }
  // Scrolls to the hottest row when the table is part of the page.
  start() {
    this.table.window.scrollTop = Math.max(0, (this.chosen - 8) * ROW);
  }
  hottestRow() {
    const heat = this.spots.column("warp_cycles");
    return heat.reduce((best, value, row) => (value > heat[best] ? row : best), 0);
  }
  hottest() {
    const row = this.spots.row(this.hottestRow());
    const total = this.spots.column("warp_cycles").reduce((a, b) => a + b, 0);
    return h(
      "p",
      {},
      `${number(this.spots.length)} instructions, ${number(total)} warp-cycles; the hottest is at ` +
        `${hex(row.address)}, ` +
        `${row.text}, with ${percent(row.warp_cycles_pct)} of them.`,
    );
  }
  columns(greatest) {
    const spots = this.spots;
    const plain = (label, name, title, text) => ({
      label,
      title: title ?? name,
      kind: "number",
      value: (row) => spots.at(row, name),
      text: (row) => (text ?? number)(spots.at(row, name)),
    });
    const rounded = (value) => (value === null ? "–" : digits(value, 1));
    return [
      {
        label: "address",
        kind: "text code",
        value: (row) => spots.at(row, "address"),
        text: (row) => hex(spots.at(row, "address")),
      },
      { label: "instruction", kind: "text code", value: (row) => spots.at(row, "text") },
      {
        label: "heat",
        title: "share of the launch's warp-cycles",
        kind: "number",
        value: (row) => spots.at(row, "warp_cycles_pct"),
        text: (row) => percent(spots.at(row, "warp_cycles_pct")),
        cell: (row) =>
          h(
            "span",
            { class: "heat", style: { "--heat": String(spots.at(row, "warp_cycles") / greatest) } },
            percent(spots.at(row, "warp_cycles_pct")),
          ),
      },
      {
        label: "waits for",
        title: "largest stall reasons",
        kind: "text",
        value: (row) => this.top(row),
        cell: (row) => this.bar(row),
      },
      plain("stalls, warp-cycles", "stall_cycles"),
      plain("executed", "executed"),
      plain("threads", "threads_executed"),
      plain("sectors/req.", "sectors_per_request", "sectors per request", rounded),
      plain("L1 hits", "l1_hit_pct", "of sectors", percent),
      plain("conflicts", "shared_conflicts", "passes through shared memory because of bank conflicts"),
      plain("latency, cycles", "mean_load_cycles", "mean from issue to result", rounded),
      plain("maximum, cycles", "greatest_load_cycles", "maximum latency"),
      { label: "source", kind: "text", value: (row) => source(spots, row) },
    ];
  }
  top(row) {
    return this.stalls.get(this.spots.at(row, "position"))?.find(([reason]) => reason !== "selected")?.[0] ?? "";
  }
  bar(row) {
    const stalls = this.stalls.get(this.spots.at(row, "position")) ?? [];
    const total = stalls.reduce((sum, [, cycles]) => sum + cycles, 0);
    const parts = stalls.slice(0, 6).map(([reason, cycles]) =>
      h("span", {
        style: { width: `${(100 * cycles) / total}%`, background: reasonColor(reason) },
        title: `${reasonLabel(reason)}: ${number(cycles)} warp-cycles`,
      }),
    );
    return [
      h("span", { class: "stack", "aria-hidden": "true" }, parts),
      ` ${this.top(row) && reasonLabel(this.top(row))}`,
    ];
  }
  choose(row) {
    if (this.spots.length === 0) {
      return;
    }
    this.chosen = row;
    this.table.first = -1;
    this.table.draw();
    const spot = this.spots.row(row);
    const stalls = this.stalls.get(spot.position) ?? [];
    const buckets = this.latency.get(spot.position) ?? [];
    replace(
      this.detail,
      h("h3", {}, h("code", {}, `${hex(spot.address)}  ${spot.text}`)),
      h(
        "p",
        {},
        `${number(spot.executed)} executions by warps, ${number(spot.threads_executed)} by threads; ` +
          `${number(spot.requests)} requests, ${number(spot.sectors)} sectors; ` +
          `loads from L1 ${number(spot.loads_from_l1)}, L2 ${number(spot.loads_from_l2)}, ` +
          `DRAM ${number(spot.loads_from_dram)}.`,
      ),
      h(
        "div",
        { class: "columns" },
        bars(
          "Warp-cycles by reason",
          stalls.map(([reason, cycles]) => [reasonLabel(reason), cycles, reasonColor(reason)]),
        ),
        bars(
          "Loads by latency, cycles",
          buckets.map((bucket) => [
            `${number(bucket.lower_bound)} to ${bucket.upper_bound === null ? "more" : number(bucket.upper_bound)}`,
            bucket.loads,
            "var(--accent)",
          ]),
        ),
      ),
    );
  }
}

function bars(title, entries) {
  if (entries.length === 0) {
    return null;
  }
  const greatest = Math.max(...entries.map(([, value]) => value));
  return h(
    "div",
    {},
    h("h4", {}, title),
    entries.map(([name, value, background]) =>
      h(
        "div",
        { class: "meter" },
        h("span", { class: "name" }, name),
        h(
          "span",
          { class: "track", "aria-hidden": "true" },
          h("span", { class: "fill", style: { width: `${(100 * value) / greatest}%`, background } }),
        ),
        h("span", { class: "number", "data-value": value }, number(value)),
      ),
    ),
  );
}

const hex = (address) => `0x${address.toString(16).padStart(4, "0")}`;

function source(spots, row) {
  const file = spots.at(row, "source_file");
  const line = spots.at(row, "source_line");
  return file ? `${file.split("/").pop()}:${line}` : line ? `line ${line}` : "";
}
