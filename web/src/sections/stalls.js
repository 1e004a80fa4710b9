// Stall reasons of each launch, per issued instruction.
import { axis, Chart, lines, tooltip } from "../chart.js";
import { h } from "../dom.js";
import { digits } from "../format.js";
import { reasonLabel } from "../labels.js";
import { legendList } from "../legend.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";
import { reasonColor, reasons } from "../theme.js";

const MOST = 60; // bars; more would be thinner than a line of text

export function stalls(report, store) {
  const section = new Section(
    "stalls",
    "Stall reasons",
    "Warps in each state per cycle in which a scheduler issued. Selected is 1: the warp that issued.",
  );
  const launches = report.launches.filter((launch) => launch.database.tables.stalls.rowsOf(launch).length > 0);
  if (launches.length === 0) {
    section.missing(
      "No stall reasons: simulated launches and Nsight Compute's warp state section have them.",
    );
    return section;
  }
  const shown = launches.slice(0, MOST);
  const all = section.chart(
    new Chart(
      `Stall reasons of ${shown.length} launches as stacked bars`,
      60 + 22 * shown.length,
      () => stacked(shown),
      (event) => store.select(shown[event.dataIndex]),
    ),
  );
  const one = h("div");
  section.show(
    one,
    h("h3", {}, launches.length > MOST ? `The first ${MOST} launches` : "All launches"),
    legendList(
      usedReasons(shown).map((reason) => ({ color: reasonColor(reason), name: reasonLabel(reason), mark: "square" })),
      "colours of stall reasons",
    ),
    all.element,
  );
  section.setQueries(queriesOf(report, ["stalls"]));
  section.update = (launch) => {
    one.replaceChildren(oneLaunch(section, launch));
  };
  return section;
}

function valuesOf(launch) {
  const table = launch.database.tables.stalls;
  return new Map(table.rowsOf(launch).map((row) => [table.at(row, "reason"), table.at(row, "warps_per_issue")]));
}

function usedReasons(launches) {
  const values = launches.map(valuesOf);
  return reasons.filter((reason) => values.some((launch) => launch.has(reason)));
}

function stacked(launches) {
  const values = launches.map(valuesOf);
  const used = usedReasons(launches);
  return {
    grid: { left: 10, right: 20, top: 10, bottom: 40, containLabel: true },
    tooltip: tooltip((event) =>
      lines(launches[event.dataIndex].label, `${reasonLabel(event.seriesName)}: ${digits(event.value, 2)} warps`),
    ),
    xAxis: { type: "value", ...axis("warps per issue") },
    yAxis: {
      type: "category",
      inverse: true,
      data: launches.map((launch) => launch.label),
      ...axis("", { splitLine: { show: false } }),
    },
    series: used.map((reason) => ({
      type: "bar",
      name: reason,
      stack: "reasons",
      barMaxWidth: 18,
      itemStyle: { color: reasonColor(reason) },
      data: values.map((launch) => launch.get(reason) ?? 0),
    })),
  };
}

function oneLaunch(section, launch) {
  const values = [...valuesOf(launch)];
  if (values.length === 0) {
    return h("p", { class: "how" }, `${launch.label} has no stall reasons.`);
  }
  const total = values.reduce((sum, [, warps]) => sum + warps, 0);
  const table = section.table(
    new DataTable({
      caption: `Stall reasons of ${launch.label}`,
      rows: values,
      columns: [
        {
          label: "reason",
          kind: "text",
          value: ([reason]) => reason,
          text: ([reason]) => reasonLabel(reason),
          cell: ([reason]) => [swatch(reason), reasonLabel(reason)],
        },
        {
          label: "warps per issue",
          kind: "number",
          value: ([, warps]) => warps,
          text: ([, warps]) => digits(warps, 3),
        },
        {
          label: "of the warps' time",
          kind: "number",
          value: ([, warps]) => (100 * warps) / total,
          text: ([, warps]) => `${digits((100 * warps) / total, 1)} %`,
        },
        {
          label: "",
          kind: "text wide",
          value: ([, warps]) => warps,
          text: () => "",
          cell: ([reason, warps]) =>
            h("span", {
              class: "inline",
              style: { width: `${(100 * warps) / values[0][1]}%`, background: reasonColor(reason) },
            }),
        },
      ],
    }),
  );
  return table.element;
}

function swatch(reason) {
  return h("span", { class: "swatch", style: { background: reasonColor(reason) }, "aria-hidden": "true" });
}
