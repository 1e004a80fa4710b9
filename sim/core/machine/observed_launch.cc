#include "core/machine/observed_launch.h"

#include <string>
#include <utility>
#include <vector>

namespace warpsim {

ListedProgram list_program(const StaticProgram& program) {
  ListedProgram listed;
  listed.kernel = program.function;
  listed.architecture = program.architecture;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const StaticInstruction& instruction = program.instructions[i];
    ListedProgram::Instruction& line = listed.instructions.emplace_back();
    line.address = instruction.pc;
    if (i < program.source_lines.size() && program.source_lines[i].line != 0) {
      line.source_file = program.source_files[program.source_lines[i].file];
      line.source_line = program.source_lines[i].line;
    }
    line.text = i < program.text.size() ? program.text[i] : program.opcodes[instruction.opcode];
  }
  return listed;
}

namespace {

std::vector<Timeline::Instruction> shown_instructions(const ListedProgram& program) {
  std::vector<Timeline::Instruction> instructions;
  instructions.reserve(program.instructions.size());
  for (const ListedProgram::Instruction& line : program.instructions) {
    const std::string source =
        line.source_line == 0 ? std::string() : line.source_file + ":" + std::to_string(line.source_line);
    instructions.push_back({line.address, line.text, source});
  }
  return instructions;
}

}  // namespace

// A timeline names the instruction that each warp is at, which is known where hot spots are counted.
ObservedLaunch::ObservedLaunch(const DetailOptions& options, const KernelLaunch& launch,
                               const TimelineRequest& timeline)
    : options_(options), timeline_(timeline) {
  if (options_.hot_spots || timeline_.timeline != nullptr) {
    program_ = list_program(*launch.program);
    hot_spots_.emplace(program_.instructions.size());
  }
  if (timeline_.timeline != nullptr) {
    timeline_.timeline->set_instructions(shown_instructions(program_));
  }
}

LaunchHooks ObservedLaunch::hooks(std::function<void(const LaunchProgress&)> progress,
                                  std::function<void(Cycle cycle, bool last)> sampled) {
  LaunchHooks hooks;
  hooks.progress = std::move(progress);
  if (options_.sample_interval != 0) {
    hooks.sample_interval = options_.sample_interval;
    hooks.sample = [this, sampled = std::move(sampled)](Cycle cycle, bool last) {
      sampler_->take(cycle, last);
      if (sampled) {
        sampled(cycle, last);
      }
    };
  }
  hooks.hot_spots = hot_spots_ ? &*hot_spots_ : nullptr;
  hooks.timeline = timeline_;
  return hooks;
}

void ObservedLaunch::begin(StatGroup& stats) {
  if (options_.sample_interval != 0) {
    sampler_.emplace(stats);
    sampler_->begin();
  }
}

LaunchDetails ObservedLaunch::details() const {
  LaunchDetails details;
  details.series = sampler_ ? &sampler_->series() : nullptr;
  if (options_.hot_spots && hot_spots_) {
    details.hot_spots = &*hot_spots_;
    details.program = &program_;
  }
  return details;
}

}  // namespace warpsim
