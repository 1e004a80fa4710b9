// How far the parts of a machine may run ahead of each other, and whether several threads execute them: the strictest
// of the active launches decides.
//
// Modelled: nothing; a launch's results do not depend on windows, as far as its source allows several.
// State: the launches whose effects are exchanged. Uses the system, the GPUs' cluster links and the sources.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/gpu.h"
#include "core/launch/instruction_source.h"
#include "core/machine/far_memory.h"
#include "engine/system.h"

namespace warpsim {

class LaunchWindows {
 public:
  // `threads` that may execute launches. The system outlives the windows.
  LaunchWindows(System& system, std::uint32_t threads) : system_(system), threads_(threads) {}

  struct Member {
    KernelSource* source;
    Gpu* gpu;
  };
  // For these launches, which are active from now on. Throws ConfigError if their sources exchange effects and their
  // GPUs have different core clocks. `far` outlives the launches.
  void set(const std::vector<Member>& launches, const std::vector<std::unique_ptr<Gpu>>& gpus, const FarMemory& far);

  // Whether several threads may execute a launch.
  bool run_on_threads(const KernelSource& source) const;
  // Core cycles by which a part of the GPU may have run ahead of another part of the machine.
  Cycle reach_cycles(const Gpu& gpu) const { return gpu.core_clock().edge_at_or_after(TimeFs{system_.lookahead_fs()}); }

 private:
  void set_meetings(const std::vector<Member>& before, const FarMemory& far);

  System& system_;
  std::uint32_t threads_;
  std::vector<Member> exchanged_;  // by submission
};

}  // namespace warpsim
