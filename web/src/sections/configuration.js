// The simulated configuration: runs, notes, and every value of the GPU description with its source line.
import { h, newId, replace } from "../dom.js";
import { number } from "../format.js";
import { Section } from "../section.js";
import { DataTable, plainColumns } from "../table.js";
import { queriesOf } from "../query.js";

const indexes = (table) => Array.from({ length: table.length }, (_, row) => row);

export function configuration(report) {
  const section = new Section(
    "configuration",
    "Runs and GPU configuration",
    "Runs, their GPU descriptions, and the source of each value.",
  );
  const parts = report.databases.flatMap((database) => runParts(report, database, section));
  section.show(parts, configurations(report, section));
  section.setQueries(queriesOf(report, ["runs", "run_host", "notes"]));
  return section;
}

function runParts(report, database, section) {
  const { runs, notes, run_host: hosts } = database.tables;
  const commands = new Map(indexes(hosts).map((row) => [hosts.at(row, "run_id"), hosts.row(row)]));
  const columns = [
    ["run", "name"],
    ["source", "source"],
    ["status", "status"],
    ["GPU", "gpu"],
    ["trace", "trace"],
    ["trace hash", "trace_hash"],
    ["description", "config_file"],
    ["description hash", "config_hash"],
    ["caches", "cache_control"],
    ["launches", "launches"],
    ["max. cycles", "max_cycles"],
    ["version", "version"],
  ].map(([label, name]) => ({
    label,
    kind: "text",
    value: (row) => runs.at(row, name),
    text: (row) => number(runs.at(row, name)),
  }));
  for (const [label, name] of [
    ["build", "build"],
    ["started", "started"],
    ["host seconds", "seconds"],
    ["command", "command"],
  ]) {
    const value = (row) => commands.get(runs.at(row, "run_id"))?.[name] ?? null;
    columns.push({ label, kind: name === "seconds" ? "number" : "text", value });
  }
  const table = section.table(
    new DataTable({
      caption: report.several ? `Runs of ${database.path}` : "Runs",
      rows: indexes(runs),
      columns,
      search: "Search runs",
    }),
  );
  return [table.element, noteList(runs, notes)];
}

// Runs often have equal notes: each note is shown once, with its runs.
function noteList(runs, notes) {
  const names = new Map(indexes(runs).map((row) => [runs.at(row, "run_id"), runs.at(row, "name")]));
  const byText = new Map();
  for (const row of indexes(notes)) {
    const text = notes.at(row, "note");
    byText.set(text, [...(byText.get(text) ?? []), names.get(notes.at(row, "run_id"))]);
  }
  if (byText.size === 0) {
    return h("p", { class: "remark" }, "The runs have no notes.");
  }
  return h(
    "div",
    {},
    h("h3", {}, "Notes"),
    h(
      "ul",
      {},
      [...byText].map(([text, of]) => h("li", {}, h("b", {}, of.join(", ")), `: ${text}`)),
    ),
  );
}

function configurations(report, section) {
  const choices = report.databases.flatMap((database) =>
    database.configs.map((config) => ({
      table: config.table,
      label: `${report.several ? `${database.label}: ` : ""}${nameOf(database, config)}`,
    })),
  );
  if (choices.length === 0) {
    return h("p", { class: "how" }, "No GPU description is stored: runs measured on hardware have none.");
  }
  const place = h("div");
  const show = (choice) => {
    const table = choice.table;
    const view = section.table(
      new DataTable({
        caption: `Description in effect: ${choice.label}`,
        rows: indexes(table),
        search: "Search keys, values and origins",
        columns: [
          { label: "section", kind: "text", value: (row) => group(table.at(row, "path")) },
          ...plainColumns(table, { path: "key" }),
        ],
        rowClass: (row) =>
          row > 0 && group(table.at(row, "path")) !== group(table.at(row - 1, "path")) ? "begin" : undefined,
      }),
    );
    replace(
      place,
      view.element,
      h("details", { class: "query" }, h("summary", {}, "SQL"), h("pre", {}, `${table.sql};`)),
    );
  };
  show(choices[0]);
  const id = newId("config");
  const select = h(
    "select",
    { id },
    choices.map((choice, index) => h("option", { value: index }, choice.label)),
  );
  select.addEventListener("change", () => show(choices[Number(select.value)]));
  return h(
    "div",
    {},
    h("h3", {}, "GPU configuration"),
    choices.length > 1 && h("p", {}, h("label", { for: id }, "Description "), select),
    place,
  );
}

function group(path) {
  const parts = path.split(".");
  return parts.length > 2 ? parts.slice(0, 2).join(".") : parts.length > 1 ? parts[0] : "general";
}

function nameOf(database, config) {
  const runs = database.tables.runs;
  const rows = indexes(runs).filter((row) => config.runs.includes(runs.at(row, "run_id")));
  const names = rows.map((row) => runs.at(row, "name"));
  const few = names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
  return `${runs.at(rows[0], "gpu")} (${few})`;
}
