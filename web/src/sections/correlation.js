// Simulated and measured values: a scatter plot of one metric, and the errors of all.
import { axis, Chart, lines, tooltip } from "../chart.js";
import { h, newId } from "../dom.js";
import { digits, number, share } from "../format.js";
import { legendList } from "../legend.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";
import { color, palette } from "../theme.js";

const FIRST = "gpc__cycles_elapsed.max";

export function correlation(report, store) {
  const section = new Section(
    "correlation",
    "Against hardware",
    "An error is relative to hardware; if hardware counts less than 1,000 (.sum, .avg, .max, .min) it is the " +
      "difference / 1,000, " +
      "and for percentages (.pct) it is in points. Percentiles are interpolated linearly.",
  );
  const points = pointsOf(report);
  if (points.size === 0) {
    section.missing(
      "No measurements: warpsim correlate results.db --hardware measured.csv adds those of Nsight Compute.",
    );
    return section;
  }
  const names = [...points.keys()];
  let metric = points.has(FIRST) ? FIRST : names[0];
  const id = newId("metric");
  const select = h(
    "select",
    { id },
    names.map((name) => h("option", { value: name, selected: name === metric }, name)),
  );
  const chart = section.chart(
    new Chart(
      "",
      420,
      () => option(points.get(metric), metric),
      (event) => {
        const point = pointOf(points.get(metric), event);
        if (point) {
          store.select(point.launch);
        }
      },
    ),
  );
  const launches = section.table(launchTable(points.get(metric)));
  const choose = (name) => {
    metric = name;
    select.value = name;
    chart.setLabel(
      `${metric}: simulated over measured for ${points.get(metric).length} launches; numbers in the table below`,
    );
    chart.draw();
    launches.setRows(points.get(metric));
  };
  select.addEventListener("change", () => choose(select.value));
  choose(metric);
  section.show(
    h("p", {}, h("label", { for: id }, "Metric "), select),
    legendList(
      [
        { color: palette[0], name: "launches", mark: "circle" },
        { color: "var(--muted)", name: "equal", mark: "line" },
        { color: "var(--muted)", name: "± 20 %", mark: "dashes" },
      ],
      "marks",
    ),
    chart.element,
    launches.element,
    report.databases.map((database) => errorTable(section, report, database, choose)),
  );
  section.setQueries(queriesOf(report, ["errors", "error_points"]));
  return section;
}

function pointsOf(report) {
  const points = new Map();
  for (const database of report.databases) {
    const table = database.tables.error_points;
    const launches = new Map(
      report.simulated.filter((launch) => launch.database === database).map((launch) => [launch.id, launch]),
    );
    for (let row = 0; row < table.length; ++row) {
      const point = table.row(row);
      point.launch = launches.get(`${point.run_id}/${point.launch_index}`);
      if (points.has(point.metric)) {
        points.get(point.metric).push(point);
      } else {
        points.set(point.metric, [point]);
      }
    }
  }
  return points;
}

const unit = (metric) => (metric.includes(".pct") ? "points" : "%");

function launchTable(points) {
  return new DataTable({
    caption: "Errors by launch",
    rows: points,
    search: "Search launches",
    columns: [
      { label: "launch", kind: "text", value: (point) => point.launch.label },
      { label: "kernel", kind: "text", value: (point) => point.launch.kernel },
      { label: "hardware", kind: "number", value: (point) => point.hardware },
      { label: "simulated", kind: "number", value: (point) => point.simulated },
      { label: "error", kind: "number", value: (point) => point.error, text: (point) => share(point.error) },
    ],
  });
}

function errorTable(section, report, database, choose) {
  const table = database.tables.errors;
  if (table.length === 0) {
    return null;
  }
  const error = (label, name) => ({
    label,
    title: name,
    kind: "number",
    value: (row) => table.at(row, name),
    text: (row) =>
      table.at(row, name) === null ? "–" : `${digits(100 * table.at(row, name), 1)} ${unit(table.at(row, "metric"))}`,
  });
  return section.table(
    new DataTable({
      caption: report.several ? `Errors by metric, ${database.label}` : "Errors by metric",
      rows: Array.from({ length: table.length }, (_, row) => row),
      search: "Search metrics",
      columns: [
        {
          label: "metric",
          kind: "text code",
          value: (row) => table.at(row, "metric"),
          cell: (row) =>
            h(
              "button",
              { type: "button", class: "link", onclick: () => choose(table.at(row, "metric")) },
              table.at(row, "metric"),
            ),
        },
        { label: "launches", kind: "number", value: (row) => table.at(row, "launches") },
        error("mean |error|", "mean_absolute_error"),
        error("median", "median_absolute_error"),
        error("90 %", "p90_absolute_error"),
        error("worst", "worst_absolute_error"),
        error("mean error", "mean_error"),
        {
          label: "Pearson",
          kind: "number",
          value: (row) => table.at(row, "pearson"),
          text: (row) => digits(table.at(row, "pearson"), 3),
        },
        {
          label: "hw 0",
          title: "launches without an error because hardware is 0",
          kind: "number",
          value: (row) => table.at(row, "hardware_zero"),
        },
        { label: "worst launch", kind: "text", value: (row) => table.at(row, "worst_launch") },
      ],
    }),
  ).element;
}

const isPositive = (point) => point.hardware > 0 && point.simulated > 0;

// The point of a chart event. Points are not part of the chart's data, because the chart copies its data deeply.
function pointOf(points, event) {
  return event.seriesName === "launches" ? points.filter(isPositive)[event.dataIndex] : undefined;
}

function option(points, metric) {
  const positive = points.filter(isPositive);
  const values = positive.flatMap((point) => [point.hardware, point.simulated]);
  const low = 10 ** Math.floor(Math.log10(Math.min(...values, 1e300)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values, 1e-300)));
  const guide = (name, factor, type) => ({
    type: "line",
    name,
    data: [
      [low, low * factor],
      [high, high * factor],
    ],
    showSymbol: false,
    silent: true,
    lineStyle: { width: 1, type, color: color("muted") },
    itemStyle: { color: color("muted") },
  });
  return {
    grid: { left: 80, right: 30, top: 15, bottom: 50 },
    tooltip: tooltip((event) => {
      const point = pointOf(points, event);
      return point
        ? lines(
            point.launch.label,
            point.launch.kernel,
            `hardware ${number(point.hardware)}`,
            `simulated ${number(point.simulated)}`,
            `error ${share(point.error)}`,
          )
        : "";
    }),
    xAxis: { type: "log", min: low, max: high, ...axis(`hardware, ${metric}`) },
    yAxis: { type: "log", min: low, max: high, ...axis("simulated", { nameGap: 56 }) },
    series: [
      guide("equal", 1, "solid"),
      guide("+20 %", 1.2, "dotted"),
      guide("-20 %", 0.8, "dotted"),
      {
        type: "scatter",
        name: "launches",
        symbolSize: 9,
        itemStyle: { color: palette[0], opacity: 0.8 },
        data: positive.map((point) => [point.hardware, point.simulated]),
        z: 5,
      },
    ],
  };
}
