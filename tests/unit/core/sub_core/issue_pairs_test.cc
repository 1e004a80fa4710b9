#include "core/sub_core/issue_pairs.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

IssueInfo info_of_kind(OpKind kind, bool core_math = false) {
  IssueInfo info;
  info.kind = kind;
  info.core_math = core_math;
  info.scoreboard = true;
  return info;
}

TEST_CASE("Instructions that decide how the warp continues end a slot") {
  CHECK(ends_slot(info_of_kind(OpKind::kBranch)));
  CHECK(ends_slot(info_of_kind(OpKind::kExit)));
  CHECK(ends_slot(info_of_kind(OpKind::kBarrier)));
  CHECK(ends_slot(info_of_kind(OpKind::kMembar)));
  CHECK_FALSE(ends_slot(info_of_kind(OpKind::kCompute)));
  IssueInfo warpgroup = info_of_kind(OpKind::kCompute);
  warpgroup.warpgroup = WarpgroupRole::kOperation;
  CHECK(ends_slot(warpgroup));
}

TEST_CASE("Two additions pair only where arithmetic need not go with something else") {
  const IssueInfo math = info_of_kind(OpKind::kCompute, true);
  const IssueInfo other = info_of_kind(OpKind::kCompute, false);
  IssueRules rules;
  rules.pairs = PairRule::kIndependent;
  CHECK(may_pair(rules, math, math));
  rules.pairs = PairRule::kMathWithOther;
  CHECK_FALSE(may_pair(rules, math, math));
  CHECK(may_pair(rules, math, other));
}

TEST_CASE("With control words the first instruction says whether the next one may follow") {
  IssueRules rules;
  rules.pairs = PairRule::kIndependent;
  IssueInfo first = info_of_kind(OpKind::kCompute);
  first.scoreboard = false;
  CHECK_FALSE(may_pair(rules, first, info_of_kind(OpKind::kCompute)));
  first.pairs_with_next = true;
  CHECK(may_pair(rules, first, info_of_kind(OpKind::kCompute)));
}

TEST_CASE("Double precision that takes all slots does not pair") {
  IssueRules rules;
  rules.pairs = PairRule::kIndependent;
  IssueInfo fp64 = info_of_kind(OpKind::kCompute);
  fp64.double_precision = true;
  CHECK(may_pair(rules, fp64, info_of_kind(OpKind::kCompute)));
  rules.fp64_takes_all_slots = true;
  CHECK_FALSE(may_pair(rules, fp64, info_of_kind(OpKind::kCompute)));
  CHECK_FALSE(may_pair(rules, info_of_kind(OpKind::kCompute), fp64));
}

}  // namespace
}  // namespace warpsim
