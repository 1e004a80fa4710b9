// The layout of a page at several widths: only tables and diagrams scroll sideways, legends cover nothing,
// names are readable, units are right, and the amounts of the memory hierarchy add up.
import assert from "node:assert/strict";
import test from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { documentOf, open, query, source } from "./support.mjs";
import { address, at, same, world } from "./world.mjs";

const widths = [1440, 1024, 390];
const pages = ["many.html", "gpus.html"];

async function openAt(name, width) {
  const page = await open(world.browser, address(name), { viewport: { width, height: 900 } });
  await page.evaluate(() => document.querySelectorAll("details.data").forEach((details) => (details.open = true)));
  return page;
}

test("the page itself never scrolls sideways", async () => {
  for (const name of pages) {
    for (const width of widths) {
      const page = await openAt(name, width);
      const [content, window] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok(content <= window, `${name} at ${width}: ${content} of ${window} pixels`);
      await page.close();
    }
  }
});

test("wide tables scroll in their box, and their first column stays", async () => {
  for (const width of widths) {
    const page = await openAt("gpus.html", width);
    const boxes = await page.evaluate(() =>
      [...document.querySelectorAll(".window")]
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .map((box) => {
          const cell = box.querySelector("tbody td");
          const before = cell.getBoundingClientRect().left;
          box.scrollLeft = box.scrollWidth;
          const after = cell.getBoundingClientRect();
          const view = box.getBoundingClientRect();
          return { name: box.ariaLabel, moved: Math.abs(after.left - before), share: after.width / view.width };
        }),
    );
    assert.ok(boxes.length > 0);
    for (const { name, moved, share } of boxes) {
      assert.ok(moved < 1, `${name} at ${width}: its first column moves by ${moved}`);
      assert.ok(share < 0.6, `${name} at ${width}: its first column takes ${share} of the box`);
    }
    await page.close();
  }
});

test("bars are wide enough to read, and have one scale", async () => {
  for (const width of widths) {
    const page = await openAt("many.html", width);
    const tracks = await page.evaluate(() =>
      [...document.querySelectorAll(".meter .track")].map((track) => track.getBoundingClientRect().width),
    );
    assert.ok(tracks.length > 9);
    tracks.forEach((track) => assert.ok(track > 70, `a bar of ${track} pixels at ${width}`));
    const shown = await page.evaluate(() => ({
      label: document.querySelector("header select").selectedOptions[0].textContent,
      bars: [...document.querySelectorAll("#occupancy .blocks .meter[title]")].map((bar) => [
        bar.title,
        bar.querySelector(".fill").getBoundingClientRect().width /
          bar.querySelector(".track").getBoundingClientRect().width,
      ]),
    }));
    const [run, launch] = /^(\S+)\[(\d+)\]/.exec(shown.label).slice(1);
    const { occupancy, runs } = documentOf(at("many.html")).databases[0].tables;
    const id = query(at("many.db"), runs.sql).find((row) => row.name === run && row.source === "simulated").run_id;
    const row = query(at("many.db"), occupancy.sql).find(
      (each) => each.run_id === id && each.launch_index === Number(launch),
    );
    assert.equal(shown.bars.length, 6);
    for (const [column, width] of shown.bars) {
      const blocks = column.startsWith("limit_");
      const share = blocks ? (row[column] * Math.ceil(row.threads / 32)) / row.warps_per_sm : row[column] / 100;
      assert.ok(Math.abs(width - Math.min(1, share)) < 0.01, `${column}: ${width} and ${share}`);
    }
    await page.close();
  }
});

test("legends are outside of their charts, with a colour for each GPU", async () => {
  for (const width of widths) {
    const page = await openAt("gpus.html", width);
    const overlaps = await page.evaluate(() =>
      [...document.querySelectorAll("ul.legend")].map((legend) => {
        const chart = legend.parentElement.parentElement.querySelector(".chart");
        return legend.getBoundingClientRect().bottom - chart.getBoundingClientRect().top;
      }),
    );
    assert.ok(overlaps.length >= 3);
    overlaps.forEach((overlap) => assert.ok(overlap <= 0, `a legend overlaps its chart by ${overlap}`));
    await page.close();
  }
  const page = await openAt("gpus.html", 1440);
  const colours = await page.evaluate(() =>
    [...document.querySelectorAll("#roofline ul.legend .mark.square")].map((mark) => [
      mark.parentElement.textContent,
      getComputedStyle(mark).getPropertyValue("--mark-color").trim(),
    ]),
  );
  assert.deepEqual(colours.map(([name]) => name.split(":")[0]).sort(), ["NVIDIA H200", "NVIDIA Tesla P100 SXM2"]);
  assert.notEqual(colours[0][1], colours[1][1]);
  for (const [, colour] of colours) {
    const roofs = await page.locator(`#roofline .chart path[stroke="${colour}"]`).count();
    assert.ok(roofs >= 2, `${roofs} roofs of colour ${colour}`);
  }
  await page.close();
});

test("names in legends, headings and titles of charts are words, not columns", async () => {
  const page = await openAt("many.html", 1440);
  const index = await page
    .locator("header select option", { hasText: /^transpose\[0\]/ })
    .first()
    .getAttribute("value");
  await page.selectOption("header select", index);
  await page.locator("#series .u-legend").first().waitFor();
  const names = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        "ul.legend li, .u-legend th, figcaption, table.data thead th, .meter .name, .evidence li",
      ),
    ].map((element) => element.textContent),
  );
  assert.ok(names.length > 60, `${names.length} names`);
  names.forEach((name) => assert.doesNotMatch(name, /[a-z0-9]_[a-z0-9]/, name));
  await page.close();
});

test("amounts of data are in powers of 1024, and labelled so", async () => {
  const page = await openAt("many.html", 1440);
  const text = await page.evaluate(() => document.querySelector("main").innerText);
  assert.match(text, /\d (KiB|MiB)\b/);
  assert.doesNotMatch(text, /\d [kKMG]B\b(?!\/s)/);
  await page.close();
});

test("bytes of the memory hierarchy add up, from loads to DRAM", async () => {
  const { ledgersOf } = await import(pathToFileURL(join(source, "web/src/sections/memory_flows.js")).href);
  for (const name of pages) {
    const { memory } = documentOf(at(name)).databases[0].tables;
    const rows = query(at(name.replace(".html", ".db")), memory.sql);
    assert.ok(rows.length > 0);
    for (const row of rows) {
      for (const ledger of ledgersOf(row)) {
        let sum = 0;
        ledger.lines.forEach((line, place) => {
          assert.notEqual(line.text, "not attributed", `${ledger.title}, run ${row.run_id}, ${line.amount}`);
          if (line.total && place > 0) {
            assert.equal(sum, line.amount, `${ledger.title}: ${line.text}`);
          }
          sum = line.total ? line.amount : sum + line.amount;
        });
        assert.ok(ledger.lines.at(-1).total);
      }
    }
  }
  const page = await openAt("many.html", 1440);
  assert.equal(await page.locator("#memory .ledger").count(), 3);
  assert.equal(await page.locator("#memory table", { hasText: "What the edges count" }).locator("tbody tr").count(), 7);
  await page.close();
});

test("rooflines by precision have the operations and peaks of the database", async () => {
  const page = await openAt("many.html", 1440);
  const { arithmetic } = documentOf(at("many.html")).databases[0].tables;
  const rows = query(at("many.db"), arithmetic.sql).filter((row) => row.precision === "FP32");
  assert.ok(rows.length >= 14); // vecadd and softmax, in seven runs each
  await page.locator("#roofline select").selectOption({ label: "FP32 operations" });
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll("#roofline table tbody tr")].map((row) => Number(row.cells[2].dataset.value)),
  );
  assert.equal(shown.length, rows.length);
  const inOrder = (values) => [...values].sort((a, b) => a - b);
  const speeds = inOrder(rows.map((row) => row.gop_per_s));
  inOrder(shown).forEach((value, place) => assert.ok(same(value, speeds[place]), `${value} and ${speeds[place]}`));
  // 132 SMs of 128 lanes at 1.98 GHz, two operations per multiply-add.
  rows.forEach((row) => assert.ok(same(row.peak_gop_per_s, 132 * 128 * 2 * 1.98)));
  assert.match(await page.locator("#roofline ul.legend").textContent(), /66\.91 TFLOP\/s/);
  await page.close();
});
