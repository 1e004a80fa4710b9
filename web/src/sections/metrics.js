// Every metric of the launch, under Nsight Compute's name, with its meaning and the reason if it has no value.
import { h } from "../dom.js";
import { number, percent } from "../format.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";

export function metrics(report) {
  const section = new Section("metrics", "All metrics of the launch", "Names, units and scale as in Nsight Compute.");
  section.update = (launch) => {
    const rows = rowsOf(report, launch);
    if (rows.every((row) => row.value === null && row.measured === undefined)) {
      section.missing("This launch has no metrics: its run ended before the launch was complete.");
      return;
    }
    section.present();
    const measured = rows.some((row) => row.measured !== undefined);
    const columns = [
      { label: "metric", kind: "text code", value: (row) => row.metric },
      { label: launch.hardware ? "measured" : "simulated", kind: "number", value: (row) => row.value },
      measured && { label: "measured", kind: "number", value: (row) => row.measured },
      measured && { label: "difference", kind: "number", value: difference, text: (row) => percent(difference(row)) },
      { label: "unit", kind: "text", value: (row) => row.unit },
      { label: "meaning", kind: "text", value: (row) => row.description, hint: (row) => row.description },
      {
        label: "from",
        kind: "text code",
        value: (row) => row.reason ?? row.formula ?? "",
        hint: (row) => row.reason ?? row.formula,
      },
    ].filter(Boolean);
    const table = section.table(
      new DataTable({ caption: `Metrics of ${launch.label}`, rows, columns, search: "Search metrics" }),
    );
    section.show(h("div", {}, table.element));
    section.setQueries(queriesOf(report, ["metrics", "metric_names"]));
  };
  return section;
}

function difference(row) {
  const known = typeof row.value === "number" && typeof row.measured === "number" && row.measured !== 0;
  return known ? (100 * (row.value - row.measured)) / row.measured : null;
}

export function valuesOf(launch) {
  const table = launch.database.tables.metrics;
  return new Map(table.rowsOf(launch).map((row) => [table.at(row, "metric"), table.at(row, "value")]));
}

function rowsOf(report, launch) {
  const names = launch.database.tables.metric_names;
  const values = valuesOf(launch);
  const partner = report.launches.find(
    (other) =>
      other.hardware &&
      !launch.hardware &&
      other.database === launch.database &&
      other.run_name === launch.run_name &&
      other.launch_index === launch.launch_index,
  );
  const measured = partner ? valuesOf(partner) : new Map();
  return Array.from({ length: names.length }, (_, row) => names.row(row)).map((row) => ({
    ...row,
    value: values.get(row.metric) ?? null,
    measured: measured.get(row.metric),
  }));
}
