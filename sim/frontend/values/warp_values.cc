#include "frontend/values/warp_values.h"

#include <algorithm>
#include <bit>

namespace warpsim {
namespace {

// Dimensions of block and grid in the constant bank that the driver fills, the same since Volta.
constexpr std::uint32_t kBlockDimensions = 0x0;
constexpr std::uint32_t kGridDimensions = 0xc;

}  // namespace

WarpValues::WarpValues(const StaticProgram& static_program, const ScalarProgram& program)
    : static_program_(&static_program), program_(&program), registers_(256) {}

void WarpValues::start_warp(const BlockIdentity& block, std::uint32_t warp) {
  block_ = block;
  warp_ = warp;
  executed_ = 0;
  const std::uint64_t threads = block.block.count();
  const std::uint64_t first = std::uint64_t{warp} * kWarpSize;
  const std::uint64_t lanes = std::min<std::uint64_t>(kWarpSize, threads - std::min(threads, first));
  lanes_ = lanes >= kWarpSize ? kAllLanes : (LaneMask{1} << lanes) - 1;
  for (LaneValues& values : registers_) {
    values.same = true;
    values.values[0] = {};
  }
  uniforms_.fill({});
  predicates_.fill({});
  uniform_predicates_.fill({});
  predicates_[kNoPredicate] = uniform_predicates_[kNoPredicate] = {kAllLanes, kAllLanes};
}

// --- operands ---

SymbolicValue WarpValues::special(SpecialValue which, std::uint32_t index, std::uint32_t lane) const {
  const std::uint32_t thread = warp_ * kWarpSize + lane;
  const auto of_block = [](std::uint32_t value) { return SymbolicValue{1, 0, value}; };
  switch (which) {
    case SpecialValue::kThreadX:
      return SymbolicValue::constant(thread % block_.block.x);
    case SpecialValue::kThreadY:
      return SymbolicValue::constant(thread / block_.block.x % block_.block.y);
    case SpecialValue::kThreadZ:
      return SymbolicValue::constant(thread / block_.block.x / block_.block.y);
    case SpecialValue::kLane:
      return SymbolicValue::constant(lane);
    case SpecialValue::kBlockX:
      return of_block(block_.index.x);
    case SpecialValue::kBlockY:
      return of_block(block_.index.y);
    case SpecialValue::kBlockZ:
      return of_block(block_.index.z);
    case SpecialValue::kClusterRank:
      return SymbolicValue::constant(block_.cluster_rank);
    case SpecialValue::kZero:
      return {};
    default:
      return fresh(index, lane);
  }
}

SymbolicValue WarpValues::fresh(std::uint32_t index, std::uint32_t salt) const {
  const SymbolicValue identity[] = {{1, 0, static_cast<std::uint32_t>(block_.linear_index)},
                                    {0, 0, warp_},
                                    {0, 0, static_cast<std::uint32_t>(executed_)}};
  return new_symbol(index, identity, salt);
}

SymbolicValue WarpValues::constant_word(std::uint32_t bank_and_offset, std::uint32_t index) const {
  const auto dimension = [](const Dim3& dim, std::uint32_t word) {
    return word == 0 ? dim.x : word == 1 ? dim.y : dim.z;
  };
  const std::uint32_t offset = bank_and_offset & 0xffffffU;
  if (bank_and_offset >> 24U == 0 && offset % 4 == 0 && offset < kGridDimensions + 12) {
    const bool of_grid = offset >= kGridDimensions;
    return SymbolicValue::constant(
        dimension(of_grid ? block_.grid : block_.block, (offset - (of_grid ? kGridDimensions : kBlockDimensions)) / 4));
  }
  (void)index;  // the same constant is the same unknown in all reads
  const SymbolicValue place[] = {SymbolicValue::constant(bank_and_offset)};
  return new_symbol(0xffff, place);
}

SymbolicValue WarpValues::value(const ScalarOperand& operand, std::uint32_t lane) const {
  SymbolicValue result;
  switch (operand.kind) {
    case ScalarOperand::Kind::kRegister:
      result = general(operand.index, lane);
      break;
    case ScalarOperand::Kind::kUniform:
      result = uniform(operand.index);
      break;
    case ScalarOperand::Kind::kImmediate:
      result = SymbolicValue::constant(operand.value);
      break;
    case ScalarOperand::Kind::kConstant:
      result = constant_word(operand.value, 0);
      break;
    case ScalarOperand::Kind::kNone:
      break;
  }
  if (operand.inverted) {
    return invert(result);
  }
  return operand.negative ? negate(result) : result;
}

SymbolicValue WarpValues::pair_high(const ScalarOperand& operand, std::uint32_t lane) const {
  switch (operand.kind) {
    case ScalarOperand::Kind::kRegister:
      return operand.index >= kZeroRegister - 1 ? SymbolicValue{} : general(operand.index + 1U, lane);
    case ScalarOperand::Kind::kUniform:
      return uniform(operand.index >= 62 ? 63 : operand.index + 1U);
    case ScalarOperand::Kind::kImmediate:
      return SymbolicValue::constant((operand.value >> 31U) != 0 ? 0xffffffffU : 0);
    case ScalarOperand::Kind::kConstant:
      return constant_word(operand.value + 4, 0);
    case ScalarOperand::Kind::kNone:
      break;
  }
  return {};
}

int WarpValues::predicate(const ScalarPredicate& predicate, std::uint32_t lane) const {
  const LanePredicate& state = (predicate.uniform ? uniform_predicates_ : predicates_)[predicate.index];
  const std::uint32_t at = predicate.uniform ? 0 : lane;
  if ((state.known >> at & 1U) == 0) {
    return -1;
  }
  const bool set = (state.value >> at & 1U) != 0;
  return set != predicate.negative ? 1 : 0;
}

SymbolicValue WarpValues::address(const ScalarAddress& address, std::uint32_t lane) const {
  const SymbolicValue sum = add(general(address.general, lane), uniform(address.uniform), 0xfffe);
  return add(sum, SymbolicValue::constant(address.offset), 0xfffe);
}

ScalarSources WarpValues::gather(const ScalarInstruction& instruction, std::uint32_t lane) const {
  ScalarSources sources;
  for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
    const ScalarOperand& operand = instruction.sources[i];
    sources.low[i] = value(operand, lane);
    if (operand.wide) {
      sources.high[i] = operand.negative ? negate(pair_high(operand, lane)) : pair_high(operand, lane);
    }
  }
  for (std::size_t i = 0; i < instruction.predicate_source_count; ++i) {
    sources.predicates[i] = predicate(instruction.predicate_sources[i], lane);
  }
  return sources;
}

// --- results ---

ScalarResult WarpValues::compute(const ScalarInstruction& instruction, std::uint32_t index, std::uint32_t lane) const {
  ScalarResult result;
  switch (instruction.op) {
    case ScalarOp::kSpecialRegister:
      result.words[0] = special(instruction.special, index, lane);
      break;
    case ScalarOp::kConstantLoad: {
      const ScalarOperand& operand = instruction.sources[0];
      SymbolicValue place = SymbolicValue::constant(operand.value);
      if (operand.index != 255) {
        place = add(place, operand.index_uniform ? uniform(operand.index) : general(operand.index, lane), index);
      }
      if (place.is_constant() && instruction.constant_bytes >= 4 && !place.varies_by_block()) {
        result.words = {constant_word(place.offset, index), constant_word(place.offset + 4, index)};
      } else {
        const SymbolicValue inputs[] = {place};
        result.words = {new_symbol(index, inputs, 0), new_symbol(index, inputs, 1)};
      }
      break;
    }
    case ScalarOp::kShuffleIndex: {
      const SymbolicValue from = value(instruction.sources[1], lane);
      result.words[0] =
          from.is_constant() ? value(instruction.sources[0], from.offset % kWarpSize) : fresh(index, lane);
      break;
    }
    case ScalarOp::kUnknown:
      result.words = {fresh(index, 2 * lane), fresh(index, 2 * lane + 1)};
      break;
    default:
      return compute_scalar(instruction, gather(instruction, lane), index);
  }
  return result;
}

void WarpValues::write_register(std::uint32_t index, const SymbolicValue& value, std::uint32_t lane, bool all) {
  LaneValues& values = registers_[index];
  if (all) {
    values.same = true;
    values.values[0] = value;
    return;
  }
  if (values.same) {
    if (values.values[0] == value) {
      return;
    }
    std::fill(values.values.begin() + 1, values.values.end(), values.values[0]);
    values.same = false;
  }
  values.values[lane] = value;
}

void WarpValues::write(const ScalarInstruction& instruction, const ScalarResult& result, std::uint32_t lane, bool all) {
  const std::uint32_t words = instruction.wide || instruction.constant_bytes == 8 ? 2 : 1;
  for (std::uint32_t i = 0; instruction.destination != 255 && i < words; ++i) {
    const std::uint32_t index = instruction.destination + i;
    if (instruction.uniform_results && index < 63) {
      uniforms_[index] = result.words[i];
    } else if (!instruction.uniform_results && index < kZeroRegister) {
      write_register(index, result.words[i], lane, all);
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (instruction.predicates[i] == kNoPredicate) {
      continue;
    }
    LanePredicate& state =
        (instruction.uniform_predicates ? uniform_predicates_ : predicates_)[instruction.predicates[i]];
    const LaneMask lanes = all || instruction.uniform_predicates ? kAllLanes : LaneMask{1} << lane;
    state.known = result.predicates[i] < 0 ? state.known & ~lanes : state.known | lanes;
    state.value = result.predicates[i] == 1 ? state.value | lanes : state.value & ~lanes;
  }
}

// Whether the operands are known to be the same in all lanes, so that one computation serves all.
bool WarpValues::lanes_agree(const ScalarInstruction& instruction) const {
  for (const ScalarOperand& source : instruction.sources) {
    const bool pair_differs = source.wide && source.index < kZeroRegister - 1 && !registers_[source.index + 1U].same;
    if (source.kind == ScalarOperand::Kind::kRegister && source.index != kZeroRegister &&
        (!registers_[source.index].same || pair_differs)) {
      return false;
    }
    if (source.kind == ScalarOperand::Kind::kConstant && source.index != 255 && !source.index_uniform &&
        source.index != kZeroRegister && !registers_[source.index].same) {
      return false;
    }
  }
  for (std::size_t i = 0; i < instruction.predicate_source_count; ++i) {
    const ScalarPredicate& predicate = instruction.predicate_sources[i];
    const LanePredicate& state = predicates_[predicate.index];
    if (!predicate.uniform && !((state.known == 0 || state.known == kAllLanes) &&
                                ((state.value & state.known) == 0 || state.value == kAllLanes))) {
      return false;
    }
  }
  return instruction.op != ScalarOp::kSpecialRegister;
}

// Sets everything that the decoder names as written to unknown: the text was not understood.
void WarpValues::write_unknown(const WarpInstruction& record) {
  const StaticInstruction& instruction = static_program_->instructions[record.index];
  std::uint32_t salt = 0;
  for (const RegisterRange& range : instruction.destinations) {
    for (std::uint32_t i = 0; i < range.count && range.first + i < kZeroRegister; ++i) {
      write_register(range.first + i, fresh(record.index, salt++), 0, true);
    }
  }
  for (std::uint64_t mask = instruction.uniform_destinations; mask != 0; mask &= mask - 1) {
    uniforms_[static_cast<std::size_t>(std::countr_zero(mask))] = fresh(record.index, salt++);
  }
  for (std::uint32_t i = 0; i < kNoPredicate; ++i) {
    if ((instruction.predicate_destinations >> i & 1U) != 0) {
      predicates_[i].known = 0;
    }
    if ((instruction.uniform_predicate_destinations >> i & 1U) != 0) {
      uniform_predicates_[i].known = 0;
    }
  }
}

void WarpValues::execute(const WarpInstruction& record) {
  ++executed_;
  const ScalarInstruction& instruction = program_->instructions[record.index];
  if (record.active == 0 || instruction.op == ScalarOp::kNone) {
    return;
  }
  if (instruction.op == ScalarOp::kUnknown) {
    write_unknown(record);
    return;
  }
  const auto first = static_cast<std::uint32_t>(std::countr_zero(record.active));
  const bool uniform =
      instruction.uniform_results || (instruction.destination == 255 && instruction.uniform_predicates);
  if (uniform || ((record.active & lanes_) == lanes_ && lanes_agree(instruction))) {
    if (instruction.op == ScalarOp::kToUniform) {
      ScalarResult result;
      result.words[0] = value(instruction.sources[0], first);
      write(instruction, result, first, true);
      return;
    }
    write(instruction, compute(instruction, record.index, first), first, true);
    return;
  }
  // Reads all before any lane writes: shuffles read other lanes.
  std::array<ScalarResult, kWarpSize> results;
  for (LaneMask lanes = record.active; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    results[lane] = compute(instruction, record.index, lane);
  }
  for (LaneMask lanes = record.active; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    write(instruction, results[lane], lane, false);
  }
}

}  // namespace warpsim
