#include "frontend/values/constant_addresses.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>

namespace warpsim {
namespace {

constexpr std::uint32_t kOffsetMask = 0xffffU;  // a bank has 64 KiB

// Registers and predicates whose values are wanted.
class Wanted {
 public:
  void add(const ScalarOperand& operand) {
    switch (operand.kind) {
      case ScalarOperand::Kind::kRegister:
        add_register(operand.index, false);
        break;
      case ScalarOperand::Kind::kUniform:
        add_register(operand.index, true);
        break;
      case ScalarOperand::Kind::kConstant:
        if (operand.index != 255) {
          add_register(operand.index, operand.index_uniform);
        }
        break;
      default:
        break;
    }
  }
  void add(const ScalarPredicate& predicate) {
    if (predicate.index != kNoPredicate) {
      (predicate.uniform ? uniform_predicates_ : predicates_).set(predicate.index);
    }
  }
  bool written_by(const ScalarInstruction& scalar, const StaticInstruction& instruction) const {
    for (const RegisterRange& range : instruction.destinations) {
      for (std::uint32_t i = 0; i < range.count; ++i) {
        if (range.first + i < registers_.size() && registers_[range.first + i]) {
          return true;
        }
      }
    }
    for (const std::uint8_t predicate : scalar.predicates) {
      if (predicate != kNoPredicate && (scalar.uniform_predicates ? uniform_predicates_ : predicates_)[predicate]) {
        return true;
      }
    }
    return (instruction.uniform_destinations & uniforms_.to_ullong()) != 0;
  }

 private:
  // With the upper word of a pair: which operands are pairs depends on the operation.
  void add_register(std::uint32_t index, bool uniform) {
    for (const std::uint32_t each : {index, index + 1}) {
      if (uniform && each < 63) {
        uniforms_.set(each);
      } else if (!uniform && each < kZeroRegister) {
        registers_.set(each);
      }
    }
  }

  std::bitset<256> registers_;
  std::bitset<64> uniforms_;
  std::bitset<8> predicates_;
  std::bitset<8> uniform_predicates_;
};

bool reads_at_register(const StaticInstruction& instruction) {
  return instruction.kind == OpKind::kConstantLoad && instruction.indexed_constant;
}

}  // namespace

bool ConstantAddresses::needed(const StaticProgram& program) {
  return has_text(program) && std::ranges::any_of(program.instructions, reads_at_register);
}

ConstantAddresses::ConstantAddresses(const KernelLaunch& launch)
    : launch_(&launch),
      program_(make_scalar_program(*launch.program)),
      values_(*launch.program, program_),
      followed_(program_.instructions.size()) {
  find_followed();
}

void ConstantAddresses::find_followed() {
  const std::vector<StaticInstruction>& instructions = launch_->program->instructions;
  Wanted wanted;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (reads_at_register(instructions[i])) {
      followed_[i] = true;
      wanted.add(program_.instructions[i].sources[0]);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const ScalarInstruction& scalar = program_.instructions[i];
      if (followed_[i] || !wanted.written_by(scalar, instructions[i])) {
        continue;
      }
      followed_[i] = true;
      changed = true;
      std::ranges::for_each(scalar.sources, [&](const ScalarOperand& source) { wanted.add(source); });
      std::ranges::for_each(scalar.predicate_sources, [&](const ScalarPredicate& source) { wanted.add(source); });
    }
  }
}

void ConstantAddresses::note_address(WarpInstruction& record, AddressPool& addresses) {
  const ScalarOperand& place = program_.instructions[record.index].sources[0];
  const std::uint32_t stated = launch_->program->instructions[record.index].constant_offset;
  if (place.kind != ScalarOperand::Kind::kConstant || place.index == 255) {
    return;
  }
  if (place.index_uniform) {
    record.addresses = addresses.add_strided((values_.uniform(place.index).offset + stated) & kOffsetMask, 0);
    return;
  }
  std::array<Address, kWarpSize> offsets;
  std::uint32_t count = 0;
  for (LaneMask lanes = record.active; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    offsets[count++] = (values_.general(place.index, lane).offset + stated) & kOffsetMask;
  }
  const bool same = std::all_of(offsets.begin(), offsets.begin() + count, [&](Address a) { return a == offsets[0]; });
  record.addresses = same ? addresses.add_strided(offsets[0], 0) : addresses.add_list(offsets.data(), count);
}

void ConstantAddresses::fill(BlockTrace& trace) {
  const BlockIdentity identity = identity_of(*launch_, trace.linear_index);
  for (std::uint32_t warp = 0; warp < trace.warp_count(); ++warp) {
    values_.start_warp(identity, warp);
    for (std::uint32_t i = trace.warp_begin[warp]; i < trace.warp_begin[warp + 1]; ++i) {
      WarpInstruction& record = trace.instructions[i];
      if (!followed_[record.index]) {
        continue;
      }
      if (record.active != 0 && record.addresses == WarpInstruction::kNoAddresses &&
          reads_at_register(launch_->program->instructions[record.index])) {
        note_address(record, trace.addresses);
      }
      values_.execute(record);
    }
  }
}

}  // namespace warpsim
