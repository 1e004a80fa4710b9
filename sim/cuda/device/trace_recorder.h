// Records the launches of a device's programs as a native trace, for later simulation on any GPU.
#pragma once

#include <cstdint>
#include <string>

#include "base/creating_process.h"
#include "cuda/device/kernel_work.h"
#include "frontend/wtrace/wtrace_writer.h"

namespace warpsim::cuda {

class TraceRecorder {
 public:
  // Throws TraceError if the file cannot be written.
  explicit TraceRecorder(const std::string& path);
  // The program has ended normally: the file gets its name, unless a kernel has failed. Not called in forked processes.
  ~TraceRecorder();
  TraceRecorder(const TraceRecorder&) = delete;
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  // Throws KernelFault; nothing can be recorded afterwards.
  void run(const KernelWork& work, std::uint32_t resident_blocks);
  // The host has written device memory.
  void written(Address address, std::uint64_t bytes);

 private:
  WtraceWriter writer_;
  std::string path_;
  CreatingProcess creator_;
  std::uint32_t launches_ = 0;
  bool failed_ = false;
};

}  // namespace warpsim::cuda
