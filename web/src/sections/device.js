// What the devices of a run did in their streams: a timeline, the streams, the copies.
import { h, newId, replace } from "../dom.js";
import { bytes, digits, number, time } from "../format.js";
import { Table } from "../model.js";
import { queryDisclosure } from "../query.js";
import { Section } from "../section.js";
import { DataTable } from "../table.js";
import { streamName } from "../timeline/rows.js";
import { TimelineView } from "../timeline/view.js";
import { causes, Work } from "../timeline/work.js";

export function device(report, store) {
  const section = new Section(
    "device",
    "Timeline of the device",
    "Kernels, copies and other work by stream, and what each piece waited for. Drag over the timeline, turn the " +
      "wheel or use the buttons to zoom; with Shift, the wheel moves. Work that is thinner than a pixel is drawn " +
      "together.",
  );
  const runs = report.databases.flatMap((database) =>
    [...database.work.values()].map((entry) => ({ database, entry, name: runName(report, database, entry.run_id) })),
  );
  if (runs.length === 0) {
    section.missing(
      "No run with streams: warpsim exec --cache-control none PROGRAM or warpsim run --streams recorded TRACE makes " +
        "one.",
    );
    return section;
  }
  const shown = new Shown(report, store, section, runs);
  section.update = (launch) => shown.update(launch);
  section.close = () => shown.close();
  if (report.launches.length === 0) {
    shown.show(0);
  }
  return section;
}

function runName(report, database, run) {
  const { runs } = database.tables;
  const name = runs.at(runs.column("run_id").indexOf(run), "name");
  return report.several ? `${database.label}: ${name}` : name;
}

// The run whose timeline is shown.
class Shown {
  constructor(report, store, section, runs) {
    Object.assign(this, { report, store, section, runs });
    this.place = -1;
    const id = newId("run");
    this.select = h(
      "select",
      { id },
      runs.map((run, place) => h("option", { value: place }, run.name)),
    );
    this.select.addEventListener("change", () => this.show(Number(this.select.value)));
    this.picker = runs.length > 1 && h("p", {}, h("label", { for: id }, "Run "), this.select);
    this.content = h("div");
    section.show(this.picker, this.content);
  }
  close() {
    this.view?.close();
  }
  async update(launch) {
    const place = this.runs.findIndex((run) => run.database === launch.database && run.entry.run_id === launch.run_id);
    await this.show(place >= 0 && !launch.hardware ? place : Math.max(0, this.place));
    this.mark(launch);
  }
  // Chooses the work of a launch, if it is in this run.
  mark(launch) {
    const run = this.runs[this.place];
    if (!this.view || run.database !== launch.database || run.entry.run_id !== launch.run_id) {
      return;
    }
    const item = this.view.work.launch_index.indexOf(launch.launch_index);
    if (item >= 0 && item !== this.view.selected) {
      this.view.select(item, true);
    }
  }
  async show(place) {
    if (place === this.place) {
      return this.loading;
    }
    this.place = place;
    this.select.value = String(place);
    this.loading = this.load(this.runs[place]);
    return this.loading;
  }
  async load(run) {
    const table = new Table(await this.report.pack.json(run.entry.blob));
    if (this.runs[this.place] !== run) {
      return; // another one was selected meanwhile
    }
    this.view?.close();
    const work = new Work(table);
    const tables = ["devices", "streams", "copies", "ranges"].map((name) => rowsOfRun(run, name));
    const gpus = new Map(tables[0].map((row) => [row.device, row.gpu]));
    this.view = new TimelineView(work, {
      gpus,
      about: `${number(work.length)} pieces of work of ${run.name} in ${tables[1].length} streams`,
      label: (item) => this.launchOf(run, work.launch_index[item])?.label,
      choose: (item) => this.choose(run, work.launch_index[item]),
    });
    const { section } = this;
    section.tables = [];
    const several = gpus.size > 1;
    replace(
      this.content,
      h("p", {}, overview(work, tables[1])),
      this.view.element,
      section.table(streamTable(tables[1], several)).element,
      tables[2].length > 0 && section.table(copyTable(tables[2], several)).element,
      tables[3].length > 0 && section.table(rangeTable(tables[3])).element,
      allWork(work, this.view),
    );
    this.view.start();
    replace(
      section.queries,
      queryDisclosure([
        { sql: table.sql, label: "Timeline" },
        ...["streams", "copies", "ranges", "devices"].map((name) => ({
          sql: run.database.tables[name].sql,
          label: run.database.tables[name].title,
        })),
      ]),
    );
  }
  launchOf(run, index) {
    return this.report.launches.find(
      (launch) =>
        !launch.hardware &&
        launch.database === run.database &&
        launch.run_id === run.entry.run_id &&
        launch.launch_index === index,
    );
  }
  choose(run, index) {
    const launch = index === null ? undefined : this.launchOf(run, index);
    if (launch && launch !== this.store.launch) {
      this.store.select(launch);
    }
  }
}

function rowsOfRun(run, name) {
  const table = run.database.tables[name];
  const ids = table.column("run_id");
  const rows = [];
  for (let i = 0; i < table.length; ++i) {
    if (ids[i] === run.entry.run_id) {
      rows.push(table.row(i));
    }
  }
  return rows;
}

function overview(work, streams) {
  let last = 0;
  let busy = 0;
  for (let i = 0; i < work.length; ++i) {
    last = Math.max(last, work.end_us[i]);
    busy += work.kind[i] === "kernel" ? work.time(i) : 0;
  }
  return (
    `${number(work.length)} pieces of work in ${streams.length} streams, the last one ends after ${time(last)}; ` +
    `kernels take ${time(busy)} in sum.`
  );
}

const device_column = { label: "GPU", value: (row) => row.device, kind: "number" };
const times = (label, name, title) => ({
  label,
  title: title ?? name,
  value: (row) => row[name],
  text: (row) => time(row[name]),
  kind: "number",
});
const counts = (label, name) => ({ label, title: name, value: (row) => row[name], kind: "number" });
const size = { label: "bytes", value: (row) => row.bytes, text: (row) => bytes(row.bytes), kind: "number" };
const waits = causes.map(([name, , short]) => times(`wait: ${short}`, name));

function streamTable(rows, several) {
  return new DataTable({
    caption: "Streams",
    rows,
    columns: [
      { label: "stream", value: (row) => row.stream, text: (row) => streamName(row.stream), kind: "text" },
      ...(several ? [device_column] : []),
      counts("kernels", "kernels"),
      counts("copies", "copies"),
      counts("fills", "fills"),
      size,
      times("time in kernels", "kernel_us"),
      times("time in copies and fills", "copy_us"),
      times("span", "span_us", "from the first submission to the last end"),
      ...waits,
    ],
  });
}

function copyTable(rows, several) {
  return new DataTable({
    caption: "Copies and fills",
    rows,
    columns: [
      { label: "kind", value: (row) => row.kind, kind: "text" },
      ...(several ? [device_column, { label: "other GPU", value: (row) => row.peer_device, kind: "number" }] : []),
      counts("number", "number"),
      size,
      times("time", "time_us"),
      {
        label: "GB/s",
        title: "gb_per_s",
        value: (row) => row.gb_per_s,
        text: (row) => digits(row.gb_per_s, 2),
        kind: "number",
      },
      ...waits,
    ],
  });
}

// The ranges that the program has named (NVTX), those of one name together.
function rangeTable(rows) {
  return new DataTable({
    caption: "Ranges of the program",
    rows,
    columns: [
      { label: "domain", value: (row) => row.domain, kind: "text" },
      { label: "name", value: (row) => row.name, kind: "text" },
      counts("ranges", "ranges"),
      counts("launches", "launches"),
      times("kernels", "kernel_us"),
      times("first start to last end", "span_us"),
      times("shortest", "shortest_span_us"),
      times("longest", "longest_span_us"),
    ],
  });
}

// A table of all work, made when it is opened; a row chooses its piece in the timeline.
function allWork(work, view) {
  const details = h("details", { class: "work" }, h("summary", {}, "All work as a table"));
  details.addEventListener(
    "toggle",
    () => {
      const table = new DataTable({
        caption: "Work of the device",
        search: "Search work",
        rows: Array.from({ length: work.length }, (_, i) => i),
        select: (i) => {
          view.select(i, true);
          table.refresh();
        },
        selected: (i) => i === view.selected,
        selectedAny: () => view.selected >= 0,
        columns: [
          { label: "GPU", value: (i) => work.device[i], kind: "number" },
          { label: "number", title: "work_index", value: (i) => work.work_index[i], kind: "number" },
          { label: "kind", value: (i) => work.kind[i], kind: "text" },
          { label: "kernel", value: (i) => work.kernel[i] ?? "", kind: "text" },
          { label: "stream", value: (i) => work.stream[i], text: (i) => streamName(work.stream[i]), kind: "text" },
          { label: "in a graph", value: (i) => (work.in_graph[i] ? "yes" : ""), kind: "text" },
          { label: "bytes", value: (i) => work.bytes[i], text: (i) => bytes(work.bytes[i]), kind: "number" },
          ...[
            ["submitted", (i) => work.submitted_us[i]],
            ["start", (i) => work.start_us[i]],
            ["end", (i) => work.end_us[i]],
            ["time", (i) => work.time(i)],
            ...causes.map(([name, , short]) => [`wait: ${short}`, (i) => work[name][i]]),
          ].map(([label, value]) => ({
            label: `${label}, µs`,
            value,
            text: (i) => digits(value(i), 3),
            kind: "number",
          })),
        ],
      });
      details.append(table.element);
      table.refresh(); // its window has a height now
    },
    { once: true },
  );
  return details;
}
