// Charts of Apache ECharts, drawn as SVG: sharp on paper, readable in both themes, with a text alternative for screen
// readers.
import { init, use } from "echarts/core";
import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, MarkLineComponent, TooltipComponent, DataZoomInsideComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";
import { h } from "./dom.js";
import { color, onTheme } from "./theme.js";

use([
  BarChart,
  LineChart,
  ScatterChart,
  GridComponent,
  MarkLineComponent,
  TooltipComponent,
  DataZoomInsideComponent,
  SVGRenderer,
]);

export class Chart {
  // `option()` returns the option of ECharts; it is called again when the theme changes. `label` describes the chart.
  constructor(label, height, option, onClick) {
    this.option = option;
    this.canvas = h("div", { class: "canvas", style: { height: `${height}px` } });
    this.element = h("div", { class: "chart", role: "img", "aria-label": label }, this.canvas);
    this.onClick = onClick;
    this.observer = new ResizeObserver(() => this.sized());
    this.observer.observe(this.canvas);
    this.stop = onTheme(() => this.draw());
  }
  sized() {
    if (this.canvas.clientWidth === 0) {
      return;
    }
    if (!this.chart) {
      this.chart = init(this.canvas, null, { renderer: "svg" });
      this.chart.on("click", (event) => this.onClick?.(event));
      this.draw();
    } else {
      this.chart.resize();
    }
  }
  draw() {
    if (this.chart && this.option) {
      this.chart.setOption({ ...base(), ...this.option() }, { notMerge: true });
    }
  }
  setHeight(height) {
    this.canvas.style.height = `${height}px`;
  }
  setLabel(label) {
    this.element.setAttribute("aria-label", label);
  }
  close() {
    this.observer.disconnect();
    this.stop();
    this.chart?.dispose();
  }
}

function base() {
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: "system-ui, sans-serif", color: color("ink") },
  };
}

export function axis(name, more = {}) {
  return {
    name,
    nameLocation: "middle",
    nameGap: 28,
    nameTextStyle: { color: color("muted") },
    axisLine: { show: true, lineStyle: { color: color("line") } },
    axisLabel: { color: color("muted"), hideOverlap: true },
    splitLine: { lineStyle: { color: color("grid") } },
    minorSplitLine: { show: false },
    ...more,
  };
}

// Elements, never HTML: their text comes from the database.
export function tooltip(content, more = {}) {
  return {
    confine: true,
    backgroundColor: color("paper"),
    borderColor: color("line"),
    textStyle: { color: color("ink"), fontSize: 12 },
    formatter: (point) => content(point),
    ...more,
  };
}

export function lines(...texts) {
  return h(
    "div",
    { class: "tip" },
    texts.filter(Boolean).map((text) => h("div", {}, text)),
  );
}
