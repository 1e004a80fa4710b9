// Completes the blocks of a kernel with asynchronous copies and barriers: decodes them cluster by cluster, sizes and
// places the copies, and reduces waiting loops. Blocks of other kernels are not changed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/async/async_decoder.h"
#include "frontend/async/copy_sizes.h"
#include "frontend/async/tile_addresses.h"
#include "frontend/async/wait_loops.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

// Whether the program has barriers in shared memory or bulk copies, and its text is known.
bool is_asynchronous(const StaticProgram& program);

// What was inferred, for the summary.
struct AsyncFindings {
  std::string kernel;
  CopySizeStats sizes;
  WaitLoopStats loops;
  std::uint64_t tensor_loads = 0;
  std::uint64_t copies = 0;
  std::uint64_t unknown_operations = 0;
  std::uint64_t contradictions = 0;
  std::vector<std::int32_t> box_bytes;
  std::vector<std::uint32_t> tile_grid;  // extents of the axes found
};

class AsyncKernel {
 public:
  AsyncKernel(const KernelLaunch& launch, std::unique_ptr<BlockReader> reader);
  void read(std::uint64_t linear_index, BlockTrace& out);
  const std::shared_ptr<AsyncFindings>& findings() const { return findings_; }

 private:
  void read_cluster(std::uint64_t linear_index);
  std::vector<std::uint64_t> members_of(std::uint64_t linear_index) const;
  void note(const std::vector<CopySizes::Member>& cluster);

  KernelLaunch launch_;
  std::unique_ptr<BlockReader> reader_;
  ScalarProgram scalar_;
  AsyncDecoder decoder_;
  WaitLoops loops_;
  CopySizes sizes_;
  TileAddresses tiles_;
  std::map<std::uint64_t, BlockTrace> ready_;  // decoded with their cluster, not requested yet
  std::shared_ptr<AsyncFindings> findings_ = std::make_shared<AsyncFindings>();
};

}  // namespace warpsim
