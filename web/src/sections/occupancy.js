// How many warps an SM holds, and what keeps more of them off it.
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
    "Warps that an SM could hold by each of its resources, and did hold.",
  );
  section.update = (launch) => {
    const row = launch.database.tables.occupancy.rowOf(launch);
    if (row.warps_per_sm === undefined || row.warps_per_sm === null) {
      section.missing("Occupancy is known of simulated launches: choose one, or simulate this one with warpsim run.");
      return;
    }
    section.present();
    const warps = Math.ceil(row.threads / 32);
    section.show(
      h("p", {}, sentence(row)),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "blocks", role: "group", "aria-label": "blocks that an SM holds by resource" },
          h("h3", {}, "What an SM could hold"),
          limits.map(([name, column]) => {
            const share = (100 * row[column]) / Math.max(...limits.map(([, other]) => row[other] ?? 0));
            const text = `${number(row[column])} blocks, ${number(row[column] * warps)} warps`;
            return bar(row[column] === row.blocks_per_sm ? `${name} (limits)` : name, share, text, column, true);
          }),
          bar("theoretical occupancy", row.theoretical_pct, percent(row.theoretical_pct), "theoretical_pct", true),
          bar("achieved occupancy", row.achieved_pct, percent(row.achieved_pct), "achieved_pct", true),
        ),
        facts([
          ["threads a block", number(row.threads), row.threads],
          [
            "registers a thread",
            `${number(row.registers_per_thread)}, ${number(row.allocated_registers)} allocated`,
            row.registers_per_thread,
          ],
          ["shared memory a block", bytes(row.shared_bytes), row.shared_bytes],
          ["shared memory of the SM", bytes(row.carveout_bytes), row.carveout_bytes],
          ["blocks an SM", number(row.blocks_per_sm), row.blocks_per_sm],
          ["warps an SM has room for", number(row.warps_per_sm), row.warps_per_sm],
        ]),
      ),
    );
    section.setQueries(queriesOf(report, ["occupancy", "attributes"]));
  };
  return section;
}

function limiter(row) {
  return limits.find(([, , word]) => word === row.limiter)?.[0] ?? String(row.limiter).replaceAll("_", " ");
}

function sentence(row) {
  return (
    `${number(row.blocks_per_sm)} blocks of ${number(row.threads)} threads fit on an SM, ` +
    `${percent(row.theoretical_pct)} of its ` +
    `warps; ${limiter(row)} keep more off it. On average ${percent(row.achieved_pct)} were there.`
  );
}
