// Writes a workload as a directory in the Accel-Sim text format, version 5, for reading and for other tools:
// kernelslist.g, kernel-N.traceg and, where the disassembly is known, func-N.sass. The dynamic records are complete.
// Unknown and therefore missing: tool versions, and immediates that no reader uses; the encodings in
// func-N.sass hold the control bits only. Without disassembly a source register may be in another operand slot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/instruction_source.h"

namespace warpsim {

// Writes into `OUT.partial` and renames it when all is there. Throws TraceError if that fails or OUT exists.
class TraceTextWriter {
 public:
  explicit TraceTextWriter(std::string directory);
  ~TraceTextWriter();  // removes what was not finished
  TraceTextWriter(const TraceTextWriter&) = delete;
  TraceTextWriter& operator=(const TraceTextWriter&) = delete;

  void add_copy(const CopyToDevice& copy);
  void add_kernel(KernelSource& kernel);
  void finish();

 private:
  // Number of the function; its listing is written when it comes first.
  std::size_t function_of(const std::shared_ptr<const StaticProgram>& program);

  std::string directory_;
  std::string partial_;
  std::string list_;
  std::uint32_t kernels_ = 0;
  std::vector<std::shared_ptr<const StaticProgram>> functions_;
  bool finished_ = false;
};

}  // namespace warpsim
