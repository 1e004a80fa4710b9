#include "codegen/copy_fillers.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace warpsim::codegen {

namespace {

// Accesses that may be to shared memory, and instructions at which warps or their threads wait for each other.
constexpr std::array<std::string_view, 7> kBefore = {"LDS", "STS", "ATOMS", "LD.E", "ST.E", "BAR", "WARPSYNC"};

}  // namespace

CopyFillers::CopyFillers(std::uint32_t architecture) : every_block_(architecture >= 90) {}

void CopyFillers::begin_block(bool is_target) {
  if (every_block_ || is_target) {
    missing_ = kFillers;
  }
}

void CopyFillers::follow(const MachineInstruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (instruction.guard.before == kNobody) {
    return;
  }
  if (std::ranges::any_of(kBefore, [&](std::string_view before) { return opcode.starts_with(before); })) {
    missing_ = kFillers;
  } else if (opcode.starts_with("SHFL") && missing_ != 0) {
    --missing_;  // uses the same pipe
  }
}

std::uint32_t CopyFillers::take() {
  return std::exchange(missing_, 0);
}

}  // namespace warpsim::codegen
