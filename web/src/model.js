// The document in the form that the page uses: tables by column, launches of all databases in one list.

export class Table {
  constructor(json) {
    this.title = json.title;
    this.sql = json.sql;
    this.columns = json.columns;
    this.data = json.data;
    this.length = json.data.length === 0 ? 0 : json.data[0].length;
    this.places = new Map(json.columns.map((name, place) => [name, place]));
  }
  column(name) {
    const place = this.places.get(name);
    if (place === undefined) {
      throw new Error(`the table "${this.title}" has no column ${name}`);
    }
    return this.data[place];
  }
  at(row, name) {
    return this.column(name)[row];
  }
  row(number) {
    return Object.fromEntries(this.columns.map((name, place) => [name, this.data[place][number]]));
  }
  // Row numbers by launch, computed once.
  get byLaunch() {
    if (!this.index) {
      this.index = new Map();
      const runs = this.column("run_id");
      const launches = this.column("launch_index");
      for (let row = 0; row < this.length; ++row) {
        const key = `${runs[row]}/${launches[row]}`;
        const rows = this.index.get(key);
        if (rows) {
          rows.push(row);
        } else {
          this.index.set(key, [row]);
        }
      }
    }
    return this.index;
  }
  rowsOf(launch) {
    return this.byLaunch.get(launch.id) ?? [];
  }
  // The one row of a launch as an object; empty if there is none.
  rowOf(launch) {
    const rows = this.rowsOf(launch);
    return rows.length === 0 ? {} : this.row(rows[0]);
  }
}

class DatabasePart {
  constructor(json, place) {
    this.place = place;
    this.path = json.path;
    this.label = json.path.split("/").pop();
    this.tables = Object.fromEntries(Object.entries(json.tables).map(([name, table]) => [name, new Table(table)]));
    this.configs = json.configs.map((config) => ({ runs: config.runs, table: new Table(config.table) }));
    this.verdicts = new Map(json.verdicts.map((verdict) => [`${verdict.run_id}/${verdict.launch_index}`, verdict]));
    this.series = new Map(json.series.map((series) => [`${series.run_id}/${series.launch_index}`, series]));
    this.work = new Map(json.work.map((work) => [work.run_id, work]));
    this.code = new Map(json.code.map((code) => [`${code.run_id}/${code.launch_index}`, code]));
  }
}

export class Report {
  constructor(json, pack) {
    this.title = json.title;
    this.program = json.program;
    this.pack = pack;
    this.databases = json.databases.map((database, place) => new DatabasePart(database, place));
    this.several = this.databases.length > 1;
    this.speedups = json.speedups;
    this.launches = [];
    for (const database of this.databases) {
      this.addLaunches(database);
    }
  }
  addLaunches(database) {
    const summary = database.tables.kernel_summary;
    const beside = besideOf(database.tables.attributes);
    for (let row = 0; row < summary.length; ++row) {
      const values = summary.row(row);
      const run = `${values.run_name}[${values.launch_index}]`;
      this.launches.push({
        ...values,
        database,
        id: `${values.run_id}/${values.launch_index}`,
        key: `${database.path}\n${values.source}\n${run}`,
        beside: beside.get(`${values.run_id}/${values.launch_index}`),
        hardware: values.source === "hardware",
        label: this.several ? `${database.label}: ${run}` : run,
        kernel: shortKernel(values.name),
        verdict: database.verdicts.get(`${values.run_id}/${values.launch_index}`),
      });
    }
  }
  get simulated() {
    return this.launches.filter((launch) => !launch.hardware);
  }
}

// By launch: how many others were resident at the same time.
function besideOf(attributes) {
  const names = attributes.column("name");
  const found = new Map();
  for (let row = 0; row < attributes.length; ++row) {
    if (names[row] === "launches_beside") {
      found.set(`${attributes.at(row, "run_id")}/${attributes.at(row, "launch_index")}`, attributes.at(row, "value"));
    }
  }
  return found;
}

// Without parameters: "k_vecadd(float const*, ...)" is k_vecadd.
export function shortKernel(name) {
  const end = name.indexOf("(", name.startsWith("(") ? name.indexOf(")") : 0);
  const short = end > 0 ? name.slice(0, end) : name;
  return short.length > 60 ? `${short.slice(0, 57)}...` : short;
}
