// The test kit of warp schedulers: finds violations of warp_scheduler.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "issues the warp that ...");
//     for (const std::string& sentence : check_warp_scheduler(entry)) { ... }
//
// Blocks arrive, warps leave, their slots are used again, units refuse instructions, and time passes in steps and in
// jumps; loads look up lines of L1, which are replaced. Checked with 1 to 64 slots: answers are candidates, and
// withheld warps loads; calls of pick() and withheld() have no effect on later answers; equal calls have equal answers
// in two objects; what a scheduler wants to hear does not change. Not required: that each warp issues at some time,
// because greedy schedulers let warps wait by design.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "warpsim/testing/contract_parts.h"
#include "warpsim/warp_scheduler.h"

namespace warpsim::mechanism::testing {

// A sub-core that calls a scheduler with drawn events.
class SubCoreModel {
 public:
  // `repeats`: pick() is called more often than necessary.
  SubCoreModel(WarpScheduler& scheduler, const WarpSchedulerSite& site, std::uint64_t seed, bool repeats)
      : scheduler_(scheduler),
        site_(site),
        draws_(seed),
        repeats_(repeats),
        watches_l1_(scheduler.watches_l1()),
        withholds_(scheduler.withholds()) {}

  // Runs until `instructions` have issued or an answer is wrong. Violations begin with `where`.
  std::vector<std::uint32_t> run(std::uint32_t instructions, const std::string& where, Violations& violations) {
    std::uint32_t issued = 0;
    while (issued < instructions && correct_) {
      now_ += draws_.one_in(50) ? 1'000'000'000'000U : 1 + draws_.below(3);
      if (resident_ == 0 || draws_.one_in(40)) {
        block_arrives();
      }
      const WarpMask lower = draws_.next() >> 16U;
      const WarpMask upper = draws_.next() << 16U;
      const WarpMask ready = resident_ & (lower ^ upper);
      issued += issue(without_withheld(ready, where, violations), ready, where, violations) ? 1 : 0;
    }
    if (scheduler_.watches_l1() != watches_l1_ || scheduler_.withholds() != withholds_) {
      violations.add(where + ": watches_l1() or withholds() answers differently after some time");
    }
    return answers_;
  }

 private:
  static WarpMask bit_of(std::uint32_t slot) { return WarpMask{1} << slot; }

  void block_arrives() {
    const std::uint32_t warps = 1 + draws_.below(8);
    std::uint32_t arrived = 0;
    for (std::uint32_t slot = 0; slot < site_.warp_slots && arrived < warps; ++slot) {
      if ((resident_ & bit_of(slot)) == 0) {
        scheduler_.warp_arrived(slot, block_, now_);
        resident_ |= bit_of(slot);
        ++arrived;
      }
    }
    ++block_;
  }

  // A scheduler that withholds too much issues nothing: time goes on until it does.
  WarpMask without_withheld(WarpMask ready, const std::string& where, Violations& violations) {
    if (!withholds_ || ready == 0) {
      return ready;
    }
    const WarpMask loads = ready & draws_.next();
    const WarpMask withheld = scheduler_.withheld(loads, now_);
    answers_.push_back(static_cast<std::uint32_t>(withheld ^ withheld >> 32U));
    if ((withheld & ~loads) != 0) {
      violations.add(where + ": withheld() answers warps that do not load");
      correct_ = false;
    }
    if (repeats_) {
      scheduler_.withheld(loads & (loads - 1), now_);
      if (scheduler_.withheld(loads, now_) != withheld) {
        violations.add(where + ": withheld() answers differently when it is called again");
        correct_ = false;
      }
    }
    return ready & ~withheld;
  }

  // Lines of few addresses, so that warps find again what they have lost.
  void use_l1(std::uint32_t slot) {
    const Address line = Address{draws_.below(256)} * kLineBytes;
    if (draws_.one_in(4)) {
      scheduler_.lost({slot, line});
    } else {
      scheduler_.looked_up({slot, line, draws_.one_in(2), now_, Address{draws_.below(64)} * 16});
    }
  }

  // Whether one of the candidates issued: units may refuse all of them.
  bool issue(WarpMask candidates, WarpMask ready, const std::string& where, Violations& violations) {
    while (candidates != 0) {
      const std::uint32_t slot = ask(candidates, where, violations);
      if (!correct_) {
        return false;
      }
      if (draws_.one_in(4)) {
        candidates &= ~bit_of(slot);
        continue;
      }
      const std::uint32_t kind = draws_.below(16);
      scheduler_.issued({slot, ready, now_, Address{draws_.below(64)} * 16, kind<5, kind == 5, kind> 12});
      if (watches_l1_ && kind < 5) {
        use_l1(slot);
      }
      if (draws_.one_in(24)) {
        scheduler_.warp_left(slot);
        resident_ &= ~bit_of(slot);
      }
      return true;
    }
    return false;
  }

  std::uint32_t ask(WarpMask candidates, const std::string& where, Violations& violations) {
    const std::uint32_t slot = scheduler_.pick(candidates, now_);
    answers_.push_back(slot);
    if (slot >= kMaxWarpSlots || (candidates & bit_of(slot)) == 0) {
      violations.add(where + ": pick() answers slot " + std::to_string(slot) + ", which is not a candidate");
      correct_ = false;
      return slot;
    }
    if (repeats_) {
      for (WarpMask fewer = candidates & (candidates - 1); fewer != 0; fewer &= fewer - 1) {
        scheduler_.pick(fewer, now_);
      }
      if (scheduler_.pick(candidates, now_) != slot) {
        violations.add(where + ": pick() answers differently when it is called again");
        correct_ = false;
      }
    }
    return slot;
  }

  WarpScheduler& scheduler_;
  WarpSchedulerSite site_;
  Draws draws_;
  bool repeats_;
  bool watches_l1_;
  bool withholds_;
  Cycle now_ = 0;
  std::uint64_t block_ = 0;
  WarpMask resident_ = 0;
  bool correct_ = true;
  std::vector<std::uint32_t> answers_;
};

class WarpSchedulerContract {
 public:
  explicit WarpSchedulerContract(Factory<WarpScheduler>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    std::vector<WarpSchedulerSite> sites;
    for (const std::uint32_t slots : {1U, 2U, 8U, 12U, 16U, 32U, kMaxWarpSlots}) {
      sites.push_back({slots, 0});
      sites.push_back({slots, 3});
    }
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const WarpSchedulerSite& site) { check_answers(site); },
        [&](WarpScheduler& scheduler, const WarpSchedulerSite& site, const std::string& where) {
          SubCoreModel(scheduler, site, 1, true).run(kInstructions, where, violations_);
        });
    return violations_.sentences();
  }

 private:
  static constexpr std::uint32_t kInstructions = 2000;
  // With kInstructions a prime, so that shared counters of small periods are found.
  static constexpr std::uint32_t kOtherInstructions = 2003;

  static std::string text_of_site(const WarpSchedulerSite& site) {
    return std::to_string(site.warp_slots) + " slots, sub-core " + std::to_string(site.sub_core);
  }

  void check_answers(const WarpSchedulerSite& site) {
    const std::string where = text_of_site(site);
    TestCounters counters[4];
    std::vector<std::unique_ptr<WarpScheduler>> schedulers;
    for (TestCounters& of_object : counters) {
      schedulers.push_back(make_or_report(factory_, site, of_object, where, violations_));
      if (schedulers.back() == nullptr) {
        return;
      }
    }
    const auto answers_of = [&](std::size_t object, std::uint64_t seed, bool repeats) {
      const std::uint32_t instructions = seed == 1 ? kInstructions : kOtherInstructions;
      return SubCoreModel(*schedulers[object], site, seed, repeats).run(instructions, where, violations_);
    };
    const std::vector<std::uint32_t> expected = answers_of(0, 1, false);
    answers_of(1, 2, false);
    if (answers_of(2, 1, false) != expected) {
      violations_.add(where + ": two objects with the same calls answer differently");
      return;
    }
    if (answers_of(3, 1, true) != expected) {
      violations_.add(where + ": the answers depend on how often pick() is called");
    }
  }

  Factory<WarpScheduler>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_warp_scheduler(Factory<WarpScheduler>& factory) {
  return WarpSchedulerContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_warp_scheduler(const Entry<WarpScheduler>& entry) {
  return check_entry(entry, [](Factory<WarpScheduler>& factory) { return check_warp_scheduler(factory); });
}

}  // namespace warpsim::mechanism::testing
