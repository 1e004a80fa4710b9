// Shared by the tests: the folder of their results, the browser.
import { join } from "node:path";
import { launchBrowser } from "./support.mjs";

export const folder = join(process.cwd(), "results");
export const at = (name) => join(folder, name);
export const address = (name) => `file://${at(name)}`;
// As a file in the source folder, so that its name is short in every build.
export const H200 = "configs/h200.yaml";
export const trace = (name) => join("traces", `${name}.wtrace`);
export const world = { browser: null };

export async function startBrowser() {
  world.browser = await launchBrowser();
}

// sqlite3 prints 15 digits.
export function same(actual, expected) {
  if (typeof actual === "number" && typeof expected === "number") {
    return actual === expected || Math.abs(actual - expected) <= 1e-12 * Math.abs(expected);
  }
  return (actual ?? null) === (expected ?? null);
}
