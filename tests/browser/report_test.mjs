// Reports in a real browser. Numbers on the page are compared with what sqlite3 prints for the document's own queries.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fillMillion } from "./million_samples.mjs";
import { columnValues, documentOf, execute, launchBrowser, open, query, run, screenshots, start } from "./support.mjs";

const folder = join(process.cwd(), "results");
const at = (name) => join(folder, name);
const address = (name) => `file://${at(name)}`;
const trace = (name) => join("traces", `${name}.wtrace`);
let browser;

before(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const quiet = ["--gpu", "h200", "--progress", "never", "--out", at("many.db")];
  run("run", trace("scan"), trace("softmax"), trace("vecadd"), ...quiet);
  run("run", trace("transpose"), ...quiet, "--sample-interval", "20", "--hot-spots");
  execute(at("many.db"), `.read many_launches.sql`);
  run("report", at("many.db"), "-o", at("many.html"), "--title", "Many </title><script>attack()</script> launches");
  browser = await launchBrowser();
});
after(() => browser?.close());

function same(actual, expected) {
  if (typeof actual === "number" && typeof expected === "number") {
    // sqlite3 prints 15 digits.
    return actual === expected || Math.abs(actual - expected) <= 1e-12 * Math.abs(expected);
  }
  return (actual ?? null) === (expected ?? null);
}

test("every table of the document is what sqlite3 prints for its query", () => {
  const report = documentOf(at("many.html")).databases[0];
  let numbers = 0;
  for (const table of [...Object.values(report.tables), ...report.configs.map((config) => config.table)]) {
    const rows = query(at("many.db"), table.sql);
    assert.equal(table.data[0]?.length ?? 0, rows.length, table.title);
    rows.forEach((row, place) =>
      table.columns.forEach((name, column) => {
        assert.ok(same(table.data[column][place], row[name]), `${table.title}, row ${place}, ${name}: ${table.data[column][place]} and ${row[name]}`);
        numbers += 1;
      }),
    );
  }
  assert.ok(numbers > 10000, `${numbers} numbers`);
});

test("a report of 45 launches is small, loads fast, and asks nobody for anything", async () => {
  const launches = query(at("many.db"), "SELECT count(*) AS n FROM launch JOIN run USING (run_id) WHERE source = 'simulated'")[0].n;
  assert.ok(launches >= 45, `${launches} launches`);
  assert.ok(statSync(at("many.html")).size < 5e6, `${statSync(at("many.html")).size} bytes`);
  const times = [];
  for (let i = 0; i < 3; ++i) {
    const page = await open(browser, address("many.html"));
    times.push(await page.evaluate(() => performance.now()));
    assert.deepEqual(page.problems, []);
    await page.close();
  }
  console.log(`loaded in ${times.map(Math.round).join(", ")} ms`);
  assert.ok(Math.min(...times) < 2000, `loaded in ${times} ms`);
});

test("numbers on the page are those of the queries", async () => {
  const page = await open(browser, address("many.html"));
  const tables = documentOf(at("many.html")).databases[0].tables;
  const summary = query(at("many.db"), tables.kernel_summary.sql);
  for (const [heading, name] of [["cycles", "cycles"], ["IPC", "ipc"], ["L2 hits", "l2_hit_pct"], ["DRAM GB/s", "dram_gb_per_s"]]) {
    const shown = await columnValues(page, "launches", "Launches", heading);
    assert.equal(shown.length, summary.length);
    summary.forEach((row, place) => assert.ok(same(shown[place], row[name] ?? "–"), `${heading} of row ${place}: ${shown[place]} and ${row[name]}`));
  }
  const wanted = summary.findIndex((row) => row.run_name === "transpose" && row.launch_index === 1);
  await page.selectOption("header select", String(wanted));
  const of = (sql) => query(at("many.db"), sql).filter((row) => row.run_id === summary[wanted].run_id && row.launch_index === 1);
  const stalls = of(tables.stalls.sql);
  assert.deepEqual(await columnValues(page, "stalls", "Stall reasons of transpose[1]", "warps per issue").then((x) => x.length), stalls.length);
  (await columnValues(page, "stalls", "Stall reasons", "warps per issue")).forEach((value, place) => assert.ok(same(value, stalls[place].warps_per_issue)));
  const metrics = new Map(of(tables.metrics.sql).map((row) => [row.metric, row.value]));
  const names = await columnValues(page, "metrics", "Metrics of transpose[1]", "metric");
  const values = await columnValues(page, "metrics", "Metrics of transpose[1]", "simulated");
  assert.equal(names.length, metrics.size);
  names.forEach((name, place) => assert.ok(same(values[place], metrics.get(name) ?? "–"), name));
  const facts = of(tables.facts.sql)[0];
  const peaks = await page.evaluate(() => [...document.querySelectorAll("#summary .peaks .meter")].map((meter) => [meter.title, meter.querySelector(".number").dataset.value]));
  assert.ok(peaks.length >= 9);
  peaks.forEach(([name, value]) => assert.ok(same(value === undefined ? null : Number(value), facts[name]), `${name}: ${value} and ${facts[name]}`));
  const occupancy = of(tables.occupancy.sql)[0];
  const achieved = await page.locator("#occupancy .meter[title=achieved_pct] .number").getAttribute("data-value");
  assert.ok(same(Number(achieved), occupancy.achieved_pct));
  await page.close();
});

test("charts are drawn, each with a text in its place", async () => {
  const page = await open(browser, address("many.html"));
  const index = await page.locator("header select option", { hasText: /^transpose\[0\]/ }).first().getAttribute("value");
  await page.selectOption("header select", index);
  await page.locator("#series canvas").first().waitFor();
  await page.locator("#hotspots table").waitFor();
  const counts = await page.evaluate(() => Object.fromEntries(["roofline", "stalls", "correlation"].map((id) => [id, document.querySelectorAll(`#${id} .chart svg path`).length])));
  const points = await page.evaluate(() => document.querySelectorAll("#memory svg.memory .flow line").length);
  Object.entries(counts).forEach(([id, count]) => assert.ok(count > 20, `${id} has ${count} paths`));
  assert.ok(points >= 6);
  await page.waitForFunction(() => document.querySelector("#series .map canvas")?.width > 300);
  const colours = await page.evaluate(() =>
    [...document.querySelectorAll("#series canvas")].map((canvas) => {
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      return new Set(new Uint32Array(data.buffer)).size;
    }),
  );
  assert.ok(colours.length >= 7, `${colours.length} canvases`);
  colours.forEach((count) => assert.ok(count > 3, `a canvas with ${count} colours`));
  const unlabelled = await page.evaluate(() => [...document.querySelectorAll(".chart, svg.memory, figure .map, figure.series")].filter((chart) => chart.getAttribute("role") === "img" && !chart.getAttribute("aria-label")).length);
  assert.equal(unlabelled, 0);
  const code = documentOf(at("many.html")).databases[0].code;
  assert.equal(code.length, 3);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("points of charts tell what they are, and choose their launch", async () => {
  const page = await open(browser, address("many.html"));
  for (const id of ["roofline", "correlation"]) {
    const chart = page.locator(`#${id} .canvas`);
    await chart.scrollIntoViewIfNeeded();
    const spot = await page.evaluate((section) => {
      const area = document.querySelector(`#${section} .canvas`).getBoundingClientRect();
      const isPoint = (box) => box.width > 5 && box.width < 14 && Math.abs(box.width - box.height) < 2 && box.top > area.top + 45 && box.left > area.left + 85;
      const box = [...document.querySelectorAll(`#${section} .chart svg path`)].map((path) => path.getBoundingClientRect()).find(isPoint);
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    }, id);
    await page.mouse.move(spot.x - 3, spot.y);
    await page.mouse.move(spot.x, spot.y);
    await page.locator(`#${id} .tip`).waitFor();
    const label = await page.locator(`#${id} .tip div`).first().textContent();
    await page.mouse.click(spot.x, spot.y);
    await page.waitForFunction((text) => document.querySelector("#summary .of").textContent.startsWith(`${text}:`), label);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("hot spots are those of the database, sorted by address or heat", async () => {
  const page = await open(browser, address("many.html"));
  const index = await page.locator("header select option", { hasText: /^transpose\[0\]/ }).first().getAttribute("value");
  await page.selectOption("header select", index);
  await page.locator("#hotspots table").waitFor();
  const run = query(at("many.db"), "SELECT run_id FROM run WHERE name = 'transpose' AND source = 'simulated'")[0].run_id;
  const sql = `SELECT text, executed, warp_cycles_pct FROM hot_spots WHERE run_id = ${run} AND launch_index = 0 ORDER BY `;
  for (const [order, clause] of [["address", "address"], ["heat", "warp_cycles_pct DESC, address"]]) {
    await page.locator("#hotspots select").selectOption(order);
    const rows = query(at("many.db"), sql + clause);
    const heat = await columnValues(page, "hotspots", "Code of", "heat");
    assert.equal(heat.length, rows.length);
    rows.forEach((row, place) => assert.ok(same(heat[place], row.warp_cycles_pct), `${order} ${place}`));
    assert.deepEqual((await columnValues(page, "hotspots", "Code of", "instruction"))[0], rows[0].text);
  }
  await page.close();
});

test("tables sort by their headings and are searched", async () => {
  const page = await open(browser, address("many.html"));
  const heading = page.locator("#launches th", { hasText: /^cycles/ });
  await heading.locator("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "descending");
  const falling = (await columnValues(page, "launches", "Launches", "cycles")).filter((value) => typeof value === "number");
  assert.deepEqual(falling, [...falling].sort((a, b) => b - a));
  await heading.locator("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  await page.locator("#launches input[type=search]").fill("vecadd simulated");
  const names = await columnValues(page, "launches", "Launches", "run");
  assert.ok(names.length >= 7 && names.every((name) => name.startsWith("vecadd")), String(names));
  await page.locator("#configuration input[type=search]").last().fill("l2.num_ways");
  assert.deepEqual(await columnValues(page, "configuration", "Description", "key"), ["l2.num_ways"]);
  await page.close();
});

test("the page can be walked with the keyboard alone", async () => {
  const page = await open(browser, address("many.html"));
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => location.hash), "#summary");
  await page.locator("header select").focus();
  const first = await page.locator("#summary .of").textContent();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction((text) => document.querySelector("#summary .of").textContent !== text, first);
  const row = page.locator("#launches tr[aria-selected=true]");
  await row.focus();
  const before = Number(await row.getAttribute("aria-rowindex"));
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  const chosen = await page.evaluate(() => [document.activeElement.getAttribute("aria-rowindex"), document.activeElement.getAttribute("aria-selected")]);
  assert.deepEqual(chosen, [String(before - 2), "true"]);
  const heading = page.locator("#launches th button").first();
  await heading.focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#launches th").first().getAttribute("aria-sort"), "ascending");
  const lost = await page.evaluate(() => [...document.querySelectorAll("main button, main select, main input, main summary")].filter((element) => element.tabIndex < 0).length);
  assert.equal(lost, 0);
  await page.close();
});

test("a SQL disclosure shows the query and copies it", async () => {
  const page = await open(browser, address("many.html"));
  await page.locator("#stalls details.query summary").focus();
  await page.keyboard.press("Enter");
  const sql = documentOf(at("many.html")).databases[0].tables.stalls.sql;
  assert.equal(await page.locator("#stalls details.query code").textContent(), `${sql};`);
  await page.locator("#stalls details.query button").click();
  await page.waitForFunction(() => /copied|select/.test(document.querySelector("#stalls .sql [role=status]").textContent));
  await page.close();
});

test("dark and light are the system's, or the reader's choice", async () => {
  const page = await open(browser, address("many.html"), { colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  assert.equal(dark, "rgb(20, 23, 28)");
  await page.locator("#theme").click();
  assert.equal(await background(), "rgb(255, 255, 255)");
  await page.close();
});

test("paper gets all rows, light on white", async () => {
  const page = await open(browser, address("many.html"), { colorScheme: "dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.classList.contains("paper"));
  const report = documentOf(at("many.html")).databases[0];
  assert.equal((await columnValues(page, "configuration", "Description", "key")).length, report.configs[0].table.data[0].length);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("nav")).display), "none");
  assert.ok((await page.pdf({ format: "A4" })).length > 50000);
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await page.waitForFunction(() => !document.documentElement.classList.contains("paper"));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("names that attack the page stay text", async () => {
  const page = await open(browser, address("many.html"));
  assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main script").length), 0);
  await page.locator("#launches input[type=search]").fill("attack");
  const names = await page.evaluate(() => [...document.querySelectorAll("#launches tbody td[title]")].map((cell) => cell.title));
  assert.ok(names.length > 0 && names.every((name) => name.startsWith("</script><script>attack()")), String(names));
  assert.equal(await page.title(), "Many </title><script>attack()</script> launches");
  await page.close();
});

test("a million samples scroll and zoom", async () => {
  const database = at("million.db");
  run("run", trace("scan"), "--gpu", "h200", "--progress", "never", "--launches", "0", "--out", database);
  fillMillion(database, 7600, 132);
  run("report", database, "-o", at("million.html"));
  const page = await open(browser, address("million.html"));
  await page.locator("#series .map canvas").waitFor();
  await page.waitForFunction(() => document.querySelector("#series .map canvas").width > 300);
  assert.match(await page.locator("#series").textContent(), /7,600 samples/);
  // The outlier of one sample in a thousand is in sight however far away one looks.
  const greatest = query(database, "SELECT max(ipc) AS ipc FROM timeseries")[0].ipc;
  assert.ok(greatest > 40);
  const text = () => page.locator("#series .zoom [role=status]").textContent();
  const whole = await text();
  const canvas = page.locator("#series .u-over").first();
  await canvas.scrollIntoViewIfNeeded();
  await canvas.hover();
  const times = await page.evaluate(async () => {
    const over = document.querySelector("#series .u-over");
    const box = over.getBoundingClientRect();
    const times = [];
    for (let i = 0; i < 30; ++i) {
      const begin = performance.now();
      over.dispatchEvent(new WheelEvent("wheel", { deltaY: i < 15 ? -100 : 100, clientX: box.left + box.width / 3, clientY: box.top + 20, bubbles: true, cancelable: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b);
  });
  console.log(`a step of zoom takes ${Math.round(times[15])} ms (median of ${times.length}), ${Math.round(times[29])} ms at most`);
  assert.ok(times[15] < 100, `${times[15]} ms`);
  await page.locator("#series .zoom button").first().click();
  await page.waitForFunction((old) => document.querySelector("#series .zoom [role=status]").textContent !== old, whole);
  await page.locator("#series .zoom button").nth(4).click();
  assert.equal(await text(), whole);
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 100, box.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await text(), whole);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("several GPUs and several databases stand side by side", async () => {
  run("compare", trace("scan"), "--gpu", "p100", "--gpu", "h200", "--out", at("gpus.db"));
  run("report", at("gpus.db"), "-o", at("gpus.html"));
  const page = await open(browser, address("gpus.html"));
  const rows = query(at("gpus.db"), "SELECT gpu, time_us FROM comparison ORDER BY trace_hash, launch_index, run_id");
  const [first, second] = [rows[0].gpu, rows[1].gpu];
  const times = (gpu) => rows.filter((row) => row.gpu === gpu).map((row) => row.time_us);
  for (const gpu of [first, second]) {
    (await columnValues(page, "comparison", "All compared", gpu)).forEach((value, place) => assert.ok(same(value, times(gpu)[place])));
  }
  (await columnValues(page, "comparison", "All compared", "speed-up")).forEach((value, place) => assert.ok(same(value, times(first)[place] / times(second)[place])));
  await page.close();
  copyFileSync(at("gpus.db"), at("other.db"));
  execute(at("other.db"), "UPDATE metric_value SET value = value / 2 WHERE metric = 'gpu__time_duration.sum'");
  run("report", at("gpus.db"), at("other.db"), "--runs", "*h200", "-o", at("two.html"));
  const both = await open(browser, address("two.html"));
  const factors = await columnValues(both, "comparison", "All compared", "speed-up");
  assert.equal(factors.length, 3);
  factors.forEach((factor) => assert.ok(same(factor, 2)));
  assert.deepEqual(both.problems, []);
  await both.close();
});

test("a served report follows the database, keeps the choice, and ends on a signal", async () => {
  const database = at("live.db");
  run("run", trace("scan"), "--gpu", "h200", "--progress", "never", "--out", database);
  const server = start("serve", database, "--port", "0");
  const greeting = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data))));
  const page = await open(browser, /http:\S+/.exec(greeting)[0]);
  await page.locator("#launches tbody tr").nth(2).click();
  await page.locator("#launches input[type=search]").fill("scan");
  run("run", trace("vecadd"), "--gpu", "h200", "--progress", "never", "--out", database);
  await page.waitForFunction(() => document.querySelectorAll("header select option").length === 4, undefined, { timeout: 20000 });
  assert.match(await page.locator("#summary .of").textContent(), /^scan\[2\]/);
  assert.equal(await page.locator("#launches input[type=search]").inputValue(), "scan");
  assert.deepEqual(page.problems, []);
  const ended = new Promise((resolve) => server.once("exit", (code, signal) => resolve([code, signal])));
  server.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
  await page.waitForFunction(() => /not connected/.test(document.querySelector("header .end").textContent), undefined, { timeout: 20000 });
  await page.close();
});

// What docs/report.md shows: run ... --screenshots docs/report
test("screenshots of all sections", { skip: screenshots === null }, async () => {
  const HIGHEST = 860; // pixels; what is longer is cut
  mkdirSync(screenshots, { recursive: true });
  const quiet = ["--gpu", "h200", "--progress", "never", "--out", at("shown.db")];
  run("run", trace("scan"), trace("softmax"), trace("vecadd"), trace("bitonic"), ...quiet);
  run("run", trace("transpose"), ...quiet, "--sample-interval", "20", "--hot-spots");
  run("correlate", at("shown.db"), "--hardware", "tests/hardware/h200/public.csv", "--hardware-gpu", "NVIDIA H200");
  execute(at("shown.db"), "DELETE FROM run WHERE source = 'hardware' AND name NOT IN (SELECT name FROM run WHERE source = 'simulated')");
  run("report", at("shown.db"), "-o", at("shown.html"), "--title", "Some traces on an H200");
  run("compare", trace("scan"), trace("vecadd"), "--gpu", "p100", "--gpu", "v100", "--gpu", "h200", "--out", at("three.db"));
  run("report", at("three.db"), "-o", at("three.html"));
  for (const [name, launch, only] of [["shown.html", "transpose[0]", null], ["three.html", "scan", "comparison"]]) {
    const page = await open(browser, address(name));
    const index = await page.locator("header select option", { hasText: launch }).first().getAttribute("value");
    await page.selectOption("header select", index);
    await page.addStyleTag({ content: "header, .zoom { position: static !important; }" });
    await page.waitForTimeout(1000);
    const ids = only ? [only] : await page.evaluate(() => [...document.querySelectorAll("section:not(.missing)")].map((section) => section.id));
    for (const id of ids) {
      const box = await page.evaluate((name) => {
        const { left, top, width, height } = document.getElementById(name).getBoundingClientRect();
        return { x: left + window.scrollX, y: top + window.scrollY, width, height };
      }, id);
      const file = join(screenshots, `${id}.png`);
      await page.screenshot({ path: file, fullPage: true, clip: { ...box, height: Math.min(box.height, HIGHEST) } });
      assert.ok(existsSync(file) && readFileSync(file).length > 3000);
    }
    await page.close();
  }
});
