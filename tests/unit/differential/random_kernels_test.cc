// Random kernels on random machines: all end, execute the instructions of their paths, attribute every cycle of
// every warp to one reason, and run the same with and without skipping and for any lookahead.
#include <catch2/catch.hpp>
#include <random>

#include "support/machine.h"

namespace warpsim::test {
namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  std::uint8_t reg() { return static_cast<std::uint8_t>(below(40)); }
  template <typename T>
  T of(std::initializer_list<T> choices) {
    return *(choices.begin() + below(static_cast<std::uint32_t>(choices.size())));
  }

 private:
  std::mt19937 engine_;
};

Addresses random_addresses(Dice& dice, bool shared) {
  Addresses addresses;
  addresses.base = shared ? dice.below(64) * 16 : Address{0x100000} + dice.below(4096) * 16;
  addresses.lane_stride = dice.of<std::int64_t>({0, 4, 4, 4, 8, 16, 32, 36, 128, 260});
  addresses.warp_stride = shared ? 0 : dice.of<std::int64_t>({0, 128, 512, 4096});
  addresses.block_stride = shared ? 0 : dice.of<std::int64_t>({0, 4096, 0x10000});
  addresses.round_stride = shared ? 0 : dice.of<std::int64_t>({0, 32, 128, 8192});
  return addresses;
}

void write_memory_instruction(KernelBuilder& k, Dice& dice) {
  const std::uint32_t counter = dice.below(3);
  const Addresses global = random_addresses(dice, false);
  const Addresses shared = random_addresses(dice, true);
  const LaneMask lanes = dice.one_in(6) ? 0 : kAllLanes;
  switch (dice.below(9)) {
    case 0:
      k.load(dice.of<std::string>({"LDG.E", "LDG.E.64", "LDG.E.128", "LDG.E.STRONG.GPU"}), dice.reg(), global)
          .writes(counter)
          .lanes(lanes);
      break;
    case 1:
      k.stg(global, dice.reg()).reads(counter).lanes(lanes);
      break;
    case 2:
      k.load(dice.of<std::string>({"LDS", "LDS.64", "LDS.128"}), dice.reg(), shared).writes(counter).lanes(lanes);
      break;
    case 3:
      k.sts(shared, dice.reg()).reads(counter).lanes(lanes);
      break;
    case 4:
      k.load("ATOMG.E.ADD", dice.reg(), global).writes(counter).lanes(lanes);
      break;
    case 5:
      k.store("RED.E.ADD", global, dice.reg()).lanes(lanes);
      break;
    case 6:
      k.load("ATOMS.ADD", dice.reg(), shared).writes(counter).lanes(lanes);
      break;
    case 7:
      k.store("LDGSTS.E.BYPASS.128", global, 255).lanes(lanes);
      break;
    default:
      k.load("LDL", dice.reg(), {.base = dice.below(16) * Address{4}, .lane_stride = 0}).writes(counter).lanes(lanes);
      break;
  }
}

void write_instruction(KernelBuilder& k, Dice& dice) {
  switch (dice.below(10)) {
    case 0:
    case 1:
    case 2:
      write_memory_instruction(k, dice);
      break;
    case 3:
      k.mufu(dice.reg(), dice.reg()).writes(3);
      break;
    case 4:
      k.iadd_constant(dice.reg(), dice.reg(), 3, dice.below(64) * 32).waits(3);
      break;
    case 5:
      k.ldc(dice.reg(), 3, dice.below(64) * 32).writes(4);
      break;
    case 6:
      k.op(dice.of<std::string>({"SHFL.IDX", "S2R", "DADD", "IMAD", "HFMA2", "HMMA.16816.F32"}), dice.reg(),
           {dice.reg()});
      break;
    case 7:
      k.iadd(dice.reg(), dice.reg(), dice.reg()).waits(dice.below(5)).stall(1 + dice.below(6));
      break;
    default:
      k.ffma(dice.reg(), dice.reg(), dice.reg(), dice.reg()).stall(dice.below(5)).reuse(dice.below(3));
      break;
  }
}

KernelBuilder random_kernel(Dice& dice) {
  KernelBuilder k;
  const std::uint32_t loops = 1 + dice.below(3);
  for (std::uint32_t i = 0; i < loops; ++i) {
    k.loop(1 + dice.below(5), [&] {
      const std::uint32_t length = 3 + dice.below(20);
      for (std::uint32_t n = 0; n < length; ++n) {
        write_instruction(k, dice);
      }
      const std::uint32_t part = dice.below(4);
      k.only([part](std::uint32_t warp) { return warp % 4 == part; }, [&] { write_instruction(k, dice); });
      if (dice.one_in(2)) {
        k.bar();
      }
      if (dice.one_in(3)) {
        k.commit(5);
        k.depbar(5, static_cast<std::int32_t>(dice.below(2)));
      }
      if (dice.one_in(6)) {
        k.membar_device();
      }
    });
  }
  k.exit();
  return k;
}

Overrides random_machine(Dice& dice) {
  Overrides overrides;
  const auto set = [&](const std::string& key, std::initializer_list<const char*> values) {
    overrides.push_back(key + "=" + dice.of<const char*>(values));
  };
  set("clocks.l2_mhz", {"1000", "864", "1333"});
  set("clocks.dram_mhz", {"2000", "1617"});
  set("sm.sub_core.scheduler.policy", {"oldest_block", "cggty", "gto", "lrr", "two_level"});
  set("sm.sub_core.dependences", {"control_bits", "control_bits", "scoreboard"});
  set("sm.sub_core.fetch.prefetch_lines", {"0", "1", "4"});
  set("sm.sub_core.fetch.l0_kib", {"1", "4"});
  set("sm.load_store.queue_entries", {"1", "4", "8"});
  set("sm.load_store.stage_queue_entries", {"1", "4"});
  set("sm.load_store.output_entries", {"1", "8"});
  set("sm.load_store.output_atomic_sectors", {"4", "16"});
  set("sm.l1.mshr_entries", {"1", "3", "16"});
  set("sm.l1.mshr_waiters", {"1", "8"});
  set("sm.l1.write_allocate", {"true", "false"});
  set("crossbar.port_request_entries", {"1", "8"});
  set("crossbar.port_response_entries", {"1", "8"});
  set("crossbar.slice_queue_entries", {"1", "8"});
  set("crossbar.coalescer.enabled", {"true", "false"});
  set("l2.mshr_entries", {"1", "8"});
  set("l2.reply_queue_entries", {"1", "8"});
  set("l2.replacement", {"lru", "fifo", "random"});
  set("l2.fill_bytes", {"32", "64", "128"});
  set("l2.keep_far_writes_near", {"true", "false"});
  set("dram.refresh", {"none", "all_bank", "per_bank"});
  set("dram.timing_cycles.t_refi", {"900", "5000"});
  set("dram.page_policy", {"open", "closed"});
  return overrides;
}

std::string first_difference(const KernelRun& a, const KernelRun& b) {
  for (const auto& [name, value] : a.statistics) {
    const auto other = b.statistics.find(name);
    if (other == b.statistics.end() || other->second != value) {
      return name;
    }
  }
  return a.statistics.size() == b.statistics.size() ? "" : "further statistics";
}

TEST_CASE("Random kernels on random machines satisfy the machine's invariants") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    Dice dice(seed);
    const KernelBuilder builder = random_kernel(dice);
    KernelShape shape{.blocks = 1 + dice.below(6), .warps = 1 + dice.below(4), .shared_bytes = 2048, .local_bytes = 64};
    const Overrides overrides = random_machine(dice);
    INFO("seed " << seed);
    SyntheticKernel kernel(builder, shape);
    const KernelRun skipping = run(kernel, overrides, {.skip = true});
    const KernelRun ticking = run(kernel, overrides, {.skip = false});
    shape.supply = Supply::kWhole;
    SyntheticKernel known(builder, shape);
    const KernelRun whole = run(known, overrides);

    CHECK(skipping["sm.sub_core.inst_executed"] == kernel.instructions());
    CHECK(skipping["sm.sub_core.stalled_selected"] == kernel.instructions());
    CHECK(skipping["block_scheduler.blocks_completed"] == shape.blocks);
    CHECK(skipping["sm.l1.requested_sectors"] == skipping["sm.l1.filled_sectors"]);
    CHECK(skipping["sm.lsu.global_load_sectors"] ==
          skipping["sm.lsu.global_load_sector_hits"] + skipping["sm.lsu.global_load_sector_misses"]);
    CHECK(skipping.result.elapsed_cycles == ticking.result.elapsed_cycles);
    CHECK(first_difference(skipping, ticking) == "");
    CHECK(skipping.result.elapsed_cycles == whole.result.elapsed_cycles);
    CHECK(first_difference(skipping, whole) == "");
  }
}

}  // namespace
}  // namespace warpsim::test
