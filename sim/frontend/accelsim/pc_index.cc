#include "frontend/accelsim/pc_index.h"

#include <utility>

#include "base/check.h"

namespace warpsim {

void PcIndex::add_program(const StaticProgram& program) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    Entry entry;
    entry.instruction = i;
    add(program.instructions[i].pc, std::move(entry));
  }
}

std::uint32_t PcIndex::add(std::uint32_t pc, Entry entry) {
  SIM_CHECK(pc % kGranularity == 0, "a PC that is not a multiple of 8");
  const std::uint32_t slot = pc / kGranularity;
  if (slot >= heads_.size()) {
    heads_.resize(slot + 1, kNone);
  }
  const auto index = static_cast<std::uint32_t>(entries_.size());
  entry.next = heads_[slot];
  heads_[slot] = index;
  entries_.push_back(std::move(entry));
  return index;
}

}  // namespace warpsim
