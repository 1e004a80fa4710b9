// Schedulers that withhold loads, in a whole GPU: other warps go on.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <memory>

#include "config/config_tree.h"
#include "mechanisms/mechanism_keys.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

// Some cycles after the first instruction the warp in slot 0 may no longer load before all others have ended.
class FirstComesLast final : public mechanism::WarpScheduler {
 public:
  struct Settings {
    std::uint32_t cycles = 0;
    void describe(mechanism::Keys& keys) { keys.integer("cycles", cycles, 0, 1000000, "cycles until it may not load"); }
  };
  FirstComesLast(const Settings& settings, const Site& /*site*/, mechanism::Counters& /*counters*/)
      : cycles_(settings.cycles) {}
  void warp_arrived(std::uint32_t slot, std::uint64_t /*block*/, mechanism::Cycle /*now*/) override {
    resident_ |= mechanism::WarpMask{1} << slot;
  }
  void warp_left(std::uint32_t slot) override { resident_ &= ~(mechanism::WarpMask{1} << slot); }
  std::uint32_t pick(mechanism::WarpMask candidates, mechanism::Cycle /*now*/) const override {
    return static_cast<std::uint32_t>(std::countr_zero(candidates));
  }
  void issued(const mechanism::IssuedInstruction& instruction) override { first_ = std::min(first_, instruction.now); }
  bool withholds() const override { return true; }
  mechanism::WarpMask withheld(mechanism::WarpMask loads, mechanism::Cycle now) const override {
    const mechanism::WarpMask first = 1;
    return now >= first_ && now - first_ >= cycles_ && (resident_ & ~first) != 0 ? loads & first : 0;
  }

 private:
  std::uint32_t cycles_;
  mechanism::Cycle first_ = ~mechanism::Cycle{0};
  mechanism::WarpMask resident_ = 0;
};

// Of warps that load and compute in turns, more than the memory queue holds.
Cycle cycles_with(GpuConfig config) {
  KernelBuilder k;
  k.loop(3, [&] {
    for (std::uint8_t i = 0; i < 4; ++i) {
      k.ldg(static_cast<std::uint8_t>(4 + i),
            {.base = 0x10000, .lane_stride = 128, .warp_stride = 4096, .round_stride = 1 << 16})
          .writes(i);
    }
    k.iadd(10, 4, 5).waits(0);
    k.iadd(10, 6, 7).waits(3);
  });
  k.exit();
  KernelShape shape;
  shape.blocks = 8;
  shape.warps = 8;
  SyntheticKernel kernel(k, shape);
  Machine gpu(std::move(config), {});
  return run_on(gpu, kernel).result.elapsed_cycles;
}

TEST_CASE("Warps that may load are not held up by those that wait in front of them and may not") {
  GpuConfig config =
      tiny_config({"sm.sub_core.warp_slots=8", "occupancy.warps_per_sm=32", "occupancy.registers_per_sm=65536"});
  const Cycle own = cycles_with(config);
  config.sm.sub_core.scheduler.policy = SchedulerPolicy::kMechanism;
  for (std::uint32_t cycles = 10; cycles < own; cycles += static_cast<std::uint32_t>(own) / 10) {
    std::shared_ptr<mechanism::Factory<mechanism::WarpScheduler>> factory =
        mechanism::entry_of<FirstComesLast>("first_comes_last", "lets others go first").make_factory();
    ConfigTree::parse(fmt::format("cycles: {}\n", cycles), "gpu.yaml", {}).read([&factory](ConfigSection& section) {
      describe_keys(*factory, section);
    });
    config.sm.sub_core.scheduler.mechanism = {"first_comes_last", factory};
    const Cycle taken = cycles_with(config);
    CHECK(taken < 2 * own);
  }
}

}  // namespace
}  // namespace warpsim::test
