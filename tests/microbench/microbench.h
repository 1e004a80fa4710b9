// Microbenchmarks of a real GPU, reproduced: synthetic kernels that execute in the simulator what the measured programs
// executed on the chip. The hardware's values are in tests/hardware/<gpu>/micro.csv; each family here is one `bench` of
// that table. A probe executes the same instructions in the same order with the same control bits as the measured
// program, as in its SASS, and derives its value from simulated cycles like the program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/gpu/gpu_config.h"

namespace warpsim::microbench {

struct Probe {
  std::string name;  // as in the table
  // The simulated value, in the unit of the table. Deterministic; every call starts from a fresh machine.
  std::function<double(const GpuConfig&)> simulate;
};

// Values of the table that are not reproduced, and why: a mechanism that is not modelled, a quantity that a simulator
// does not have (host time), a measurement that is impossible. `pattern` is a name with `*` for any characters.
struct Uncovered {
  std::string pattern;
  std::string reason;
};

struct Family {
  std::string bench;
  std::vector<Probe> probes;
  std::vector<Uncovered> uncovered;
};

// One function per family, each in its own file.
Family lat_alu_family();
Family thr_alu_family();
Family mma_family();
Family diverge_family();
Family icache_family();
Family lat_mem_family();
Family coalesce_family();
Family atomics_family();
Family bw_family();
Family fabric_family();
Family chase_family();
Family cpasync_family();
Family mlp_family();
Family launch_family();
Family wgmma_family();

}  // namespace warpsim::microbench
