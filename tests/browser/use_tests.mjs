// Reading and using a report: sorting, keyboard, colours, paper, hostile names.
import assert from "node:assert/strict";
import test from "node:test";
import { columnValues, documentOf, open, query, run } from "./support.mjs";
import { address, at, world } from "./world.mjs";

test("points of charts have descriptions, and select their launch", async () => {
  const page = await open(world.browser, address("many.html"));
  for (const id of ["roofline", "correlation"]) {
    const chart = page.locator(`#${id} .canvas`);
    await chart.scrollIntoViewIfNeeded();
    const spot = await page.evaluate((section) => {
      const area = document.querySelector(`#${section} .canvas`).getBoundingClientRect();
      const isPoint = (box) =>
        box.width > 5 &&
        box.width < 14 &&
        Math.abs(box.width - box.height) < 2 &&
        box.top > area.top + 45 &&
        box.left > area.left + 85;
      const box = [...document.querySelectorAll(`#${section} .chart svg path`)]
        .map((path) => path.getBoundingClientRect())
        .find(isPoint);
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    }, id);
    await page.mouse.move(spot.x - 3, spot.y);
    await page.mouse.move(spot.x, spot.y);
    await page.locator(`#${id} .tip`).waitFor();
    const label = await page.locator(`#${id} .tip div`).first().textContent();
    await page.mouse.click(spot.x, spot.y);
    await page.waitForFunction(
      (text) => document.querySelector("#summary .of").textContent.startsWith(`${text}:`),
      label,
    );
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("tables sort by their headings and are searched", async () => {
  const page = await open(world.browser, address("many.html"));
  const heading = page.locator("#launches th", { hasText: /^cycles/ });
  await heading.locator("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "descending");
  const falling = (await columnValues(page, "launches", "Launches", "cycles")).filter(
    (value) => typeof value === "number",
  );
  assert.deepEqual(
    falling,
    [...falling].sort((a, b) => b - a),
  );
  await heading.locator("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  await page.locator("#launches input[type=search]").fill("vecadd simulated");
  const names = await columnValues(page, "launches", "Launches", "launch");
  assert.ok(names.length >= 7 && names.every((name) => name.startsWith("vecadd")), String(names));
  await page.locator("#configuration input[type=search]").last().fill("l2.num_ways");
  assert.deepEqual(await columnValues(page, "configuration", "Description", "key"), ["l2.num_ways"]);
  await page.close();
});

test("the page can be used with only the keyboard", async () => {
  const page = await open(world.browser, address("many.html"));
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
  const chosen = await page.evaluate(() => [
    document.activeElement.getAttribute("aria-rowindex"),
    document.activeElement.getAttribute("aria-selected"),
  ]);
  assert.deepEqual(chosen, [String(before - 2), "true"]);
  const heading = page.locator("#launches th button").first();
  await heading.focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#launches th").first().getAttribute("aria-sort"), "ascending");
  const lost = await page.evaluate(
    () =>
      [...document.querySelectorAll("main button, main select, main input, main summary")].filter(
        (element) => element.tabIndex < 0,
      ).length,
  );
  assert.equal(lost, 0);
  await page.close();
});

test("a SQL disclosure shows the query and copies it", async () => {
  const page = await open(world.browser, address("many.html"));
  await page.locator("#stalls details.query summary").focus();
  await page.keyboard.press("Enter");
  const sql = documentOf(at("many.html")).databases[0].tables.stalls.sql;
  assert.equal(await page.locator("#stalls details.query code").textContent(), `${sql};`);
  await page.locator("#stalls details.query button").click();
  await page.waitForFunction(() =>
    /copied|select/.test(document.querySelector("#stalls .sql [role=status]").textContent),
  );
  await page.close();
});

test("the dark or light theme is that of the system or the reader", async () => {
  const page = await open(world.browser, address("many.html"), { colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  assert.equal(dark, "rgb(20, 23, 28)");
  await page.locator("#theme").click();
  assert.equal(await background(), "rgb(255, 255, 255)");
  await page.close();
});

test("printed pages have all rows, in the light theme", async () => {
  const page = await open(world.browser, address("many.html"), { colorScheme: "dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.classList.contains("paper"));
  const report = documentOf(at("many.html")).databases[0];
  assert.equal(
    (await columnValues(page, "configuration", "Description", "key")).length,
    report.configs[0].table.data[0].length,
  );
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("nav")).display), "none");
  assert.ok((await page.pdf({ format: "A4" })).length > 50000);
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await page.waitForFunction(() => !document.documentElement.classList.contains("paper"));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("names with HTML stay text", async () => {
  const page = await open(world.browser, address("many.html"));
  assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main script").length), 0);
  await page.locator("#launches input[type=search]").fill("attack");
  const names = await page.evaluate(() =>
    [...document.querySelectorAll("#launches tbody td[title]")].map((cell) => cell.title),
  );
  assert.ok(names.length > 0 && names.every((name) => name.startsWith("</script><script>attack()")), String(names));
  assert.equal(await page.title(), "Many </title><script>attack()</script> launches");
  await page.close();
});
