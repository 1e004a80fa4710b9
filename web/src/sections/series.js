// The launch over time: lines of the whole GPU, and maps of its SMs, L2 slices and DRAM channels.
import { h, newId, replace } from "../dom.js";
import { fromPlanes } from "../codec.js";
import { number } from "../format.js";
import { HeatMap } from "../heatmap.js";
import { columnLabel, reasonLabel } from "../labels.js";
import { LinePlot } from "../lineplot.js";
import { queryDisclosure } from "../query.js";
import { Section } from "../section.js";
import { palette, reasonColor } from "../theme.js";
import { Zoom } from "../zoom.js";
import { Pyramid } from "../pyramid.js";

const groups = [
  ["Warp instructions per cycle", ["ipc"]],
  ["Warps", ["active_warps", "eligible_warps"]],
  ["Bandwidth, GB/s", ["l1_fill_gb_per_s", "l2_gb_per_s", "dram_read_gb_per_s", "dram_write_gb_per_s"]],
  ["Hit rates, %", ["l1_hit_pct", "l2_hit_pct", "dram_row_hit_pct"]],
  ["Shared memory, passes per cycle", ["shared_wavefronts_per_cycle", "shared_conflicts_per_cycle"]],
  ["Queues, waiting requests", ["lsu_queue", "l2_queue", "dram_queue"]],
];

export function series(report) {
  const section = new Section(
    "series",
    "Over time",
    "Drag over a chart, turn the wheel, or use the buttons to zoom; all charts show the same time. " +
      "Lines show the minimum and maximum of the samples of a pixel.",
  );
  let parts = [];
  let shown = null;
  const clear = () => {
    parts.forEach((part) => part.close());
    parts = [];
  };
  section.update = async (launch) => {
    shown = launch;
    const entry = launch.database.series.get(launch.id);
    if (!entry) {
      clear();
      section.missing("No time series of this launch: warpsim run ... --sample-interval CYCLES records them.");
      return;
    }
    const { points, columns } = entry.lines;
    const bytes = await report.pack.blob(entry.lines.blob);
    if (shown !== launch) {
      return; // another launch was selected meanwhile
    }
    clear();
    section.present();
    const cycles = fromPlanes(bytes, 0, points, Float64Array);
    const values = new Map(
      columns.map((name, place) => [name, fromPlanes(bytes, points * (8 + 4 * place), points, Float32Array)]),
    );
    const zoom = new Zoom(cycles);
    const views = linePlots(zoom, values);
    const maps = entry.maps.length > 0 ? new Maps(report, entry, zoom) : null;
    parts = maps ? [...views, maps] : views;
    section.parts = { zoom, views, maps };
    section.show(
      h("p", {}, about(entry)),
      zoom.buttons(),
      views.map((view) => view.element),
      maps?.element,
      summaryTable(values),
    );
    views.forEach((view) => view.start());
    maps?.start();
    replace(
      section.queries,
      queryDisclosure([
        { sql: entry.lines.sql, label: "Lines" },
        ...entry.maps.map((map) => ({ sql: map.sql, label: map.title })),
      ]),
    );
  };
  section.close = clear;
  return section;
}

function about(entry) {
  const whole = entry.cycles_per_point === 0;
  return whole
    ? `${number(entry.samples)} samples.`
    : `${number(entry.samples)} samples; a point is the mean of those in ${number(entry.cycles_per_point)} cycles ` +
        "(report --series-points keeps more).";
}

function linePlots(zoom, values) {
  const plots = [];
  for (const [title, names] of groups) {
    const present = names.filter((name) => values.has(name));
    if (present.length > 0) {
      plots.push(
        new LinePlot(
          title,
          zoom,
          present.map((name, place) => line(columnLabel(name), values.get(name), palette[place])),
        ),
      );
    }
  }
  const reasons = [...values.keys()].filter(
    (name) => name.startsWith("warps_") && values.get(name).some((value) => value > 0),
  );
  if (reasons.length > 0) {
    const lines = reasons.map((name) => line(reasonLabel(name.slice(6)), values.get(name), reasonColor(name.slice(6))));
    plots.splice(2, 0, new LinePlot("Resident warps by stall reason, stacked", zoom, lines, true));
  }
  return plots;
}

const line = (name, values, color) => ({ name, pyramid: new Pyramid(values), color });

const seriesLabel = (name) => (name.startsWith("warps_") ? `warps: ${reasonLabel(name.slice(6))}` : columnLabel(name));

// A plain loop: there may be a million of them.
function meanAndGreatest([name, values]) {
  let sum = 0;
  let count = 0;
  let greatest = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i];
    if (value === value) {
      sum += value;
      count += 1;
      greatest = value > greatest ? value : greatest;
    }
  }
  return [name, count > 0 ? sum / count : null, greatest];
}

// A table with the content of the charts, for screen readers.
function summaryTable(values) {
  const rows = [...values].filter(([name]) => name !== "cycles" && name !== "time_us").map(meanAndGreatest);
  return h(
    "details",
    { class: "data" },
    h("summary", {}, "Mean and maximum values"),
    h(
      "div",
      { class: "window" },
      h(
        "table",
        { class: "data" },
        h("caption", { class: "offscreen" }, "Mean and maximum values over time"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["series", "mean", "greatest"].map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          {},
          rows
            .filter(([, mean]) => mean !== null)
            .map(([name, mean, greatest]) =>
              h(
                "tr",
                {},
                h("td", {}, seriesLabel(name)),
                h("td", { class: "number" }, number(mean)),
                h("td", { class: "number" }, number(greatest)),
              ),
            ),
        ),
      ),
    ),
  );
}

// One map at a time, selected by name.
class Maps {
  constructor(report, entry, zoom) {
    this.report = report;
    this.entry = entry;
    this.zoom = zoom;
    const id = newId("map");
    this.select = h(
      "select",
      { id },
      entry.maps.map((map, place) => h("option", { value: place }, map.title)),
    );
    this.select.addEventListener("change", () => this.show(Number(this.select.value)));
    this.place = h("div");
    this.element = h("div", {}, h("p", {}, h("label", { for: id }, "Map "), this.select), this.place);
  }
  start() {
    return this.show(0);
  }
  async show(index) {
    this.wanted = index;
    const map = this.entry.maps[index];
    const [cycles, cells] = await Promise.all([
      this.report.pack.blob(map.cycles_blob),
      this.report.pack.blob(map.blob),
    ]);
    if (this.wanted !== index) {
      return;
    }
    this.view?.close();
    this.view = new HeatMap(map, fromPlanes(cycles, 0, map.points, Float64Array), cells, this.zoom);
    replace(this.place, this.view.element);
    this.view.start();
  }
  close() {
    this.wanted = -1;
    this.view?.close();
  }
}
