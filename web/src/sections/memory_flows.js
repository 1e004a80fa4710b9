// The traffic on each edge of the memory hierarchy, and the derivation of each edge's bytes from the previous edge.

// [{name, amount, unit, perSecond, counts, place: [x from, x to, y]}] of a row of the table `memory`.
export function flowsOf(row, seconds) {
  const known = (name) => row[name] ?? 0;
  const flow = (name, amount, place, counts) => ({
    name,
    amount,
    unit: "bytes",
    perSecond: seconds > 0 ? amount / seconds : 0,
    counts,
    place,
  });
  const copies = known("bulk_copy_in_bytes") + known("bulk_copy_out_bytes");
  return [
    flow(
      "L1 to SMs",
      known("global_load_bytes") + known("local_load_bytes"),
      [290, 140, 125],
      "sectors of 32 bytes that global and local loads touch, each once per instruction",
    ),
    flow(
      "SMs to L1",
      known("global_store_bytes") + known("local_store_bytes") + known("global_atomic_bytes"),
      [140, 290, 160],
      "sectors of 32 bytes that global and local stores, atomics and reductions touch, each once per instruction",
    ),
    {
      name: "SMs to shared memory",
      amount: known("shared_wavefronts"),
      unit: "passes",
      counts: "passes through the banks of shared memory (wavefronts); a request takes one or several",
      place: [140, 290, 270],
    },
    flow(
      "L2 to L1",
      known("l2_to_sm_bytes") - known("bulk_copy_in_bytes"),
      [600, 440, 125],
      "sectors that L2 reads for L1 and for the caches of instructions and constants",
    ),
    flow(
      "L1 to L2",
      known("sm_to_l2_bytes") - known("bulk_copy_out_bytes"),
      [440, 600, 160],
      "sectors written in L2 by stores, atomics and reductions; lanes of an atomic on one address count separately",
    ),
    copies > 0 &&
      flow(
        "L2 and shared memory",
        copies,
        known("bulk_copy_in_bytes") >= known("bulk_copy_out_bytes") ? [600, 440, 270] : [440, 600, 270],
        "sectors of bulk copies (TMA) in both directions, which bypass L1",
      ),
    flow("DRAM to L2", known("dram_to_l2_bytes"), [900, 750, 150], "bytes that DRAM channels read, in sectors"),
    flow(
      "L2 to DRAM",
      known("l2_to_dram_bytes"),
      [750, 900, 190],
      "bytes that DRAM channels write: dirty sectors of lines that L2 evicts or cleans",
    ),
  ].filter(Boolean);
}

// A ledger of amounts: the first line, additions and subtractions, and totals that are counters. If lines do not sum up
// to a total, the difference is also a line.
class Ledger {
  constructor(title, unit, text, amount) {
    Object.assign(this, { title, unit, sum: amount, lines: [{ text, amount, total: true }] });
  }
  change(text, amount) {
    if (amount !== 0) {
      this.lines.push({ text, amount });
      this.sum += amount;
    }
    return this;
  }
  total(text, amount) {
    this.change("not attributed", amount - this.sum);
    this.lines.push({ text, amount, total: true });
    return this;
  }
}

function reads(row, known) {
  const loads = known("global_load_bytes") + known("local_load_bytes");
  const requested = known("l1_requested_bytes");
  const copies = known("bulk_copy_in_bytes");
  const merged = known("merged_read_bytes");
  const atL2 = known("l2_to_sm_bytes");
  const missed = known("l2_miss_bytes");
  const found = atL2 - missed;
  return new Ledger("Reads, from loads to DRAM", "bytes", "touched by global and local loads", loads)
    .change(
      requested <= loads ? "found in L1, or already requested" : "additionally requested by L1: whole lines",
      requested - loads,
    )
    .total("requested by L1", requested)
    .change("bulk copies (TMA), which bypass L1", copies)
    .change("instructions and constants", atL2 + merged - requested - copies)
    .change("merged with an outstanding read of the same GPC", -merged)
    .total("read from L2", atL2)
    .change(
      found >= 0 ? "found in L2, or already requested" : "fetched with neighbouring sectors, or for atomics",
      -found,
    )
    .total("missed in L2", missed)
    .change("found in the other half of L2", known("other_half_miss_bytes") - known("other_half_fill_bytes"))
    .change("to complete partially written sectors", known("completion_bytes"))
    .total("read from DRAM", known("dram_to_l2_bytes"));
}

function writes(row, known) {
  const atomics = known("global_atomic_bytes");
  const stores = known("global_store_bytes") + known("local_store_bytes") + atomics;
  const atL2 = known("sm_to_l2_bytes");
  const copies = known("bulk_copy_out_bytes");
  const difference = atL2 - copies - stores;
  const toDram = known("l2_to_dram_bytes");
  return new Ledger("Writes, from stores to DRAM", "bytes", "touched by stores, atomics and reductions", stores)
    .change(
      difference < 0 ? "kept or merged in L1 (local memory)" : "lanes of atomics on one address, one by one in L2",
      difference,
    )
    .change("bulk copies (TMA), which bypass L1", copies)
    .total("written to L2", atL2)
    .change("still in L2 when the launch ended, or overwritten there", Math.min(0, toDram - atL2))
    .change("left in L2 by earlier launches", Math.max(0, toDram - atL2))
    .total("written to DRAM", toDram);
}

function shared(row, known) {
  const requests = known("shared_requests");
  const conflicts = known("shared_conflicts");
  const passes = known("shared_wavefronts");
  return new Ledger("Shared memory, from requests to passes", "passes", "requests (instructions)", requests)
    .change(
      "wide accesses, operands of warpgroup operations, and instructions that only cross the lanes (shuffles, " +
        "indexed constants), which Nsight Compute also counts as passes",
      passes - requests - conflicts,
    )
    .change("bank conflicts", conflicts)
    .total("passes", passes);
}

export function ledgersOf(row) {
  const known = (name) => row[name] ?? 0;
  return [reads(row, known), writes(row, known), shared(row, known)];
}
