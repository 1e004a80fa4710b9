// Shared by the tests: programs, databases, pages.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { chromium } from "playwright-core";

export const [warpsim, browserPath, source] = process.argv.slice(2);
const place = process.argv.indexOf("--screenshots");
export const screenshots = place < 0 ? null : process.argv[place + 1];

// In the source folder, so that traces and descriptions have short names.
export function run(...words) {
  return execFileSync(warpsim, words, { cwd: source, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

export function start(...words) {
  return spawn(warpsim, words, { stdio: ["ignore", "pipe", "inherit"] });
}

export function query(database, sql) {
  const text = execFileSync("sqlite3", ["-json", database, sql], { encoding: "utf8", maxBuffer: 1 << 30 });
  return text.trim() === "" ? [] : JSON.parse(text);
}

export function execute(database, ...sql) {
  execFileSync("sqlite3", [database, ...sql]);
}

// The document in a page, as the page unpacks it.
export function documentOf(path) {
  const page = readFileSync(path, "latin1");
  const lines = /<script type="text\/plain" id="document">\n([^<]*)<\/script>/.exec(page)[1].split("\n");
  return JSON.parse(inflateSync(Buffer.from(lines[0], "base64")).toString("utf8"));
}

export function launchBrowser() {
  return chromium.launch({
    executablePath: browserPath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

// Opens a page and waits until it is ready; its errors are stored in `page.problems`.
export async function open(browser, address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.problems = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      page.problems.push(message.text());
    }
  });
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("request", (request) => {
    if (
      !request.url().startsWith(new URL(address).origin === "null" ? "file:" : new URL(address).origin) &&
      !request.url().startsWith("data:")
    ) {
      page.problems.push(`request to ${request.url()}`);
    }
  });
  // A busy machine is slow, not wrong.
  page.setDefaultTimeout(120000);
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  return page;
}

// How many times as slow as the machine on which the limits of time were set this one is now; at least 1. That machine
// builds and lays out the table below in a second.
export async function slowness(browser) {
  const page = await browser.newPage();
  const times = [];
  for (let i = 0; i < 6; ++i) {
    times.push(
      await page.evaluate(() => {
        const begin = performance.now();
        const table = document.createElement("table");
        for (let row = 0; row < 2000; ++row) {
          const line = table.insertRow();
          for (let column = 0; column < 20; ++column) {
            line.insertCell().textContent = `${(row * 20 + column) / 7}`;
          }
        }
        document.body.append(table);
        const laidOut = table.offsetHeight > 0;
        table.remove();
        return laidOut ? performance.now() - begin : Infinity;
      }),
    );
  }
  await page.close();
  times.sort((a, b) => a - b);
  return Math.max(1, times[times.length / 2] / 1000);
}

// The unchanged values of a column of a table in a section.
export function columnValues(page, section, caption, heading) {
  return page.evaluate(
    ([id, title, name]) => {
      const tables = [...document.querySelectorAll(`#${id} table`)];
      const table = tables.find((candidate) => candidate.caption?.textContent.startsWith(title));
      const at = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === name);
      return [...table.tBodies[0].rows]
        .filter((row) => !row.classList.contains("spacer"))
        .map((row) => {
          const cell = row.cells[at];
          return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
        });
    },
    [section, caption, heading],
  );
}
