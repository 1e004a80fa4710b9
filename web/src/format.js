// Numbers as people read them. The value itself stands beside it in data-value.

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

const steps = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];
export function scaled(value, unit) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return nothing;
  }
  for (const [factor, prefix] of steps) {
    if (Math.abs(value) >= factor) {
      return `${four.format(value / factor)} ${prefix}${unit}`;
    }
  }
  return `${four.format(value)} ${unit}`;
}

export function bytes(value) {
  return scaled(value, "B");
}
