// Instructions a second over instructions a byte, against what DRAM, L2 and the schedulers allow.
import { axis, Chart, legend, lines, tooltip } from "../chart.js";
import { h } from "../dom.js";
import { number, percent, scaled } from "../format.js";
import { queriesOf } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";
import { color, palette } from "../theme.js";

const levels = [
  { name: "DRAM", intensity: "warp_inst_per_dram_byte", peak: "dram_peak_gb_per_s", symbol: "circle" },
  { name: "L2", intensity: "warp_inst_per_l2_byte", peak: "l2_peak_gb_per_s", symbol: "diamond" },
];

export function roofline(report, store) {
  const section = new Section(
    "roofline",
    "Roofline",
    "Each launch twice: by the bytes that it moved to and from DRAM, and to and from L2. The flat roof is what the " +
      "schedulers can issue, the slopes are the bandwidths. Work is counted in instructions of warps, so that " +
      "kernels of any kind compare.",
  );
  const points = pointsOf(report);
  if (points.length === 0) {
    section.missing("A roofline needs simulated launches: warpsim run TRACE --gpu GPU --out results.db.");
    return section;
  }
  let selected;
  const chart = section.chart(
    new Chart(
      label(points),
      420,
      () => option(points, selected),
      (event) => {
        const point = pointOf(points, event);
        if (point) {
          store.select(point.launch);
        }
      },
    ),
  );
  const table = section.table(
    new DataTable({
      caption: "Points of the roofline",
      rows: points.filter((point) => point.level === levels[0]),
      columns: [
        { label: "launch", kind: "text", value: (point) => point.launch.label },
        { label: "10^9 warp instructions/s", kind: "number", value: (point) => point.row.warp_ginst_per_s },
        {
          label: "of peak",
          kind: "number",
          value: (point) => (100 * point.row.warp_ginst_per_s) / point.row.peak_warp_ginst_per_s,
        },
        { label: "instructions a DRAM byte", kind: "number", value: (point) => point.row.warp_inst_per_dram_byte },
        { label: "instructions an L2 byte", kind: "number", value: (point) => point.row.warp_inst_per_l2_byte },
        { label: "DRAM GB/s", kind: "number", value: (point) => point.row.dram_gb_per_s },
        { label: "L2 GB/s", kind: "number", value: (point) => point.row.l2_gb_per_s },
      ],
    }),
  );
  section.show(chart.element, h("details", { class: "data" }, h("summary", {}, "Numbers of the chart"), table.element));
  section.setQueries(queriesOf(report, ["facts"]));
  section.update = (launch) => {
    selected = launch;
    chart.draw();
  };
  return section;
}

function pointsOf(report) {
  const points = [];
  for (const launch of report.simulated) {
    const row = launch.database.tables.facts.rowOf(launch);
    for (const level of levels) {
      if (row[level.intensity] > 0 && row.warp_ginst_per_s > 0) {
        points.push({ launch, row, level });
      }
    }
  }
  return points;
}

function label(points) {
  const launches = new Set(points.map((point) => point.launch)).size;
  return `Roofline: ${launches} launches by instructions a second over instructions a byte; numbers in the table below`;
}

// One roof a GPU: launches of several descriptions have several.
function roofs(points, low, high) {
  const seen = new Map();
  for (const { launch, row } of points) {
    seen.set(`${launch.gpu} ${row.peak_warp_ginst_per_s} ${row.dram_peak_gb_per_s} ${row.l2_peak_gb_per_s}`, {
      launch,
      row,
    });
  }
  const many = seen.size > 1;
  const series = [];
  let place = 0;
  for (const { launch, row } of seen.values()) {
    const name = many ? ` ${launch.gpu}` : "";
    for (const [index, level] of levels.entries()) {
      const bandwidth = row[level.peak];
      if (bandwidth > 0) {
        const ridge = row.peak_warp_ginst_per_s / bandwidth;
        series.push({
          type: "line",
          name: `${level.name} ${number(bandwidth)} GB/s${name}`,
          data: [
            [low, low * bandwidth],
            [ridge, row.peak_warp_ginst_per_s],
            [Math.max(high, ridge), row.peak_warp_ginst_per_s],
          ],
          showSymbol: false,
          silent: true,
          lineStyle: { width: 2, type: index === 0 ? "solid" : "dashed", color: palette[place % palette.length] },
          itemStyle: { color: palette[place % palette.length] },
        });
        place += 1;
      }
    }
  }
  return series;
}

const seriesName = (level) => `launches, ${level.name}`;

// The point that an event of the chart is about. Points are no part of the chart's data: it copies all that hangs on
// those.
function pointOf(points, event) {
  const level = levels.find((candidate) => seriesName(candidate) === event.seriesName);
  return level && points.filter((point) => point.level === level)[event.dataIndex];
}

function option(points, selected) {
  const x = points.map((point) => point.row[point.level.intensity]);
  const y = points.map((point) => point.row.warp_ginst_per_s);
  const low = 10 ** Math.floor(Math.log10(Math.min(...x, 0.01)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...x, 10)));
  const floor = 10 ** Math.floor(Math.log10(Math.min(...y)));
  const scatter = levels.map((level, index) => ({
    type: "scatter",
    name: seriesName(level),
    symbol: level.symbol,
    itemStyle: { color: palette[index] },
    data: points
      .filter((point) => point.level === level)
      .map((point) => ({
        value: [point.row[level.intensity], point.row.warp_ginst_per_s],
        symbolSize: point.launch === selected ? 16 : 9,
        itemStyle: point.launch === selected ? { borderColor: color("ink"), borderWidth: 2 } : { opacity: 0.75 },
      })),
    z: 5,
  }));
  return {
    grid: { left: 70, right: 30, top: 40, bottom: 50 },
    legend: legend(),
    tooltip: tooltip((event) => {
      const point = pointOf(points, event);
      const [intensity, speed] = event.value;
      const peak = point?.row.peak_warp_ginst_per_s;
      return point
        ? lines(
            point.launch.label,
            point.launch.kernel,
            `${scaled(speed * 1e9, "warp inst/s")}, ${percent((100 * speed) / peak)} of peak`,
            `${number(intensity)} instructions a byte of ${point.level.name}`,
          )
        : "";
    }),
    xAxis: { type: "log", min: low, max: high, ...axis("warp instructions a byte") },
    yAxis: { type: "log", min: floor, ...axis("10^9 warp instructions a second", { nameGap: 48 }) },
    series: [...roofs(points, low, high), ...scatter],
  };
}
