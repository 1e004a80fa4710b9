// Runs synthetic kernels on the tiny GPU of configs/test_tiny.yaml and reads the results.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/machine/machine.h"
#include "support/synthetic_kernel.h"

namespace warpsim::test {

using Overrides = std::vector<std::string>;  // "path.to.key=value", as for --set

// configs/test_tiny.yaml with overrides.
GpuConfig tiny_config(const Overrides& overrides = {});

// Overrides that idealise everything around the issue stage: instructions and constants are always available.
Overrides perfect_front_end();
// Overrides for a memory that answers at once and accepts everything: with them a request that leaves an
// SM is answered after `ideal_memory_round_trip` core cycles (crossbar ports and slices, one cycle per hop).
Overrides ideal_memory();
// Overrides with few small translation caches, so that small kernels miss in each of them.
Overrides small_translations();
// Further overrides with which their walks read page tables in memory.
Overrides tables_in_memory();
Overrides operator+(Overrides left, const Overrides& right);

// Counters summed over all instances of a kind: "sm.sub_core.inst_executed".
using Counters = std::map<std::string, std::uint64_t>;
Counters counters_of(const StatGroup& root);
// Every counter of every instance and every non-empty bucket of every histogram, by path.
std::map<std::string, std::uint64_t> every_statistic(const StatGroup& root);

struct KernelRun {
  LaunchResult result;
  Counters counters;
  std::map<std::string, std::uint64_t> statistics;
  // Throws if there is no such counter.
  std::uint64_t operator[](const std::string& counter) const { return counters.at(counter); }
};

KernelRun run_on(Machine& gpu, SyntheticKernel& kernel);
// Of a launch that was submitted, to its end.
KernelRun end_of(warpsim::Machine& machine, warpsim::Machine::LaunchId launch);
// On a fresh tiny GPU.
KernelRun run(SyntheticKernel& kernel, const Overrides& overrides = {}, const MachineOptions& options = {});
KernelRun run(const KernelBuilder& builder, const KernelShape& shape = {}, const Overrides& overrides = {});
// The first warp's record of such a run.
WarpRecord first_warp(const KernelBuilder& builder, const KernelShape& shape = {}, const Overrides& overrides = {});
// Cycles between its consecutive issues, with instructions and constants always available.
using Gaps = std::vector<Cycle>;
Gaps gaps(const KernelBuilder& builder, const Overrides& overrides = {});

}  // namespace warpsim::test
