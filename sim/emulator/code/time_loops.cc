#include "emulator/code/time_loops.h"

#include <algorithm>
#include <span>

namespace warpsim {

namespace {

bool only_computes(const Operation& operation) {
  if (operation.reads_time || operation.control == Control::kSleep) {
    return true;
  }
  const bool stays = operation.control == Control::kNone || operation.control == Control::kBranch;
  return stays && operation.effect == Effect::kPrivate && operation.addresses == AddressForm::kNone;
}

}  // namespace

void find_time_loops(FunctionCode& code) {
  const std::span<Operation> operations(code.operations);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& back = operations[i];
    if (back.control != Control::kBranch || back.target > i) {
      continue;
    }
    const std::span<Operation> loop = operations.subspan(back.target, i - back.target + 1);
    if (std::ranges::any_of(loop, &Operation::reads_time) && std::ranges::all_of(loop, only_computes)) {
      for (Operation& operation : loop) {
        operation.awaits_time = operation.reads_time;
      }
    }
  }
}

}  // namespace warpsim
