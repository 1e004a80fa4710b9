// Kernels written as disassembly, with the path of each warp as a list of instruction numbers: the input of the front
// end from a trace and its listing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/workload/block_trace.h"

namespace warpsim::test {

// One executed instruction.
struct Executed {
  std::uint32_t index = 0;  // line of the listing
  LaneMask active = kAllLanes;
};
using Path = std::vector<Executed>;

// Instructions `first` to `last`, in order.
Path in_order(std::uint32_t first, std::uint32_t last);
Path operator+(Path left, const Path& right);

struct ListedKernel {
  KernelLaunch launch;
  std::function<std::vector<Path>(std::uint64_t block)> paths;  // one per warp
};

// Lines of disassembly without control bits, 16 bytes apart from 0.
std::shared_ptr<const StaticProgram> listed_program(const std::vector<std::string>& lines);
ListedKernel listed_kernel(const std::vector<std::string>& lines, Dim3 grid, Dim3 cluster, std::uint32_t warps,
                           std::function<std::vector<Path>(std::uint64_t block)> paths);

BlockTrace block_of(const ListedKernel& kernel, std::uint64_t linear_index);
// The block that the front end passes to the core, with its inferences.
std::unique_ptr<TraceKernelSource> source_of(const ListedKernel& kernel);

}  // namespace warpsim::test
