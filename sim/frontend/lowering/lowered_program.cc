#include "frontend/lowering/lowered_program.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "base/types.h"
#include "isa/code_layout.h"
#include "isa/opcode_table.h"
#include "isa/opcode_text.h"

namespace warpsim {

namespace {

std::uint32_t highest_register(const StaticProgram& program) {
  std::uint32_t highest = 0;
  const auto see = [&highest](const RegisterRange& range) {
    if (range.count != 0 && range.first != kZeroRegister) {
      highest = std::max<std::uint32_t>(highest, range.first + range.count - 1U);
    }
  };
  for (const StaticInstruction& instruction : program.instructions) {
    std::ranges::for_each(instruction.destinations, see);
    std::ranges::for_each(instruction.sources, see);
  }
  return highest;
}

// The work of one round of repeated steps.
struct Round {
  std::uint32_t multiply_adds = 0;
  std::uint32_t matrices = 0;
  std::uint32_t shared_bytes = 0;
};

Round round_of(std::span<const StaticInstruction> steps, std::uint32_t lane_work) {
  constexpr std::uint32_t kMatrixBytes = 128;
  Round round;
  for (const StaticInstruction& step : steps) {
    round.multiply_adds += step.mma_macs;
    if (step.space == MemorySpace::kShared) {
      round.shared_bytes += step.matrices != 0 ? step.matrices * kMatrixBytes : step.bytes_per_lane * kWarpSize;
    }
  }
  round.matrices = 1;
  if (lane_work != 0 || round.multiply_adds == 0) {
    round.multiply_adds = std::max(1U, lane_work) * kWarpSize;
  }
  return round;
}

std::uint32_t rounds_of(const StaticInstruction& recorded, StepRepeat repeat, const Round& round) {
  const auto times = [](std::uint32_t whole, std::uint32_t part) { return (whole + part - 1) / std::max(1U, part); };
  switch (repeat) {
    case StepRepeat::kMultiplyAdds:
      return recorded.matrices != 0 ? times(recorded.matrices, round.matrices)
                                    : std::max(1U, times(recorded.mma_macs, round.multiply_adds));
    case StepRepeat::kSharedOperands:  // each of the four warps of a warpgroup needs all of B
      return times(recorded.mma_b_bytes + (recorded.mma_a_in_registers ? 0U : recorded.mma_a_bytes),
                   round.shared_bytes);
    default:
      return 1;
  }
}

bool is_asynchronous_step(const LoweredStep& step) {
  return step.operates || step.repeat == StepRepeat::kCopy;
}

class Writer {
 public:
  Writer(const StaticProgram& recorded, std::uint32_t architecture)
      : recorded_(recorded),
        temporaries_(std::min<std::uint32_t>(highest_register(recorded) + 1, kLastTemporaries)),
        program_(std::make_shared<StaticProgram>()) {
    program_->function = recorded.function;
    program_->architecture = architecture;
    program_->has_listing = recorded.has_listing;
    program_->instruction_bytes = code_layout_of(architecture).instruction_bytes;
    result_.control_dropped = recorded.has_control && recorded.architecture / 10 != architecture / 10;
    program_->has_control = recorded.has_control && !result_.control_dropped;
  }

  LoweredProgram write() {
    for (const StaticInstruction& instruction : recorded_.instructions) {
      write(instruction);
    }
    result_.program = program_;
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kTemporaries = 26;       // names
  static constexpr std::uint32_t kLastTemporaries = 224;  // they fit below the zero register
  static constexpr std::uint32_t kTemporariesInFlight = 8;
  static constexpr std::uint8_t kCopyCounter = 5;      // of the groups of copies that lowering adds
  static constexpr std::int32_t kMostCopyGroups = 63;  // open at once
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  void write(const StaticInstruction& recorded) {
    const std::string& opcode = recorded_.opcodes[recorded.opcode];
    const Lowering lowering = lower(opcode, program_->architecture);
    LoweredProgram::Place place;
    place.first = static_cast<std::uint32_t>(program_->instructions.size());
    place.replaced = lowering.nativity != Nativity::kNative;
    if (!place.replaced) {
      append(recorded, opcode);
      program_->instructions.back().control = result_.control_dropped ? ControlBits{} : recorded.control;
    } else {
      note(opcode, lowering);
      place.asynchronous = std::ranges::any_of(lowering.steps, is_asynchronous_step);
      if (place.asynchronous) {
        append_nothing(recorded);
      }
      place.memory =
          lowering.nativity == Nativity::kMissing ? append_nothing(recorded) : append_steps(recorded, lowering);
    }
    place.count = static_cast<std::uint32_t>(program_->instructions.size()) - place.first;
    place.counted = lowering.nativity == Nativity::kMissing || place.count > 1;
    result_.places.push_back(place);
  }

  // A copy of the recorded instruction with another opcode, with its properties on this architecture.
  StaticInstruction& append(const StaticInstruction& recorded, const std::string& opcode) {
    StaticInstruction instruction = recorded;
    classify(opcode, program_->architecture, instruction);
    instruction.known_opcode = recorded.known_opcode;
    const auto index = static_cast<std::uint32_t>(program_->instructions.size());
    instruction.pc = static_cast<std::uint32_t>(code_layout_of(program_->architecture).offset(index));
    instruction.opcode = number_of(opcode);
    instruction.has_control = program_->has_control;
    program_->instructions.push_back(instruction);
    result_.roles.push_back({});
    return program_->instructions.back();
  }

  std::int32_t append_nothing(const StaticInstruction& recorded) {
    StaticInstruction& nothing = append(recorded, "NOP");
    nothing.destinations = {};
    nothing.sources = {};
    nothing.control = {};
    nothing.has_control = false;
    return -1;
  }

  // Returns the position of the step that makes the recorded access.
  std::int32_t append_steps(const StaticInstruction& recorded, const Lowering& lowering) {
    const std::size_t begin = program_->instructions.size();
    std::int32_t memory = -1;
    std::span<const LoweredStep> steps = lowering.steps;
    while (!steps.empty()) {
      const auto end = std::ranges::find_if(
          steps, [&](const LoweredStep& step) { return step.group == 0 || step.group != steps.front().group; });
      const auto together = std::max<std::size_t>(1, static_cast<std::size_t>(end - steps.begin()));
      const std::size_t at = append_group(recorded, steps.first(together));
      memory = at == kNowhere ? memory : static_cast<std::int32_t>(at - begin);
      steps = steps.subspan(together);
    }
    program_->instructions[begin].has_constant_operand = recorded.has_constant_operand;  // the first step reads it
    StaticInstruction& last = program_->instructions.back();
    last.destinations[1] = recorded.destinations[1];
    last.predicate_destinations = recorded.predicate_destinations;
    last.uniform_destinations = recorded.uniform_destinations;
    last.uniform_predicate_destinations = recorded.uniform_predicate_destinations;
    return memory;
  }

  // All rounds of steps that are repeated together, or a single step.
  std::size_t append_group(const StaticInstruction& recorded, std::span<const LoweredStep> steps) {
    const std::size_t begin = program_->instructions.size();
    std::size_t memory = kNowhere;
    for (const LoweredStep& step : steps) {
      memory = step.access == StepAccess::kRecorded ? program_->instructions.size() : memory;
      append_step(recorded, step, {});
    }
    const std::span<const StaticInstruction> written = std::span(program_->instructions).subspan(begin);
    const Round round = round_of(written, steps.front().lane_work);
    const std::uint32_t rounds = rounds_of(recorded, steps.front().repeat, round);
    program_->instructions.resize(begin);  // now that the rounds are known
    result_.roles.resize(begin);
    for (std::uint32_t i = 0; i < rounds; ++i) {
      for (const LoweredStep& step : steps) {
        append_step(recorded, step, part_of(recorded, steps, i, rounds));
      }
    }
    return rounds == 0 ? kNowhere : memory;
  }

  // Registers of one of several rounds.
  struct Part {
    RegisterRange result;              // of the recorded instruction's
    std::uint32_t temporaries_on = 0;  // offset of their numbers
  };

  static Part part_of(const StaticInstruction& recorded, std::span<const LoweredStep> steps, std::uint32_t index,
                      std::uint32_t rounds) {
    Part part{recorded.destinations[0], 0};
    if (rounds > 1) {
      part.temporaries_on = index * static_cast<std::uint32_t>(steps.size()) % kTemporariesInFlight;
      const std::uint32_t all = part.result.count;
      const std::uint32_t count = std::max(1U, all / rounds);
      if (all > count) {
        part.result.first = static_cast<std::uint8_t>(part.result.first + index * count % (all - all % count));
        part.result.count = static_cast<std::uint8_t>(count);
      }
    }
    return part;
  }

  void append_step(const StaticInstruction& recorded, const LoweredStep& step, const Part& part) {
    StaticInstruction& written = append(recorded, step.opcode);
    result_.roles.back() = {step.access, step.operates, step.repeat == StepRepeat::kCopy};
    written.destinations = {range_of(recorded, step.destination, part), {}};
    written.sources = {};
    for (std::size_t slot = 0; slot < std::min<std::size_t>(step.sources.size(), 3); ++slot) {
      written.sources[slot] = range_of(recorded, step.sources[slot], part);
    }
    written.predicate_destinations = 0;
    written.uniform_destinations = 0;
    written.uniform_predicate_destinations = 0;
    written.has_control = false;  // of another instruction
    written.control = {};
    written.has_constant_operand = false;
    if (is_asynchronous_step(step) || written.kind == OpKind::kDependBarrier) {
      written.depbar_counter = kCopyCounter;
      written.immediate = kMostCopyGroups;
    }
  }

  RegisterRange range_of(const StaticInstruction& recorded, char letter, const Part& part) const {
    switch (letter) {
      case '-':
        return {};
      case 'd':
        return part.result;
      case 'a':
      case 'b':
      case 'c':
        return recorded.sources[static_cast<std::size_t>(letter - 'a')];
      default:
        return {static_cast<std::uint8_t>(
                    temporaries_ + (static_cast<std::uint32_t>(letter - 'A') + part.temporaries_on) % kTemporaries),
                1};
    }
  }

  std::uint16_t number_of(const std::string& opcode) {
    const auto [found, added] =
        opcode_numbers_.try_emplace(opcode, static_cast<std::uint16_t>(program_->opcodes.size()));
    if (added) {
      program_->opcodes.push_back(opcode);
    }
    return found->second;
  }

  void note(const std::string& opcode, const Lowering& lowering) {
    const std::string base(OpcodeText(opcode).base());
    LoweredProgram::Change& change = result_.changed[base];
    change.nativity = std::max(change.nativity, lowering.nativity);
    std::string sequence;
    std::string_view before;
    for (const LoweredStep& step : lowering.steps) {
      if (step.repeat != StepRepeat::kCopy || step.opcode != before) {
        sequence += (sequence.empty() ? "" : ", ") + step.opcode;
      }
      before = step.opcode;
    }
    if (sequences_[base].insert(sequence).second) {
      change.sequence += (change.sequence.empty() ? "" : " or ") + sequence;
    }
  }

  const StaticProgram& recorded_;
  std::uint32_t temporaries_;  // first register that the kernel does not use
  std::shared_ptr<StaticProgram> program_;
  std::map<std::string, std::uint16_t> opcode_numbers_;
  std::map<std::string, std::set<std::string>> sequences_;  // already recorded, by opcode without modifiers
  LoweredProgram result_;
};

}  // namespace

LoweredProgram lower_program(const StaticProgram& recorded, std::uint32_t architecture) {
  return Writer(recorded, architecture).write();
}

}  // namespace warpsim
