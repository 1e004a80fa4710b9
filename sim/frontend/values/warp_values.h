// The register values of one warp, followed along its recorded path. No branch is decided here: the path and the lanes
// that execute each instruction are those of the trace.
//
// Modelled: integer, logic, select, compare, move and uniform instructions, special registers, launch dimensions in the
// constant bank; values per lane where lanes differ. Not modelled: memory contents and floating point, whose results
// are new unknowns. Invariant: a value reported as constant is the one that the hardware had.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/values/block_identity.h"
#include "frontend/values/scalar_arithmetic.h"
#include "frontend/values/scalar_program.h"
#include "frontend/values/symbolic_value.h"

namespace warpsim {

class WarpValues {
 public:
  WarpValues(const StaticProgram& static_program, const ScalarProgram& program);

  void start_warp(const BlockIdentity& block, std::uint32_t warp);
  // Records what the instruction writes. Its operands must be read before.
  void execute(const WarpInstruction& instruction);

  // Operands of an instruction about to execute.
  SymbolicValue address(const ScalarAddress& address, std::uint32_t lane) const;
  SymbolicValue value(const ScalarOperand& operand, std::uint32_t lane) const;
  SymbolicValue uniform(std::uint32_t index) const { return index >= 63 ? SymbolicValue{} : uniforms_[index]; }
  SymbolicValue general(std::uint32_t index, std::uint32_t lane) const {
    return index == kZeroRegister ? SymbolicValue{} : registers_[index].at(lane);
  }

 private:
  struct LaneValues {
    bool same = true;  // all lanes have values[0]
    std::array<SymbolicValue, kWarpSize> values{};
    const SymbolicValue& at(std::uint32_t lane) const { return values[same ? 0 : lane]; }
  };
  struct LanePredicate {
    LaneMask known = 0;
    LaneMask value = 0;
  };
  ScalarSources gather(const ScalarInstruction& instruction, std::uint32_t lane) const;
  ScalarResult compute(const ScalarInstruction& instruction, std::uint32_t index, std::uint32_t lane) const;
  int predicate(const ScalarPredicate& predicate, std::uint32_t lane) const;
  SymbolicValue special(SpecialValue which, std::uint32_t index, std::uint32_t lane) const;
  SymbolicValue constant_word(std::uint32_t bank_and_offset, std::uint32_t index) const;
  SymbolicValue pair_high(const ScalarOperand& operand, std::uint32_t lane) const;
  bool lanes_agree(const ScalarInstruction& instruction) const;
  void write(const ScalarInstruction& instruction, const ScalarResult& result, std::uint32_t lane, bool all);
  void write_register(std::uint32_t index, const SymbolicValue& value, std::uint32_t lane, bool all);
  void write_unknown(const WarpInstruction& record);
  SymbolicValue fresh(std::uint32_t index, std::uint32_t salt) const;

  const StaticProgram* static_program_;
  const ScalarProgram* program_;
  BlockIdentity block_;
  std::uint32_t warp_ = 0;
  LaneMask lanes_ = kAllLanes;  // existing lanes
  std::uint64_t executed_ = 0;
  std::vector<LaneValues> registers_;
  std::array<SymbolicValue, 64> uniforms_{};
  std::array<LanePredicate, 8> predicates_{};
  std::array<LanePredicate, 8> uniform_predicates_{};
};

}  // namespace warpsim
