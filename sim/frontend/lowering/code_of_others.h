// Lowers kernels whose code is for another architecture than the GPU's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/gpu_config.h"
#include "core/launch/instruction_source.h"
#include "frontend/lowering/lowered_kernel.h"

namespace warpsim {

class CodeOfOthers {
 public:
  // `config` outlives it. `strict`: see LoweringTarget; `origin` is for its message. `keeps_programs`: a program is
  // lowered once, for all of its launches, and keeps its address in the GPU's memory.
  CodeOfOthers(const GpuConfig& config, bool strict, const std::string& origin, bool keeps_programs = false);

  // The kernel itself if its code is for this GPU, otherwise lowered to it. Throws TraceError if strict.
  std::unique_ptr<KernelSource> adapted(std::unique_ptr<KernelSource> kernel);
  // The changes, as text for users.
  std::vector<std::string> notes() const { return lowering_notes(findings_); }

 private:
  const OccupancyConfig& limits_;
  LoweringTarget target_;  // registers: by kernel
  bool keeps_programs_;
  std::vector<std::shared_ptr<const LoweringFindings>> findings_;
  std::map<std::shared_ptr<const StaticProgram>, std::shared_ptr<const LoweredProgram>> programs_;
};

}  // namespace warpsim
