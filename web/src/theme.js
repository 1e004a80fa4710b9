// Light, dark, or the mode of the system; paper is always light.

const key = "warpsim-theme";
const listeners = new Set();
let paper = false;

function stored() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // pages from files may have no storage
  }
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return !paper && (chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
}

function apply() {
  document.documentElement.classList.toggle("dark", isDark());
  document.documentElement.classList.toggle("paper", paper);
  listeners.forEach((listener) => listener());
}

export function startTheme() {
  const chosen = stored();
  if (chosen === "dark" || chosen === "light") {
    document.documentElement.dataset.theme = chosen;
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
}

export function toggleTheme() {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(key, next);
  } catch {
    // the selection is lost when the page is closed
  }
  apply();
}

export function setPaper(on) {
  paper = on;
  apply();
}

export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export const palette = [
  "#4477aa",
  "#ee6677",
  "#228833",
  "#ccbb44",
  "#66ccee",
  "#aa3377",
  "#e07b39",
  "#7a6fb0",
  "#2aa198",
  "#b58900",
  "#8c564b",
  "#d33682",
  "#6c8ebf",
  "#859900",
  "#999999",
  "#cb4b16",
  "#5f9ea0",
  "#a0522d",
  "#bcbd22",
];

const reasons = [
  "selected",
  "long_scoreboard",
  "short_scoreboard",
  "wait",
  "barrier",
  "math_pipe_throttle",
  "mio_throttle",
  "lg_throttle",
  "not_selected",
  "no_instruction",
  "branch_resolving",
  "imc_miss",
  "dispatch_stall",
  "drain",
  "misc",
  "gmma",
  "membar",
  "tex_throttle",
  "sleeping",
];
// A stall reason has the same colour everywhere.
export function reasonColor(reason) {
  const place = reasons.indexOf(reason);
  return palette[place < 0 ? 14 : [2, 0, 4, 3, 5, 1, 6, 9, 14, 7, 8, 10, 12, 13, 16, 11, 15, 17, 18][place]];
}
export { reasons };
