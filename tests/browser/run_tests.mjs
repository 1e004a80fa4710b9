// Reports of other databases: a million samples, several GPUs, one that grows; and pictures for docs/report.md.
import assert from "node:assert/strict";
import test from "node:test";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fillMillion } from "./million_samples.mjs";
import { columnValues, execute, open, query, run, screenshots, slowness, start } from "./support.mjs";
import { address, at, H200, same, trace, world } from "./world.mjs";

test("a million samples scroll and zoom", async () => {
  const database = at("million.db");
  run("run", trace("scan"), "--gpu", H200, "--progress", "never", "--launches", "0", "--out", database);
  fillMillion(database, 7600, 132);
  run("report", database, "-o", at("million.html"));
  const page = await open(world.browser, address("million.html"));
  await page.locator("#series .map canvas").waitFor();
  await page.waitForFunction(() => document.querySelector("#series .map canvas").width > 300);
  assert.match(await page.locator("#series").textContent(), /7,600 samples/);
  // The outlier of one sample in a thousand is visible at every zoom level.
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
      over.dispatchEvent(
        new WheelEvent("wheel", {
          deltaY: i < 15 ? -100 : 100,
          clientX: box.left + box.width / 3,
          clientY: box.top + 20,
          bubbles: true,
          cancelable: true,
        }),
      );
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b);
  });
  console.log(
    `a step of zoom takes ${Math.round(times[15])} ms (median of ${times.length}), ${Math.round(times[29])} ms at most`,
  );
  const limit = 100 * (await slowness(world.browser));
  assert.ok(times[15] < limit, `${times[15]} ms, not ${limit}`);
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

test("several GPUs and several databases are shown next to each other", async () => {
  run("compare", trace("scan"), "--gpu", "p100", "--gpu", "h200", "--out", at("gpus.db"));
  run("report", at("gpus.db"), "-o", at("gpus.html"));
  const page = await open(world.browser, address("gpus.html"));
  const rows = query(at("gpus.db"), "SELECT gpu, time_us FROM comparison ORDER BY trace_hash, launch_index, run_id");
  const [first, second] = [rows[0].gpu, rows[1].gpu];
  const times = (gpu) => rows.filter((row) => row.gpu === gpu).map((row) => row.time_us);
  for (const gpu of [first, second]) {
    (await columnValues(page, "comparison", "All compared", gpu)).forEach((value, place) =>
      assert.ok(same(value, times(gpu)[place])),
    );
  }
  (await columnValues(page, "comparison", "All compared", "speed-up")).forEach((value, place) =>
    assert.ok(same(value, times(first)[place] / times(second)[place])),
  );
  await page.close();
  copyFileSync(at("gpus.db"), at("other.db"));
  execute(at("other.db"), "UPDATE metric_value SET value = value / 2 WHERE metric = 'gpu__time_duration.sum'");
  run("report", at("gpus.db"), at("other.db"), "--runs", "*h200", "-o", at("two.html"));
  const both = await open(world.browser, address("two.html"));
  const factors = await columnValues(both, "comparison", "All compared", "speed-up");
  assert.equal(factors.length, 3);
  factors.forEach((factor) => assert.ok(same(factor, 2)));
  assert.deepEqual(both.problems, []);
  await both.close();
});

test("a served report follows the database, keeps the selection, and ends on a signal", async () => {
  const database = at("live.db");
  run("run", trace("scan"), "--gpu", H200, "--progress", "never", "--out", database);
  const server = start("serve", database, "--port", "0");
  const greeting = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data))));
  const page = await open(world.browser, /http:\S+/.exec(greeting)[0]);
  await page.locator("#launches tbody tr").nth(2).click();
  await page.locator("#launches input[type=search]").fill("scan");
  run("run", trace("vecadd"), "--gpu", H200, "--progress", "never", "--out", database);
  await page.waitForFunction(() => document.querySelectorAll("header select option").length === 4);
  assert.match(await page.locator("#summary .of").textContent(), /^scan\[2\]/);
  assert.equal(await page.locator("#launches input[type=search]").inputValue(), "scan");
  assert.deepEqual(page.problems, []);
  const ended = new Promise((resolve) => server.once("exit", (code, signal) => resolve([code, signal])));
  server.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
  await page.waitForFunction(() => /not connected/.test(document.querySelector("header .end").textContent));
  await page.close();
});

// What docs/report.md shows: run ... --screenshots docs/report
test("screenshots of all sections", { skip: screenshots === null }, async () => {
  const HIGHEST = 860; // pixels; longer pages are truncated
  mkdirSync(screenshots, { recursive: true });
  const quiet = ["--gpu", H200, "--progress", "never", "--out", at("shown.db")];
  run("run", trace("scan"), trace("softmax"), trace("vecadd"), trace("bitonic"), ...quiet);
  run("run", trace("transpose"), ...quiet, "--sample-interval", "20", "--hot-spots");
  run("correlate", at("shown.db"), "--hardware", "tests/hardware/h200/public.csv", "--hardware-gpu", "NVIDIA H200");
  execute(
    at("shown.db"),
    "DELETE FROM run WHERE source = 'hardware' AND name NOT IN (SELECT name FROM run WHERE source = 'simulated')",
  );
  run("report", at("shown.db"), "-o", at("shown.html"), "--title", "Some traces on an H200");
  run(
    "compare",
    trace("scan"),
    trace("vecadd"),
    "--gpu",
    "p100",
    "--gpu",
    "v100",
    "--gpu",
    "h200",
    "--out",
    at("three.db"),
  );
  run("report", at("three.db"), "-o", at("three.html"));
  for (const [name, launch, only] of [
    ["shown.html", "transpose[0]", null],
    ["three.html", "scan", "comparison"],
  ]) {
    const page = await open(world.browser, address(name));
    const index = await page.locator("header select option", { hasText: launch }).first().getAttribute("value");
    await page.selectOption("header select", index);
    await page.addStyleTag({ content: "header, .zoom { position: static !important; }" });
    await page.waitForTimeout(1000);
    const ids = only
      ? [only]
      : await page.evaluate(() => [...document.querySelectorAll("section:not(.missing)")].map((section) => section.id));
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
