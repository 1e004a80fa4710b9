// The page: unpacks the document, builds the sections, keeps them at the launch that is chosen.
import { Pack } from "./codec.js";
import { h, newId, replace } from "./dom.js";
import { startLive } from "./live.js";
import { Report } from "./model.js";
import { startPaper } from "./paper.js";
import { startTheme, toggleTheme } from "./theme.js";
import { comparison } from "./sections/comparison.js";
import { configuration } from "./sections/configuration.js";
import { correlation } from "./sections/correlation.js";
import { hotspots } from "./sections/hotspots.js";
import { launches } from "./sections/launches.js";
import { memory } from "./sections/memory.js";
import { metrics } from "./sections/metrics.js";
import { occupancy } from "./sections/occupancy.js";
import { roofline } from "./sections/roofline.js";
import { series } from "./sections/series.js";
import { stalls } from "./sections/stalls.js";
import { summary } from "./sections/summary.js";

const builders = [
  summary,
  launches,
  occupancy,
  roofline,
  stalls,
  memory,
  series,
  hotspots,
  metrics,
  comparison,
  correlation,
  configuration,
];

class Page {
  constructor(root) {
    this.root = root;
    this.sections = [];
    this.live = h("span", { class: "remark", role: "status" });
  }
  // Shows a document; what was chosen stays chosen.
  async show(pack) {
    const report = new Report(await pack.document(), pack);
    const wanted = this.store?.launch?.key ?? decodeURIComponent(location.hash.slice(1).split("&launch=")[1] ?? "");
    const top = window.scrollY;
    const searches = this.searches();
    this.sections.forEach((section) => section.close());
    this.report = report;
    this.store = { launch: undefined, select: (launch) => this.select(launch) };
    this.sections = builders.map((build) => build(report, this.store));
    this.layout();
    this.restore(searches);
    const longest = report.simulated.reduce(
      (best, launch) => (!best || (launch.time_us ?? 0) > (best.time_us ?? 0) ? launch : best),
      undefined,
    );
    const first = report.launches.find((launch) => launch.key === wanted) ?? longest ?? report.launches[0];
    if (first) {
      this.select(first);
    } else {
      this.sections
        .filter((section) => section.body.childNodes.length === 0)
        .forEach((section) => section.missing("No launch yet."));
    }
    window.scrollTo(0, top);
    document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready ?? 0) + 1);
  }
  searches() {
    return this.sections.map((section) => section.tables.map((table) => ({ filter: table.filter, sort: table.sort })));
  }
  restore(all) {
    all.forEach((tables, place) =>
      tables.forEach((old, index) => {
        const table = this.sections[place].tables[index];
        if (table?.input && (old.filter || old.sort)) {
          table.input.value = old.filter;
          table.filter = old.filter;
          table.sort = old.sort ?? table.sort;
          table.refresh();
        }
      }),
    );
  }
  select(launch) {
    this.store.launch = launch;
    this.picker.value = String(this.report.launches.indexOf(launch));
    for (const section of this.sections) {
      section.tables = section.tables.filter((table) => table.element.isConnected);
      Promise.resolve(section.update(launch)).catch((error) => {
        section.missing(`This section cannot be shown: ${error.message}`);
        console.error(error);
      });
    }
  }
  step(by) {
    const all = this.report.launches;
    const place = all.indexOf(this.store.launch) + by;
    if (place >= 0 && place < all.length) {
      this.select(all[place]);
    }
  }
  layout() {
    document.title = this.report.title;
    replace(
      this.root,
      h("a", { class: "skip", href: "#summary" }, "Skip to the summary"),
      h(
        "header",
        {},
        h("h1", {}, this.report.title),
        this.pickerRow(),
        h("span", { class: "end" }, this.live, this.themeButton()),
      ),
      h(
        "nav",
        { "aria-label": "sections" },
        h(
          "ol",
          {},
          this.sections.map((section) => h("li", {}, h("a", { href: `#${section.id}` }, section.title))),
        ),
      ),
      h(
        "main",
        {},
        this.sections.map((section) => section.element),
      ),
      h(
        "footer",
        {},
        `Made by ${this.report.program} from ${this.report.databases.map((database) => database.path).join(", ")}`,
      ),
    );
  }
  pickerRow() {
    const id = newId("launch");
    this.picker = h(
      "select",
      { id },
      this.report.launches.map((launch, place) =>
        h("option", { value: place }, `${launch.label}  ${launch.kernel}${launch.hardware ? " (hardware)" : ""}`),
      ),
    );
    this.picker.addEventListener("change", () => this.select(this.report.launches[Number(this.picker.value)]));
    return h(
      "span",
      { class: "picker" },
      h("label", { for: id }, "Launch "),
      this.picker,
      h("button", { type: "button", "aria-label": "previous launch", onclick: () => this.step(-1) }, "‹"),
      h("button", { type: "button", "aria-label": "next launch", onclick: () => this.step(1) }, "›"),
    );
  }
  themeButton() {
    return h("button", { type: "button", id: "theme", onclick: toggleTheme }, "Light / dark");
  }
}

async function start() {
  startTheme();
  const root = document.getElementById("report");
  const data = document.getElementById("document");
  const page = new Page(root);
  try {
    const pack = new Pack(data.textContent);
    data.remove();
    await page.show(pack);
  } catch (error) {
    replace(root, h("p", { role: "alert" }, `This report cannot be shown: ${error.message}`));
    throw error;
  }
  startPaper(() => page.sections);
  startLive(page);
}

start();
