// Writes a workload as a directory in the Accel-Sim text format, version 5, for reading and for other tools:
// kernelslist.g, kernel-N.traceg and, where the disassembly is known, func-N.sass. The dynamic records are complete.
// Unknown and therefore missing: tool versions, and immediates that no reader uses; the encodings in
// func-N.sass hold only the control bits. Without disassembly a source register may be in another operand slot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/output_folder.h"
#include "core/launch/instruction_source.h"

namespace warpsim {

// OUT appears when all its files are written (base/output_folder.h). Throws UserError if that fails or OUT exists.
class TraceTextWriter {
 public:
  explicit TraceTextWriter(std::string directory);
  TraceTextWriter(const TraceTextWriter&) = delete;
  TraceTextWriter& operator=(const TraceTextWriter&) = delete;

  void add_copy(const CopyToDevice& copy);
  void add_kernel(KernelSource& kernel);
  void finish();

 private:
  // Number of the function; its listing is written at its first use.
  std::size_t function_of(const std::shared_ptr<const StaticProgram>& program);

  OutputFolder folder_;
  std::string list_;
  std::uint32_t kernels_ = 0;
  std::vector<std::shared_ptr<const StaticProgram>> functions_;
};

}  // namespace warpsim
