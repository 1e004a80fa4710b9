// Which instructions the schedulers of an SM can issue together.
//
// Modelled: issue slots some cycles apart (four clocks of 1.x, two of 2.x), a second instruction of the same warp in
// the same slot, and double precision that occupies the slots of all schedulers (2.x).
// Evidence: the architecture sections of NVIDIA's CUDA C programming guides 4.2 (1.x) and 8.0 (2.x to 6.x).
// Invariant: an operation that takes all slots is issued only in a slot that no scheduler has used.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"
#include "config/config_section.h"

namespace warpsim {

// When the next instruction of a warp may issue together with the one before it, if nothing else prevents it.
enum class PairRule : std::uint8_t {
  kSingle,
  kIndependent,    // any two that do not depend on each other
  kMathWithOther,  // the same, one of which is arithmetic of the cores and the other is not
};

struct IssueRules {
  std::uint32_t interval_cycles = 1;  // between issue slots of a scheduler
  PairRule pairs = PairRule::kSingle;
  bool fp64_takes_all_slots = false;
};
void describe(ConfigSection& section, IssueRules& rules);

// The issue slots of an SM's schedulers as far as the use by one scheduler prevents others from issuing.
class IssueSlots {
 public:
  explicit IssueSlots(const IssueRules& rules) : interval_(rules.interval_cycles) {}

  // The first slot at or after `at`.
  Cycle slot_at(Cycle at) const { return interval_ == 1 ? at : (at + interval_ - 1) / interval_ * interval_; }
  Cycle after(Cycle slot) const { return slot + interval_; }

  // First cycle at which schedulers may issue again.
  Cycle blocked_until() const { return blocked_until_; }
  // Whether no scheduler has issued in the slot at `now`.
  bool all_unused(Cycle now) const { return used_until_ <= now; }
  void use(Cycle now) { used_until_ = std::max(used_until_, after(now)); }
  void use_all(Cycle now) { blocked_until_ = after(now); }

 private:
  Cycle interval_;
  Cycle used_until_ = 0;
  Cycle blocked_until_ = 0;
};

}  // namespace warpsim
