// Branches of a warp: to one target or to one of a table; threads that go different ways part.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "emulator/execution/fault.h"
#include "emulator/execution/warp.h"

namespace warpsim {

void Warp::branch(const Operation& operation, LaneMask taken) {
  Split& split = splits_[current_];
  const std::uint32_t next = split.at + 1;
  split.turns += operation.target <= split.at ? 1 : 0;
  if (taken == split.lanes) {
    go_to(operation.target);
  } else if (taken == 0) {
    go_to(next);
  } else {
    std::pair<std::uint32_t, LaneMask> last{operation.target, taken};
    std::pair<std::uint32_t, LaneMask> first{next, split.lanes & ~taken};
    if (launch_.independent_threads && std::popcount(last.second) < std::popcount(first.second)) {
      std::swap(last, first);
    }
    part({last, first}, operation.reconvergence);
  }
  if (operation.waits && taken != 0) {
    let_others_go_on(taken);
  }
}

void Warp::branch_indirectly(const Operation& operation, LaneMask taken) {
  Split& split = splits_[current_];
  const std::vector<std::uint32_t>& table = split.frame->code->branch_tables[operation.target];
  const auto* const index = context_.read<std::uint32_t>(operation.a);
  std::vector<std::pair<std::uint32_t, LaneMask>> ways;
  LaneMask back = 0;
  if (taken != split.lanes) {
    ways.emplace_back(split.at + 1, split.lanes & ~taken);
  }
  for (LaneMask rest = taken; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (index[lane] >= table.size()) {
      context_.fault(FaultKind::kIllegalInstruction, operation, lane, "a branch index beyond its table");
    }
    const std::uint32_t target = table[index[lane]];
    back |= target <= split.at ? LaneMask{1} << lane : 0;
    const auto known = std::ranges::find(ways, target, &std::pair<std::uint32_t, LaneMask>::first);
    if (known == ways.end()) {
      ways.emplace_back(target, LaneMask{1} << lane);
    } else {
      known->second |= LaneMask{1} << lane;
    }
  }
  if (ways.size() == 1) {
    go_to(ways.front().first);
  } else {
    part(ways, operation.reconvergence);
  }
  if (operation.waits && back != 0) {
    let_others_go_on(back);
  }
}

}  // namespace warpsim
