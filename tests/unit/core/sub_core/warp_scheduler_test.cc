#include "core/sub_core/warp_scheduler.h"

#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/config_tree.h"
#include "core/sm/l1_events.h"
#include "mechanisms/mechanism_keys.h"

namespace warpsim {
namespace {

WarpScheduler with_four_warps(SchedulerPolicy policy, std::uint32_t active = 2) {
  WarpScheduler scheduler({policy, active, 100, {}});
  for (const std::uint32_t slot : {2U, 0U, 3U, 1U}) {  // slot 2 is the oldest, slot 1 the youngest
    scheduler.warp_arrived(slot, 0, 0);
  }
  return scheduler;
}

// Block 1 in slots 4 and 5, then block 2 in slots 2 and 3, then block 3 in slots 0 and 1; in each the second one is the
// younger warp.
WarpScheduler with_three_blocks() {
  WarpScheduler scheduler({SchedulerPolicy::kOldestBlock, 1, 50, {}});
  std::uint64_t block = 0;
  for (const std::uint32_t first : {4U, 2U, 0U}) {
    ++block;
    scheduler.warp_arrived(first, block, 0);
    scheduler.warp_arrived(first + 1, block, 0);
  }
  return scheduler;
}

// The slots that issue in `cycles` cycles in which the same warps are eligible.
std::vector<std::uint32_t> picks(WarpScheduler& scheduler, WarpMask eligible, int cycles) {
  std::vector<std::uint32_t> order;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    order.push_back(scheduler.pick(eligible, 0));
    scheduler.issued(order.back(), eligible);
  }
  return order;
}

using Slots = std::vector<std::uint32_t>;

TEST_CASE("The oldest block comes first, and in it the youngest warp") {
  WarpScheduler scheduler = with_three_blocks();
  scheduler.issued(31, 0x3f);  // none of them
  Slots order;
  for (WarpMask left = 0x3f; left != 0; left &= ~(WarpMask{1} << order.back())) {
    order.push_back(scheduler.pick(left, 0));
  }
  CHECK(order == Slots{5, 4, 3, 2, 1, 0});
}

TEST_CASE("A warp that can issue goes on before a warp of an older block") {
  WarpScheduler scheduler = with_three_blocks();
  scheduler.issued(0, 0x3f);
  CHECK(picks(scheduler, 0x3f, 3) == Slots{0, 0, 0});
  CHECK(picks(scheduler, 0x3e, 1) == Slots{5});
}

TEST_CASE("A block that takes the slots of an older one is the youngest") {
  WarpScheduler scheduler = with_three_blocks();
  scheduler.issued(5, 0x3f);
  scheduler.warp_left(4);
  scheduler.warp_left(5);
  scheduler.warp_arrived(5, 4, 0);
  scheduler.warp_arrived(4, 4, 0);
  Slots order;
  for (WarpMask left = 0x3f; left != 0; left &= ~(WarpMask{1} << order.back())) {
    order.push_back(scheduler.pick(left, 0));
    scheduler.issued(order.back(), left);
  }
  CHECK(order == Slots{5, 3, 2, 1, 0, 4});  // slot 5 issued last; of the new block, slot 4 came second
}

TEST_CASE("Under oldest block a warp that yields has lower priority than those of younger blocks that have not") {
  WarpScheduler scheduler = with_three_blocks();
  scheduler.issued(5, 0x3f);
  scheduler.yielded(5, 0);
  CHECK(scheduler.pick(0x3f, 0) == 4);
  CHECK(scheduler.pick(0x23, 0) == 1);
}

TEST_CASE("Fetch follows the warp that issued last, otherwise the youngest of the oldest block") {
  WarpScheduler scheduler = with_three_blocks();
  scheduler.issued(0, 0x3f);
  CHECK(scheduler.pick_for_fetch(0x3f, 0) == 0);
  CHECK(scheduler.pick_for_fetch(0x3e, 0) == 5);
  CHECK(scheduler.pick_for_fetch(0x1e, 0) == 4);
}

TEST_CASE("Greedy then youngest keeps a warp while it can issue and then picks the youngest") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kCggty);
  scheduler.issued(3, 0xf);
  CHECK(picks(scheduler, 0xf, 3) == Slots{3, 3, 3});
  CHECK(picks(scheduler, 0x7, 2) == Slots{1, 1});
  CHECK(picks(scheduler, 0x5, 1) == Slots{0});
}

TEST_CASE("Under greedy then youngest a warp that yields has lower priority than those that have not") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kCggty);
  scheduler.issued(1, 0xf);
  Slots order{1};
  for (int turn = 0; turn < 3; ++turn) {
    scheduler.yielded(order.back(), 0);
    order.push_back(scheduler.pick(0xf, 0));
    scheduler.issued(order.back(), 0xf);
  }
  scheduler.yielded(order.back(), 0);
  CHECK(order == Slots{1, 3, 0, 2});
  CHECK(picks(scheduler, 0xf, 3) == Slots{1, 1, 1});  // the next round
}

TEST_CASE("A round ends when only warps that have yielded can issue") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kCggty);
  scheduler.issued(1, 0xf);
  scheduler.yielded(1, 0);
  scheduler.issued(3, 0xf);
  scheduler.yielded(3, 0);
  CHECK(picks(scheduler, 0xa, 1) == Slots{1});  // slots 0 and 2 cannot
  CHECK(picks(scheduler, 0xd, 1) == Slots{3});  // and slot 3 no longer needs to wait for them
}

TEST_CASE("A warp that yielded and issues because no other can has lower priority than the others") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kCggty);
  scheduler.issued(1, 0xf);
  scheduler.yielded(1, 0);
  CHECK(picks(scheduler, 0x2, 2) == Slots{1, 1});
  CHECK(picks(scheduler, 0xf, 1) == Slots{3});
}

TEST_CASE("A yield has no effect after its time") {
  WarpScheduler scheduler({SchedulerPolicy::kCggty, 1, 50, {}});
  scheduler.warp_arrived(0, 0, 0);
  scheduler.warp_arrived(1, 0, 0);
  scheduler.issued(1, 0x3);
  scheduler.yielded(1, 100);
  scheduler.forget_yields(149);
  CHECK(scheduler.pick(0x3, 0) == 0);
  scheduler.forget_yields(150);
  CHECK(scheduler.pick(0x3, 0) == 1);
}

TEST_CASE("Greedy then oldest keeps a warp while it can issue and then picks the oldest") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kGto);
  scheduler.issued(3, 0xf);
  CHECK(picks(scheduler, 0xf, 2) == Slots{3, 3});
  CHECK(picks(scheduler, 0x7, 2) == Slots{2, 2});
  CHECK(picks(scheduler, 0x3, 1) == Slots{0});
}

TEST_CASE("Loose round robin visits the slots and skips warps that cannot issue") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kLrr);
  scheduler.issued(0, 0xf);
  CHECK(picks(scheduler, 0xf, 5) == Slots{1, 2, 3, 0, 1});
  CHECK(picks(scheduler, 0x9, 3) == Slots{3, 0, 3});
}

TEST_CASE("Round robin wraps around from the last slot of the largest sub-core") {
  WarpScheduler scheduler({SchedulerPolicy::kLrr, 1, 100, {}});
  scheduler.issued(kMaxWarpsPerSubCore - 1, 0);
  CHECK(scheduler.pick(WarpMask{1} << (kMaxWarpsPerSubCore - 1) | 1U, 0) == 0);
}

TEST_CASE("Two-level scheduling rotates among its active warps as long as one of them can issue") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kTwoLevel, 2);
  // The set is empty: the oldest, slot 2, enters; while it can issue, no other warp does.
  CHECK(picks(scheduler, 0xf, 3) == Slots{2, 2, 2});
  // Slot 2 waits: slot 0, the oldest of the others, takes the second place. Then both alternate.
  CHECK(picks(scheduler, 0xb, 1) == Slots{0});
  CHECK(picks(scheduler, 0xf, 4) == Slots{2, 0, 2, 0});
}

TEST_CASE("A full active set gives the place of its oldest waiting warp to a new warp") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kTwoLevel, 2);
  scheduler.issued(2, 0xf);
  scheduler.issued(0, 0xb);
  // Both active warps wait; slot 3 is the older of the rest and replaces slot 2.
  CHECK(picks(scheduler, 0xa, 1) == Slots{3});
  CHECK(picks(scheduler, 0xf, 4) == Slots{0, 3, 0, 3});
}

TEST_CASE("A warp that leaves gives up its place in the active set") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kTwoLevel, 1);
  scheduler.issued(2, 0xf);
  scheduler.warp_left(2);
  CHECK(picks(scheduler, 0xb, 1) == Slots{0});
}

TEST_CASE("A pick does not change state") {
  for (const SchedulerPolicy policy : {SchedulerPolicy::kOldestBlock, SchedulerPolicy::kCggty, SchedulerPolicy::kGto,
                                       SchedulerPolicy::kLrr, SchedulerPolicy::kTwoLevel}) {
    const WarpScheduler scheduler = with_four_warps(policy);
    const std::uint32_t first = scheduler.pick(0xe, 0);
    CHECK(scheduler.pick(0xe, 0) == first);
    CHECK(scheduler.pick(0xe, 0) == first);
  }
}

TEST_CASE("Fetch follows the warp that issued last, otherwise the youngest") {
  WarpScheduler scheduler = with_four_warps(SchedulerPolicy::kGto);
  scheduler.issued(3, 0xf);
  CHECK(scheduler.pick_for_fetch(0xf, 0) == 3);
  CHECK(scheduler.pick_for_fetch(0x7, 0) == 1);
}

TEST_CASE("A reused slot has the age of its new warp") {
  const SchedulerPolicy policy = GENERATE(SchedulerPolicy::kGto, SchedulerPolicy::kCggty);
  WarpScheduler scheduler = with_four_warps(policy);
  scheduler.issued(3, 0xf);
  scheduler.warp_left(2);
  scheduler.warp_arrived(2, 0, 0);
  CHECK(scheduler.pick(0x7, 0) == (policy == SchedulerPolicy::kGto ? 0 : 2));
}

// Picks the highest candidate, or what the description says, and counts what it hears.
class Highest final : public mechanism::WarpScheduler {
 public:
  struct Settings {
    std::uint32_t always = 64;  // 64: the highest candidate
    void describe(mechanism::Keys& keys) { keys.integer("always", always, 0, 64, "the slot to pick"); }
  };
  Highest(const Settings& settings, const Site& site, mechanism::Counters& counters)
      : settings_(settings),
        site_(site),
        issues_(counters.add("issues", mechanism::CounterUnit::kInstructions, "instructions")) {}
  void warp_arrived(std::uint32_t /*slot*/, std::uint64_t /*block*/, mechanism::Cycle /*now*/) override {}
  void warp_left(std::uint32_t /*slot*/) override {}
  std::uint32_t pick(mechanism::WarpMask candidates, mechanism::Cycle /*now*/) const override {
    return settings_.always < 64 ? settings_.always : 63 - static_cast<std::uint32_t>(std::countl_zero(candidates));
  }
  void issued(const mechanism::IssuedInstruction& instruction) override {
    issues_ += instruction.slot + site_.sub_core;
  }

 private:
  Settings settings_;
  Site site_;
  mechanism::Counter issues_;
};

struct Described {
  explicit Described(const std::string& text) {
    WarpSchedulerConfig config;
    std::shared_ptr<mechanism::Factory<mechanism::WarpScheduler>> factory =
        mechanism::entry_of<Highest>("highest", "picks the highest").make_factory();
    ConfigTree::parse(text, "gpu.yaml", {}).read([&factory](ConfigSection& section) {
      describe_keys(*factory, section);
    });
    config.policy = SchedulerPolicy::kMechanism;
    config.mechanism = {"highest", factory};
    scheduler.emplace(config, mechanism::WarpSchedulerSite{.warp_slots = 16, .sub_core = 2}, &root);
  }
  LaunchStats<StatGroup> root{"root"};
  std::optional<WarpScheduler> scheduler;
};

TEST_CASE("A mechanism picks the warp, and hears which instruction has issued") {
  Described described("always: 64\n");
  CHECK(described.scheduler->has_mechanism());
  CHECK(described.scheduler->pick(0x15, 10) == 4);
  CHECK(described.scheduler->pick(0x5, 10) == 2);
  CHECK(described.scheduler->pick_for_fetch(0x5, 10) == 2);
  described.scheduler->tell_mechanism({.slot = 4}, 0);
  REQUIRE(described.root[0].children().size() == 1);
  CHECK(described.root[0].children()[0]->counters()[0].value() == 6);
  CHECK_FALSE(with_four_warps(SchedulerPolicy::kGto).has_mechanism());
}

TEST_CASE("A mechanism that picks no candidate is an error that names it") {
  CHECK_THROWS_WITH(Described("always: 3\n").scheduler->pick(0x5, 10),
                    "warp scheduler 'highest' picked slot 3, expected one of the candidates 0x5");
}

// Withholds the warps of a mask, and counts what it hears of L1.
class Withholder final : public mechanism::WarpScheduler {
 public:
  struct Settings {
    std::uint32_t mask = 0;
    void describe(mechanism::Keys& keys) { keys.integer("mask", mask, 0, 255, "warps that are withheld"); }
  };
  Withholder(const Settings& settings, const Site& /*site*/, mechanism::Counters& counters)
      : mask_(settings.mask),
        lines_(counters.add("lines", mechanism::CounterUnit::kEvents, "lines that were looked up or lost")) {}
  void warp_arrived(std::uint32_t /*slot*/, std::uint64_t /*block*/, mechanism::Cycle /*now*/) override {}
  void warp_left(std::uint32_t /*slot*/) override {}
  std::uint32_t pick(mechanism::WarpMask candidates, mechanism::Cycle /*now*/) const override {
    return static_cast<std::uint32_t>(std::countr_zero(candidates));
  }
  void issued(const mechanism::IssuedInstruction& /*instruction*/) override {}
  bool watches_l1() const override { return true; }
  void looked_up(const mechanism::L1Lookup& lookup) override { lines_ += 100 * lookup.slot + lookup.line / 128; }
  void lost(const mechanism::L1Loss& loss) override { lines_ += 1000 * (100 * loss.slot + loss.line / 128); }
  bool withholds() const override { return true; }
  mechanism::WarpMask withheld(mechanism::WarpMask /*loads*/, mechanism::Cycle /*now*/) const override { return mask_; }

 private:
  std::uint32_t mask_;
  mechanism::Counter lines_;
};

struct Withholding {
  explicit Withholding(std::uint32_t mask) {
    std::shared_ptr<mechanism::Factory<mechanism::WarpScheduler>> factory =
        mechanism::entry_of<Withholder>("withholder", "withholds").make_factory();
    ConfigTree::parse(fmt::format("mask: {}\n", mask), "gpu.yaml", {}).read([&factory](ConfigSection& section) {
      describe_keys(*factory, section);
    });
    WarpSchedulerConfig config;
    config.policy = SchedulerPolicy::kMechanism;
    config.mechanism = {"withholder", factory};
    scheduler.emplace(config, mechanism::WarpSchedulerSite{.warp_slots = 16, .sub_core = 1}, &root);
  }
  LaunchStats<StatGroup> root{"root"};
  std::optional<WarpScheduler> scheduler;
};

TEST_CASE("Loads that a mechanism withholds are no candidates; without loads it is not asked") {
  Withholding withholding(0x4);
  CHECK(withholding.scheduler->withholds());
  CHECK(withholding.scheduler->not_withheld(0x7, 0x6, 10) == 0x3);
  CHECK(withholding.scheduler->not_withheld(0x7, 0x0, 10) == 0x7);
  CHECK_FALSE(with_four_warps(SchedulerPolicy::kGto).withholds());
}

TEST_CASE("A mechanism that withholds a warp that does not load is an error that names it") {
  CHECK_THROWS_WITH(Withholding(0x5).scheduler->not_withheld(0x7, 0x4, 10),
                    "warp scheduler 'withholder' withheld the warps 0x5, expected some of 0x4, which load");
}

TEST_CASE("A mechanism that withholds all ready warps for a million cycles is an error") {
  Withholding withholding(0x6);
  WarpScheduler& scheduler = *withholding.scheduler;
  CHECK(scheduler.not_withheld(0x6, 0x6, 10) == 0);
  CHECK(scheduler.not_withheld(0x6, 0x6, 1'000'009) == 0);
  CHECK(scheduler.not_withheld(0x7, 0x6, 1'000'010) == 0x1);
  CHECK(scheduler.not_withheld(0x6, 0x6, 1'000'011) == 0);
  CHECK_THROWS_WITH(scheduler.not_withheld(0x6, 0x6, 2'000'011),
                    "warp scheduler 'withholder' has withheld all ready warps of a sub-core for 1000000 cycles");
}

TEST_CASE("Schedulers hear of L1 what concerns their own warps") {
  Withholding withholding(0);
  L1Events events;
  CHECK_FALSE(events.any());
  events.add(1, *withholding.scheduler);
  CHECK(events.any());
  const std::uint32_t warp = kMaxWarpsPerSubCore + 3;
  events.looked_up({.line = 0x400, .pc = 0, .warp = warp, .seat = 0, .hit = true}, 10);
  events.replaced(warp, 0x600, 0);
  events.looked_up({.line = 0x400, .pc = 0, .warp = 2 * kMaxWarpsPerSubCore, .seat = 0, .hit = true}, 10);
  events.replaced(0, 0x600, 0);
  CHECK(withholding.root[0].children()[0]->counters()[0].value() == 308 + 1000 * 312);
}

}  // namespace
}  // namespace warpsim
