#include "frontend/workload/workload_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "frontend/async/async_kernel.h"

namespace warpsim {
namespace {

std::string sentence_of(const AsyncFindings& findings) {
  std::string text = fmt::format("{}: {} bulk copies", findings.kernel, findings.copies);
  if (findings.tensor_loads != 0) {
    text += fmt::format(
        ", {} of them by descriptor (boxes of {} bytes, inferred from the bytes that barriers expect "
        "and from destinations; addresses derived from coordinates)",
        findings.tensor_loads, fmt::join(findings.box_bytes, ", "));
  }
  if (!findings.tile_grid.empty()) {
    text += fmt::format("; clusters assumed to cover a grid of {} tiles", fmt::join(findings.tile_grid, " x "));
  }
  text += fmt::format("; {} waits on barriers re-timed, {} recorded instructions of waiting loops removed",
                      findings.loops.waits, findings.loops.removed);
  if (findings.loops.kept_as_recorded != 0) {
    text +=
        fmt::format("; {} waiting loops whose barrier is unknown kept as recorded", findings.loops.kept_as_recorded);
  }
  if (findings.sizes.shared_out != 0) {
    text += fmt::format("; {} barriers' bytes divided equally among their copies", findings.sizes.shared_out);
  }
  if (findings.sizes.unknown != 0 || findings.unknown_operations != 0) {
    text += fmt::format("; {} copies of unknown size and {} operations on unknown barriers take fixed times",
                        findings.sizes.unknown, findings.unknown_operations);
  }
  if (findings.contradictions != 0) {
    text +=
        fmt::format("; {} recorded addresses in shared memory contradict the inferred values", findings.contradictions);
  }
  return text;
}

}  // namespace

void WorkloadNotes::add_findings(std::shared_ptr<const AsyncFindings> findings) {
  if (findings != nullptr) {
    findings_.push_back(std::move(findings));
  }
}

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
                      "documented SASS opcode of sm_10 to sm_90",
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
        fmt::format("no SASS listing contains {}: operands come from the trace, a scoreboard tracks dependences",
                    fmt::join(without_listing_, ", ")));
  }
  if (!without_control_.empty()) {
    result.push_back(fmt::format("the SASS listing of {} has no control bits: a scoreboard tracks dependences",
                                 fmt::join(without_control_, ", ")));
  }
  if (!without_windows_.empty()) {
    result.push_back(fmt::format("the generic windows of {} are not recorded: all its generic accesses count as global",
                                 fmt::join(without_windows_, ", ")));
  }
  for (const auto& [opcode, unknown] : unknown_) {
    result.push_back(
        fmt::format("opcode {} ({} instructions of {}) is not in the opcode table: simulated as an ALU "
                    "operation",
                    opcode, unknown.instructions, fmt::join(unknown.kernels, ", ")));
  }
  std::set<std::string> seen;
  for (const auto& findings : findings_) {
    if (std::string text = sentence_of(*findings); seen.insert(text).second) {
      result.push_back(std::move(text));
    }
  }
  return result;
}

}  // namespace warpsim
