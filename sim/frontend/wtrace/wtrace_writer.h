// Writes the native trace format (docs/trace-format.md). Memory is bounded by one group of thread blocks. The file
// appears under its name when finish() returns; until then, and after any error, only PATH.partial can exist.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/launch/instruction_source.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

// The calls follow the program: add_copy(), or begin_kernel(), add_block() for every block of the grid in increasing
// linear index, end_kernel(); finally finish(). Throws TraceError if the file cannot be written or a block does not fit
// its launch.
class WtraceWriter {
 public:
  explicit WtraceWriter(const std::string& path);
  ~WtraceWriter();
  WtraceWriter(const WtraceWriter&) = delete;
  WtraceWriter& operator=(const WtraceWriter&) = delete;

  void add_copy(const CopyToDevice& copy);
  // `launch.program` is written once, for all kernels that share its content.
  void begin_kernel(const KernelLaunch& launch);
  void add_block(BlockTrace block);
  void end_kernel();
  void finish();

 private:
  struct State;
  void write_group();
  std::uint32_t function_of(const StaticProgram& program);

  std::unique_ptr<State> state_;
};

}  // namespace warpsim
