// Work per second over work per byte, with the limits of DRAM, L2 and the execution units.
import { axis, Chart, lines, tooltip } from "../chart.js";
import { h, newId, replace } from "../dom.js";
import { number, percent, scaled } from "../format.js";
import { legendList } from "../legend.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";
import { color, palette } from "../theme.js";
import { kindsOf, levels, machinesOf } from "./roofline_data.js";

export function roofline(report, store) {
  const section = new Section(
    "roofline",
    "Roofline",
    "Each launch has two points: by the bytes to and from DRAM, and by those to and from L2. The slopes are the " +
      "bandwidths, the flat roofs the peak rates: issue slots for warp instructions, execution units for " +
      "operations by precision, with the rates of the GPU description. Axes are logarithmic.",
  );
  const kinds = kindsOf(report);
  if (kinds.length === 0) {
    section.missing("A roofline requires simulated launches: warpsim run TRACE --gpu GPU --out results.db.");
    return section;
  }
  const view = new View(section, store, kinds);
  section.show(view.element);
  section.setQueries(queriesOf(report, ["facts", "arithmetic"]));
  section.update = (launch) => view.select(launch);
  return section;
}

class View {
  constructor(section, store, kinds) {
    this.section = section;
    this.machines = machinesOf(kinds);
    this.kind = kinds[0];
    const id = newId("work");
    const select = h(
      "select",
      { id },
      kinds.map((kind, place) => h("option", { value: place }, kind.name)),
    );
    select.addEventListener("change", () => {
      this.kind = kinds[Number(select.value)];
      this.show();
    });
    this.chart = section.chart(
      new Chart(
        "",
        420,
        () => option(this.kind, this.machines, this.selected),
        (event) => {
          const point = this.pointOf(event);
          if (point) {
            store.select(point.launch);
          }
        },
      ),
    );
    this.legend = h("div");
    this.numbers = h("div");
    this.element = h(
      "div",
      {},
      h("p", {}, h("label", { for: id }, "Work counted as "), select),
      this.legend,
      this.chart.element,
      h("details", { class: "data" }, h("summary", {}, "Numbers of the chart"), this.numbers),
    );
    this.show();
  }
  select(launch) {
    this.selected = launch;
    this.chart.draw();
  }
  show() {
    const launches = new Set(this.kind.points.map((point) => point.launch)).size;
    this.chart.setLabel(
      `Roofline: ${launches} launches by ${this.kind.name} per second over ${this.kind.name} per byte; numbers in ` +
        "the table below",
    );
    replace(this.legend, legendOf(this.kind, this.machines));
    this.section.tables = this.section.tables.filter((table) => table !== this.table);
    this.table = this.section.table(tableOf(this.kind));
    replace(this.numbers, this.table.element);
    this.chart.draw();
  }
  pointOf(event) {
    return pointOf(this.kind, event);
  }
}

function legendOf(kind, machines) {
  const used = new Set(kind.points.map((point) => point.machine));
  const roof = (machine) => {
    const of = kind.points.find((point) => point.machine === machine);
    return `${machine}: ${rate(of.peak, kind)}, DRAM ${bandwidth(of, 0)}, L2 ${bandwidth(of, 1)}`;
  };
  return legendList(
    [
      ...machines
        .map((machine, place) => ({ machine, color: palette[place % palette.length] }))
        .filter(({ machine }) => used.has(machine))
        .map(({ machine, color }) => ({ color, name: roof(machine), mark: "square" })),
      { color: "var(--muted)", name: "by bytes of DRAM", mark: "circle" },
      { color: "var(--muted)", name: "DRAM roof", mark: "line" },
      { color: "var(--muted)", name: "by bytes of L2", mark: "diamond" },
      { color: "var(--muted)", name: "L2 roof", mark: "dashes" },
    ],
    "GPUs, and levels of memory",
  );
}

// Of values in 10^9 per second: "66.9 TFLOP/s", "331.5 G warp inst/s".
const rate = (value, kind) => scaled(value * 1e9, kind.rateUnit.includes(" ") ? ` ${kind.rateUnit}` : kind.rateUnit);

const bandwidth = (point, level) =>
  point.bandwidths[level] > 0 ? scaled(point.bandwidths[level] * 1e9, "B/s") : "unknown";

function tableOf(kind) {
  const rows = kind.points.filter((point) => point.level === levels[0] || !point.hasDram);
  return new DataTable({
    caption: "Points of the roofline",
    rows,
    columns: [
      { label: "launch", kind: "text", value: (point) => point.launch.label },
      { label: "GPU", kind: "text", value: (point) => point.launch.gpu },
      { label: `10^9 ${kind.rateUnit}`, kind: "number", value: (point) => point.speed },
      {
        label: "of peak, %",
        kind: "number",
        value: (point) => (100 * point.speed) / point.peak,
        text: (point) => percent((100 * point.speed) / point.peak),
      },
      { label: `${kind.unit} per DRAM byte`, kind: "number", value: (point) => point.intensities[0] },
      { label: `${kind.unit} per L2 byte`, kind: "number", value: (point) => point.intensities[1] },
      { label: "DRAM GB/s", kind: "number", value: (point) => point.facts.dram_gb_per_s },
      { label: "L2 GB/s", kind: "number", value: (point) => point.facts.l2_gb_per_s },
    ],
  });
}

// A roof for each GPU and level: launches of several descriptions have several.
function roofs(kind, machines, low, high) {
  const seen = new Map();
  for (const point of kind.points) {
    seen.set(point.machine, point);
  }
  const series = [];
  for (const [machine, { peak, bandwidths }] of seen) {
    for (const [index, level] of levels.entries()) {
      const bandwidth = bandwidths[index];
      if (bandwidth > 0 && peak > 0) {
        const ridge = peak / bandwidth;
        series.push({
          type: "line",
          name: `${machine}, ${level.name} roof`,
          data: [
            [Math.min(low, ridge), Math.min(low, ridge) * bandwidth],
            [ridge, peak],
            [Math.max(high, ridge), peak],
          ],
          showSymbol: false,
          silent: true,
          clip: true,
          lineStyle: { width: 2, type: index === 0 ? "solid" : "dashed", color: colorOf(machines, machine) },
        });
      }
    }
  }
  return series;
}

const colorOf = (machines, machine) => palette[machines.indexOf(machine) % palette.length];
const seriesName = (machine, level) => `${machine}, ${level.name}`;
const pointsIn = (kind, name) => kind.points.filter((point) => seriesName(point.machine, point.level) === name);

// The point of a chart event. Points are not part of the chart's data, because the chart copies its data deeply.
function pointOf(kind, event) {
  return event.seriesType === "scatter" ? pointsIn(kind, event.seriesName)[event.dataIndex] : undefined;
}

function scatters(kind, machines, selected) {
  const names = [...new Set(kind.points.map((point) => seriesName(point.machine, point.level)))];
  return names.map((name) => {
    const points = pointsIn(kind, name);
    return {
      type: "scatter",
      name,
      symbol: points[0].level.symbol,
      itemStyle: { color: colorOf(machines, points[0].machine) },
      data: points.map((point) => ({
        value: [point.intensity, point.speed],
        symbolSize: point.launch === selected ? 16 : 9,
        itemStyle: point.launch === selected ? { borderColor: color("ink"), borderWidth: 2 } : { opacity: 0.8 },
      })),
      z: 5,
    };
  });
}

function option(kind, machines, selected) {
  const x = kind.points.map((point) => point.intensity);
  const ridges = kind.points.map((point) => point.peak / point.bandwidths[0]).filter((ridge) => ridge > 0);
  const low = 10 ** Math.floor(Math.log10(Math.min(...x, ...ridges)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...x, ...ridges) * 1.5));
  const floor = 10 ** Math.floor(Math.log10(Math.min(...kind.points.map((point) => point.speed))));
  return {
    grid: { left: 70, right: 30, top: 15, bottom: 50 },
    tooltip: tooltip((event) => {
      const point = pointOf(kind, event);
      return point
        ? lines(
            point.launch.label,
            point.launch.kernel,
            point.launch.gpu,
            `${rate(point.speed, kind)}, ${percent((100 * point.speed) / point.peak)} of peak`,
            `${number(point.intensity)} ${kind.unit} per byte of ${point.level.name}`,
          )
        : "";
    }),
    xAxis: { type: "log", min: low, max: high, ...axis(`${kind.name} per byte`) },
    yAxis: { type: "log", min: floor, ...axis(`10^9 ${kind.rateUnit}`, { nameGap: 48 }) },
    series: [...roofs(kind, machines, low, high), ...scatters(kind, machines, selected)],
  };
}
