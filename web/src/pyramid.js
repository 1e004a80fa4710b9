// Minima and maxima of intervals of increasing length, so that a million points draw as fast as one screen of points.

const FACTOR = 16;

export class Pyramid {
  constructor(values) {
    this.levels = [{ low: values, high: values, mean: values, stretch: 1 }];
  }
  // A level in which `count` points become at most `most` intervals.
  level(count, most) {
    let place = 0;
    while (count / this.levels[place].stretch > most) {
      place += 1;
      if (place === this.levels.length) {
        this.levels.push(shorter(this.levels[place - 1]));
      }
    }
    // One level finer, then merged to the width: a jump by the factor would be visible.
    return this.levels[Math.max(0, place - 1)];
  }
}

function shorter({ low, high, mean, stretch }) {
  const length = Math.ceil(low.length / FACTOR);
  const result = {
    low: new Float32Array(length),
    high: new Float32Array(length),
    mean: new Float32Array(length),
    stretch: stretch * FACTOR,
  };
  for (let i = 0; i < length; ++i) {
    gather(low, high, mean, i * FACTOR, Math.min(low.length, (i + 1) * FACTOR), result, i);
  }
  return result;
}

function gather(low, high, mean, from, to, result, place) {
  let least = NaN;
  let greatest = NaN;
  let sum = 0;
  let count = 0;
  for (let i = from; i < to; ++i) {
    if (low[i] === low[i]) {
      least = least <= low[i] ? least : low[i];
      greatest = greatest >= high[i] ? greatest : high[i];
      sum += mean[i];
      count += 1;
    }
  }
  result.low[place] = least;
  result.high[place] = greatest;
  result.mean[place] = count > 0 ? sum / count : NaN;
}

// The drawn values of points [from, to) with at most `most` intervals: {steps, low, high, mean}; steps are the first
// points of the intervals.
export function drawn(pyramid, from, to, most) {
  const { low, high, mean, stretch } = pyramid.level(to - from, most);
  const first = Math.floor(from / stretch);
  const last = Math.min(low.length, Math.ceil(to / stretch));
  const group = Math.max(1, Math.ceil((last - first) / most));
  const length = Math.ceil((last - first) / group);
  const result = {
    steps: new Float64Array(length),
    low: new Float32Array(length),
    high: new Float32Array(length),
    mean: new Float32Array(length),
  };
  for (let i = 0; i < length; ++i) {
    const begin = first + i * group;
    result.steps[i] = begin * stretch;
    gather(low, high, mean, begin, Math.min(last, begin + group), result, i);
  }
  result.single = stretch === 1 && group === 1;
  return result;
}

// The first index in the ascending `values` whose value is at least `value`.
export function lowerBound(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
