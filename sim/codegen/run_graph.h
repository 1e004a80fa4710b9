// The instructions of a run of straight code and what each depends on: registers, carries, memory, barriers and clocks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "codegen/instruction_effects.h"
#include "codegen/register_pressure.h"
#include "ptx/module.h"

namespace warpsim::codegen {

class RunGraph {
 public:
  // Instructions [begin, end) of one block.
  RunGraph(const ptx::Function& function, const RegisterPressure& pressure, std::uint32_t begin, std::uint32_t end);

  struct Node {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> before;  // what it depends on, with the distance in cycles
    std::uint32_t missing = 0;                                    // dependents that are not placed yet
    std::uint32_t depth = 0;                                      // cycles from the run's beginning to here
    std::uint32_t ready_at = 0;                                   // for those who order: time runs backwards
  };
  std::vector<Node>& nodes() { return nodes_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<MemoryUse>& memory_uses() const { return memory_uses_; }  // by instruction

 private:
  const ptx::Instruction& at(std::uint32_t node) const { return function_.body[begin_ + node]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  void depend(std::uint32_t later, std::uint32_t earlier, std::uint32_t cycles);
  void find_places();
  void find_dependences();
  void find_uniform_dependences(const std::vector<std::vector<std::uint32_t>>& readers);
  void find_effect_dependences();
  void find_depths();

  // Bytes at a distance from a base; unknown without bytes.
  struct AccessedPlace {
    ptx::Operand::Kind kind = ptx::Operand::Kind::kDiscard;  // of the base: a register or a symbol
    ptx::Operand::Scope scope = ptx::Operand::Scope::kModule;
    std::uint32_t base = 0;
    std::uint32_t changes = 0;  // of the base's register in the run so far
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    // Whether two accesses cannot touch the same bytes, as far as their places say it.
    bool is_apart_from(const AccessedPlace& other) const;
  };
  static AccessedPlace place_of(const ptx::Instruction& instruction, const std::vector<std::uint32_t>& changes);

  const ptx::Function& function_;
  const RegisterPressure& pressure_;
  std::uint32_t begin_;
  std::vector<Node> nodes_;
  std::vector<MemoryUse> memory_uses_;
  std::vector<AccessedPlace> places_;  // by instruction
};

}  // namespace warpsim::codegen
