// A million samples of SMs in a database whose first launch has none yet: one SQL statement per
// table.
import { execFileSync } from "node:child_process";

function columnsOf(database, table) {
  const text = execFileSync("sqlite3", [database, `SELECT name FROM pragma_table_info('${table}')`], {
    encoding: "utf8",
  });
  return text.trim().split("\n");
}

// Busy and idle phases, with one sample in a thousand far above the others.
const values = {
  run_id: "1",
  launch_index: "0",
  cycle: "100 * (i + 1)",
  cycles: "100",
  instance: "j",
  instructions: "(i * 37 + j * 11) % 90 + 100 * ((i / 500) % 2) + 4000 * (i % 1000 = 0)",
  stalled_selected: "(i * 37) % 90",
  stalled_long_scoreboard: "1000 + (i * i) % 700",
  stalled_barrier: "(i / 3) % 300",
  l1_load_sectors: "200",
  l1_load_hit_sectors: "(i / 7) % 200",
  dram_bytes_read: "32 * ((i * 13) % 1000)",
};

export function fillMillion(database, points, sms) {
  const statements = ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF"];
  for (const [table, instances] of [
    ["sample_device", 1],
    ["sample_sm", sms],
  ]) {
    const expressions = columnsOf(database, table).map((name) => values[name] ?? "0");
    statements.push(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${points - 1}), ` +
        `m(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM m WHERE j < ${instances - 1}) ` +
        `INSERT INTO ${table} SELECT ${expressions.join(", ")} FROM n, m`,
    );
  }
  execFileSync("sqlite3", [database, ...[statements.join("; ")]]);
}
