// Display names of columns and stall reasons, with units.

const names = {
  // samples over time
  ipc: "warp instructions per cycle",
  active_warps: "resident warps",
  eligible_warps: "eligible warps",
  threads_per_instruction: "threads per instruction",
  l1_hit_pct: "L1 hit rate, %",
  l1_fill_gb_per_s: "L1 fills, GB/s",
  shared_wavefronts_per_cycle: "passes per cycle",
  shared_conflicts_per_cycle: "passes per cycle by bank conflicts",
  lsu_queue: "instructions for the load/store units",
  l2_hit_pct: "L2 hit rate, %",
  l2_gb_per_s: "L2, GB/s",
  l2_queue: "requests for L2",
  dram_read_gb_per_s: "DRAM reads, GB/s",
  dram_write_gb_per_s: "DRAM writes, GB/s",
  dram_gb_per_s: "DRAM, GB/s",
  dram_row_hit_pct: "DRAM row hits, %",
  dram_queue: "requests for DRAM",
  // memory
  global_load_requests: "global load instructions",
  global_load_bytes: "sectors of global loads, bytes",
  global_store_requests: "global store instructions",
  global_store_bytes: "sectors of global stores, bytes",
  global_atomic_bytes: "sectors of atomics and reductions, bytes",
  local_load_bytes: "sectors of local loads, bytes",
  local_store_bytes: "sectors of local stores, bytes",
  shared_requests: "instructions that access shared memory",
  shared_wavefronts: "passes of shared memory",
  shared_conflicts: "passes by bank conflicts",
  l1_requested_bytes: "requested by L1, bytes",
  bulk_copy_in_bytes: "bulk copies to shared memory, bytes",
  bulk_copy_out_bytes: "bulk copies from shared memory, bytes",
  merged_read_bytes: "reads merged with an outstanding one, bytes",
  l2_to_sm_bytes: "read from L2, bytes",
  sm_to_l2_bytes: "written to L2, bytes",
  l2_miss_bytes: "missed in L2, bytes",
  other_half_miss_bytes: "missed in the other half of L2, bytes",
  other_half_fill_bytes: "filled from the other half of L2, bytes",
  completion_bytes: "read to complete sectors, bytes",
  fabric_bytes: "between the halves of L2, requests included, bytes",
  dram_to_l2_bytes: "read from DRAM, bytes",
  l2_to_dram_bytes: "written to DRAM, bytes",
};

const endings = [
  ["_pct", "%"],
  ["_gb_per_s", "GB/s"],
  ["_bytes", "bytes"],
  ["_cycles", "cycles"],
  ["_us", "µs"],
  ["_ns", "ns"],
];

const words = { l1: "L1", l2: "L2", dram: "DRAM", lsu: "load/store unit", sm: "SM", gpu: "GPU" };

export function columnLabel(name) {
  if (name in names) {
    return names[name];
  }
  const [ending, unit] = endings.find(([end]) => name.endsWith(end)) ?? ["", ""];
  const plain = name.slice(0, name.length - ending.length);
  const text = plain
    .split("_")
    .map((word) => words[word] ?? word)
    .join(" ");
  return unit ? `${text}, ${unit}` : text;
}

const reasons = {
  imc_miss: "immediate constant miss",
  lg_throttle: "local/global queue full",
  mio_throttle: "memory input/output queue full",
  tex_throttle: "texture queue full",
  math_pipe_throttle: "math pipe busy",
  long_scoreboard: "long scoreboard (L1, L2, DRAM)",
  short_scoreboard: "short scoreboard (shared memory)",
  wait: "wait (fixed latency)",
  gmma: "warpgroup operation",
  membar: "memory barrier",
};

export function reasonLabel(reason) {
  return reasons[reason] ?? reason.replaceAll("_", " ");
}
