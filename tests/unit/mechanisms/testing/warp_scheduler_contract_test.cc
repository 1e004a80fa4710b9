#include "warpsim/testing/warp_scheduler_contract.h"

#include <bit>
#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism::testing {
namespace {

// The first candidate after the warp that issued last: correct, and the base of mechanisms with one fault.
class TakesTurns : public WarpScheduler {
 public:
  TakesTurns(const NoSettings& /*settings*/, const WarpSchedulerSite& /*site*/, Counters& /*counters*/) {}

  void warp_arrived(std::uint32_t /*slot*/, std::uint64_t /*block*/, Cycle /*now*/) override {}
  void warp_left(std::uint32_t /*slot*/) override {}
  std::uint32_t pick(WarpMask candidates, Cycle /*now*/) const override {
    const auto turned = std::rotr(candidates, static_cast<int>(next_));
    return (static_cast<std::uint32_t>(std::countr_zero(turned)) + next_) % kMaxWarpSlots;
  }
  void issued(const IssuedInstruction& instruction) override { next_ = (instruction.slot + 1) % kMaxWarpSlots; }

 protected:
  std::uint32_t next_ = 0;
};

// Goes on with a warp that is not ready.
class GoesOnAlways final : public TakesTurns {
 public:
  using TakesTurns::TakesTurns;
  std::uint32_t pick(WarpMask /*candidates*/, Cycle /*now*/) const override { return last_; }
  void issued(const IssuedInstruction& instruction) override { last_ = instruction.slot; }

 private:
  std::uint32_t last_ = 0;
};

class NoSlot final : public TakesTurns {
 public:
  using TakesTurns::TakesTurns;
  std::uint32_t pick(WarpMask candidates, Cycle now) const override {
    return std::popcount(candidates) > 3 ? 0xffffffffU : TakesTurns::pick(candidates, now);
  }
};

class CountsPicks final : public TakesTurns {
 public:
  using TakesTurns::TakesTurns;
  std::uint32_t pick(WarpMask candidates, Cycle now) const override {
    ++picks_;
    const WarpMask others = candidates & (candidates - 1);
    return picks_ % 2 == 0 && others != 0 ? TakesTurns::pick(others, now) : TakesTurns::pick(candidates, now);
  }

 private:
  mutable std::uint32_t picks_ = 0;
};

// Two calls in a row have equal answers, but later ones depend on their number.
class RemembersPicks final : public TakesTurns {
 public:
  using TakesTurns::TakesTurns;
  std::uint32_t pick(WarpMask candidates, Cycle now) const override {
    ++picks_;
    return TakesTurns::pick(candidates, now);
  }
  void issued(const IssuedInstruction& /*instruction*/) override { next_ = picks_ % kMaxWarpSlots; }

 private:
  mutable std::uint32_t picks_ = 0;
};

class CountsAllObjects final : public TakesTurns {
 public:
  using TakesTurns::TakesTurns;
  void issued(const IssuedInstruction& /*instruction*/) override { next_ = ++issued_of_all % kMaxWarpSlots; }

 private:
  static inline std::uint32_t issued_of_all = 0;
};

// Has no place for warps in the upper slots.
class SmallGroups final : public TakesTurns {
 public:
  struct Settings {
    std::uint32_t group_size = 8;
    void describe(Keys& keys) { keys.integer("group_size", group_size, 1, 32, "warps of a group"); }
  };
  SmallGroups(const Settings& settings, const WarpSchedulerSite& site, Counters& counters)
      : TakesTurns({}, site, counters), size_(settings.group_size) {}
  std::uint32_t pick(WarpMask candidates, Cycle now) const override {
    const std::uint32_t slot = TakesTurns::pick(candidates, now);
    return size_ == 1 ? slot / 2 : slot;
  }

 private:
  std::uint32_t size_;
};

// Withholds every second load, and listens to L1.
class WithholdsLoads : public TakesTurns {
 public:
  using TakesTurns::TakesTurns;
  bool watches_l1() const override { return true; }
  void looked_up(const L1Lookup& lookup) override { turn_ = lookup.hit ? turn_ + 1 : turn_; }
  bool withholds() const override { return true; }
  WarpMask withheld(WarpMask loads, Cycle /*now*/) const override {
    return loads & (turn_ % 2 == 0 ? 0x5555555555555555U : 0xaaaaaaaaaaaaaaaaU);
  }

 protected:
  std::uint32_t turn_ = 0;
};

class WithholdsOthers final : public WithholdsLoads {
 public:
  using WithholdsLoads::WithholdsLoads;
  WarpMask withheld(WarpMask loads, Cycle now) const override { return WithholdsLoads::withheld(loads, now) | 1U; }
};

class CountsQuestions final : public WithholdsLoads {
 public:
  using WithholdsLoads::WithholdsLoads;
  WarpMask withheld(WarpMask loads, Cycle /*now*/) const override { return ++questions_ % 3 == 0 ? loads : 0; }

 private:
  mutable std::uint32_t questions_ = 0;
};

class LosesInterest final : public WithholdsLoads {
 public:
  using WithholdsLoads::WithholdsLoads;
  bool watches_l1() const override { return turn_ < 3; }
};

template <typename Mechanism>
Sentences scheduler_violations() {
  return check_warp_scheduler(entry_of<Mechanism>("mine", "issues warps"));
}

TEST_CASE("A correct warp scheduler has no violations") {
  CHECK_THAT(scheduler_violations<TakesTurns>(), Catch::Equals(Sentences{}));
}

TEST_CASE("A correct warp scheduler that listens to L1 and withholds loads has no violations") {
  CHECK_THAT(scheduler_violations<WithholdsLoads>(), Catch::Equals(Sentences{}));
}

TEST_CASE("Faults of withholding are found") {
  CHECK(says(scheduler_violations<WithholdsOthers>(), "withheld() answers warps that do not load"));
  CHECK(says(scheduler_violations<CountsQuestions>(), "withheld() answers differently when it is called again"));
  CHECK(says(scheduler_violations<LosesInterest>(), "watches_l1() or withholds() answers differently after some time"));
}

TEST_CASE("A warp that is not a candidate is found") {
  CHECK(says(scheduler_violations<GoesOnAlways>(), "which is not a candidate"));
  CHECK(says(scheduler_violations<NoSlot>(),
             "32 slots, sub-core 0: pick() answers slot 4294967295, which is not a candidate"));
}

TEST_CASE("A choice that changes when it is repeated is found") {
  CHECK(says(scheduler_violations<CountsPicks>(),
             "16 slots, sub-core 3: pick() answers differently when it is called again"));
}

TEST_CASE("A choice that depends on the number of calls is found") {
  const Sentences found = scheduler_violations<RemembersPicks>();
  CHECK(says(found, "16 slots, sub-core 3: the answers depend on how often pick() is called"));
  CHECK_FALSE(says(found, "called again"));
}

TEST_CASE("State that warp schedulers share is found") {
  CHECK(says(scheduler_violations<CountsAllObjects>(),
             "8 slots, sub-core 0: two objects with the same calls answer differently"));
}

TEST_CASE("A warp scheduler's faults at the ends of a key's range are found") {
  const Sentences found = scheduler_violations<SmallGroups>();
  CHECK(says(found, "12 slots, sub-core 0, group_size = 1: pick() answers slot"));
  CHECK_FALSE(says(found, "group_size = 32"));
  CHECK_FALSE(says(found, "sub-core 0: "));
}

TEST_CASE("The name of a warp scheduler is checked") {
  CHECK(check_warp_scheduler(entry_of<TakesTurns>("takes-turns", "issues warps")) ==
        Sentences{"the name 'takes-turns' is not in lower case with underscores"});
}

}  // namespace
}  // namespace warpsim::mechanism::testing
