// The points of rooflines: launches by their work per second and per byte.

export const levels = [
  { name: "DRAM", symbol: "circle", warp: "warp_inst_per_dram_byte", operation: "op_per_dram_byte" },
  { name: "L2", symbol: "diamond", warp: "warp_inst_per_l2_byte", operation: "op_per_l2_byte" },
];

// A point for each level whose bytes the launch moved.
function pointsOf(launch, facts, speed, peak, intensities) {
  const machine = {
    launch,
    facts,
    speed,
    peak,
    intensities,
    bandwidths: [facts.dram_peak_gb_per_s, facts.l2_peak_gb_per_s],
    hasDram: intensities[0] > 0,
  };
  return levels
    .map((level, place) => ({ ...machine, level, intensity: intensities[place] }))
    .filter((point) => point.intensity > 0 && speed > 0);
}

// [{name, unit, rateUnit, points}] of all kinds of work in the launches: warp instructions, then operations by
// precision, of vector units and of tensor units.
export function kindsOf(report) {
  const kinds = new Map();
  const add = (name, unit, rateUnit, points) => {
    if (points.length > 0) {
      const kind = kinds.get(name) ?? { name, unit, rateUnit, points: [] };
      kind.points.push(...points);
      kinds.set(name, kind);
    }
  };
  for (const launch of report.simulated) {
    const facts = launch.database.tables.facts.rowOf(launch);
    const intensities = levels.map((level) => facts[level.warp]);
    add(
      "warp instructions",
      "warp instructions",
      "warp inst/s",
      pointsOf(launch, facts, facts.warp_ginst_per_s, facts.peak_warp_ginst_per_s, intensities),
    );
  }
  for (const launch of report.simulated) {
    const facts = launch.database.tables.facts.rowOf(launch);
    const table = launch.database.tables.arithmetic;
    for (const at of table.rowsOf(launch)) {
      const row = table.row(at);
      const unit = row.precision.includes("INT") ? "OP" : "FLOP";
      add(
        `${row.precision} operations`,
        unit,
        `${unit}/s`,
        pointsOf(
          launch,
          facts,
          row.gop_per_s,
          row.peak_gop_per_s,
          levels.map((level) => row[level.operation]),
        ),
      );
    }
  }
  nameMachines([...kinds.values()]);
  return [...kinds.values()];
}

// Machines are GPUs; those with one name and several descriptions are distinguished by their peaks.
function nameMachines(kinds) {
  const variants = new Map();
  for (const point of kinds.flatMap((kind) => kind.points)) {
    const peaks = `${point.bandwidths} ${point.facts.peak_warp_ginst_per_s}`;
    const known = variants.get(point.launch.gpu) ?? [];
    if (!known.includes(peaks)) {
      known.push(peaks);
    }
    variants.set(point.launch.gpu, known);
    point.variant = known.indexOf(peaks) + 1;
  }
  for (const point of kinds.flatMap((kind) => kind.points)) {
    const several = variants.get(point.launch.gpu).length > 1;
    point.machine = several ? `${point.launch.gpu}, description ${point.variant}` : point.launch.gpu;
  }
}

// All machines, in the order of their first launch, so that each keeps its colour.
export function machinesOf(kinds) {
  return [...new Set(kinds.flatMap((kind) => kind.points.map((point) => point.machine)))];
}
