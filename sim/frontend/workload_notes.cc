#include "frontend/workload_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace warpsim {

void WorkloadNotes::add_kernel(const KernelLaunch& launch, const std::string& file) {
  if (launch.program == nullptr || !seen_.insert(launch.kernel).second) {
    return;
  }
  const StaticProgram& program = *launch.program;
  if (!program.has_listing) {
    without_listing_.insert(launch.kernel);
  } else if (!program.has_control) {
    without_control_.insert(launch.kernel);
  }
  for (const StaticInstruction& instruction : program.instructions) {
    if (instruction.space == MemorySpace::kGeneric && (launch.shared_base == 0 || launch.local_base == 0)) {
      without_windows_.insert(launch.kernel);
    }
    if (instruction.known_opcode) {
      continue;
    }
    const std::string& opcode = program.opcodes[instruction.opcode];
    if (strict_) {
      throw TraceError(
          fmt::format("{}: opcode '{}' at PC {:#06x} of {} is not in the opcode table; expected a "
                      "documented SASS opcode of sm_50 to sm_90",
                      file, opcode, instruction.pc, launch.kernel));
    }
    UnknownOpcode& unknown = unknown_[opcode];
    ++unknown.instructions;
    unknown.kernels.insert(launch.kernel);
  }
}

std::vector<std::string> WorkloadNotes::sentences() const {
  std::vector<std::string> result;
  if (!without_listing_.empty()) {
    result.push_back(
        fmt::format("no SASS listing holds {}: operands come from the trace, dependences go through a "
                    "scoreboard",
                    fmt::join(without_listing_, ", ")));
  }
  if (!without_control_.empty()) {
    result.push_back(fmt::format("the SASS listing of {} has no control bits: dependences go through a scoreboard",
                                 fmt::join(without_control_, ", ")));
  }
  if (!without_windows_.empty()) {
    result.push_back(fmt::format("the generic windows of {} are not recorded: all its generic accesses are global",
                                 fmt::join(without_windows_, ", ")));
  }
  for (const auto& [opcode, unknown] : unknown_) {
    result.push_back(
        fmt::format("opcode {} ({} instructions of {}) is not in the opcode table: simulated as an ALU "
                    "operation",
                    opcode, unknown.instructions, fmt::join(unknown.kernels, ", ")));
  }
  return result;
}

}  // namespace warpsim
