#include "core/sub_core/issue_rules.h"

namespace warpsim {

void describe(ConfigSection& section, IssueRules& rules) {
  section.integer("interval_cycles", rules.interval_cycles, 1, 16, "between issue slots of a scheduler");
  section.choice("pairs", rules.pairs,
                 {{"never", PairRule::kSingle},
                  {"independent", PairRule::kIndependent},
                  {"math_with_other", PairRule::kMathWithOther}},
                 "when two instructions of a warp may issue in one slot");
  section.boolean("fp64_takes_all_slots", rules.fp64_takes_all_slots,
                  "while one scheduler issues a double-precision instruction, no other issues anything");
}

}  // namespace warpsim
