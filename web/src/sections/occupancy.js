// The number of resident warps of an SM, and its limits.
import { h } from "../dom.js";
import { bytes, number, percent } from "../format.js";
import { queriesOf } from "../query.js";
import { bar, facts, Section } from "../section.js";

const limits = [
  ["warp slots", "limit_warps", "warps"],
  ["registers", "limit_registers", "registers"],
  ["shared memory", "limit_shared_mem", "shared memory"],
  ["block slots", "limit_blocks", "blocks"],
];

export function occupancy(report) {
  const section = new Section(
    "occupancy",
    "Occupancy",
    "Warps per SM that each resource allows, and resident warps. All bars have one scale: the warp slots of the " +
      "SM.",
  );
  section.update = (launch) => {
    const row = launch.database.tables.occupancy.rowOf(launch);
    if (row.warps_per_sm === undefined || row.warps_per_sm === null) {
      section.missing("Only simulated launches have an occupancy: select one, or simulate this one with warpsim run.");
      return;
    }
    section.present();
    section.show(
      h("p", {}, sentence(row)),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "blocks", role: "group", "aria-label": `warps of an SM, of ${row.warps_per_sm}` },
          h("h3", {}, "Warps of an SM"),
          limits.map(([name, column]) => limit(row, name, column)),
          occupied(row, "theoretical occupancy", "theoretical_pct"),
          occupied(row, "achieved occupancy", "achieved_pct"),
          h(
            "div",
            { class: "meter scale", "aria-hidden": "true" },
            h("span", { class: "name" }),
            h("span", { class: "ends" }, h("span", {}, "0"), h("span", {}, `${number(row.warps_per_sm)} warps`)),
            h("span", { class: "number" }),
          ),
        ),
        facts([
          ["threads per block", number(row.threads), row.threads],
          [
            "registers per thread",
            `${number(row.registers_per_thread)}, ${number(row.allocated_registers)} allocated`,
            row.registers_per_thread,
          ],
          ["shared memory per block", bytes(row.shared_bytes), row.shared_bytes],
          ["shared memory of the SM", bytes(row.carveout_bytes), row.carveout_bytes],
          ["blocks per SM", number(row.blocks_per_sm), row.blocks_per_sm],
          ["warp slots of the SM", number(row.warps_per_sm), row.warps_per_sm],
        ]),
      ),
    );
    section.setQueries(queriesOf(report, ["occupancy", "attributes"]));
  };
  return section;
}

// A resource that allows more warps than there are slots fills the bar.
function limit(row, name, column) {
  const warps = row[column] === null ? null : row[column] * Math.ceil(row.threads / 32);
  const limits = row[column] === row.blocks_per_sm;
  return bar(
    limits ? `${name} (limits)` : name,
    (100 * warps) / row.warps_per_sm,
    `${number(warps)} warps (${number(row[column])} blocks)`,
    column,
    true,
  );
}

function occupied(row, name, column) {
  const warps = row[column] === null ? null : (row[column] * row.warps_per_sm) / 100;
  return bar(name, row[column], `${number(warps)} warps (${percent(row[column])})`, column, true);
}

function limiter(row) {
  return limits.find(([, , word]) => word === row.limiter)?.[0] ?? String(row.limiter).replaceAll("_", " ");
}

function sentence(row) {
  return (
    `${number(row.blocks_per_sm)} blocks of ${number(row.threads)} threads fit on an SM, ` +
    `${percent(row.theoretical_pct)} of its warps; the limit is ${limiter(row)}. On average ` +
    `${percent(row.achieved_pct)} were resident.`
  );
}
