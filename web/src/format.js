// Numbers formatted for readers. The attribute data-value has the exact value.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const four = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });
const fixed = [0, 1, 2, 3].map(
  (digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);

export const nothing = "–";

export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return nothing;
  }
  if (typeof value !== "number") {
    return String(value);
  }
  if (Number.isInteger(value) || Math.abs(value) >= 1e5) {
    return whole.format(value);
  }
  if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15)) {
    return value.toExponential(3);
  }
  return four.format(value);
}

export function digits(value, count) {
  return value === null || value === undefined || Number.isNaN(value) ? nothing : fixed[count].format(value);
}

export function percent(value) {
  return value === null || value === undefined || Number.isNaN(value) ? nothing : `${fixed[1].format(value)} %`;
}

export function share(value) {
  return value === null || value === undefined ? nothing : `${fixed[1].format(value * 100)} %`;
}

export function time(microseconds) {
  if (microseconds === null || microseconds === undefined) {
    return nothing;
  }
  if (microseconds < 1000) {
    return `${four.format(microseconds)} µs`;
  }
  return microseconds < 1e6 ? `${four.format(microseconds / 1e3)} ms` : `${four.format(microseconds / 1e6)} s`;
}

// A point in time, in a scale whose neighbouring values differ by `step`: digits that tell them apart, and no more.
export function point(value, step) {
  const count = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: count }).format(value);
}

const powersOf1000 = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];
const powersOf1024 = [
  [2 ** 40, "Ti"],
  [2 ** 30, "Gi"],
  [2 ** 20, "Mi"],
  [2 ** 10, "Ki"],
];

function prefixed(value, unit, steps) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return nothing;
  }
  const [factor, prefix] = steps.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  return `${four.format(value / factor)} ${prefix}${unit}`;
}

// Rates: prefixes are powers of 1000, so that 4.9e12 B/s are 4.9 TB/s.
export function scaled(value, unit) {
  return prefixed(value, unit, powersOf1000);
}

// Amounts of data: prefixes are powers of 1024.
export function bytes(value) {
  return prefixed(value, "B", powersOf1024);
}
