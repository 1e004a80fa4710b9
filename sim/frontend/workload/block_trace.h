// The recorded instructions of one thread block, and the source that returns them to the core.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/launch/instruction_source.h"

namespace warpsim {

struct BlockTrace {
  std::uint64_t linear_index = 0;  // x + grid.x * (y + grid.y * z)
  // Instructions of warp w: [warp_begin[w], warp_begin[w + 1]). Warps absent from the trace are empty.
  std::vector<std::uint32_t> warp_begin;
  std::vector<WarpInstruction> instructions;
  AddressPool addresses;
  std::vector<AsyncOperation> operations;  // filled after reading, see async_decoder.h

  std::uint32_t warp_count() const {
    return warp_begin.empty() ? 0 : static_cast<std::uint32_t>(warp_begin.size() - 1);
  }
  void clear() {
    linear_index = 0;
    warp_begin.clear();
    instructions.clear();
    addresses.clear();
    operations.clear();
  }
};

// Reads the blocks of one recorded kernel, for several threads at a time. Errors are TraceErrors.
class BlockReader {
 public:
  virtual ~BlockReader() = default;
  // Fills `out` with the block of that linear index; each block is requested at most once, in any order (increasing
  // order is cheapest).
  virtual void read(std::uint64_t linear_index, BlockTrace& out) = 0;
};

// Blocks that have ended, whose memory later blocks of the same SM reuse: as many as were in flight at once. It is
// likely to be in the caches of the processor that executes the SM. For several threads.
class SpareBlocks {
 public:
  BlockTrace take(std::uint32_t sm) {
    const std::scoped_lock lock(mutex_);
    if (sm >= by_sm_.size() || by_sm_[sm].empty()) {
      return {};
    }
    BlockTrace block = std::move(by_sm_[sm].back());
    by_sm_[sm].pop_back();
    return block;
  }
  void give_back(std::uint32_t sm, BlockTrace block) {
    const std::scoped_lock lock(mutex_);
    if (sm >= by_sm_.size()) {
      by_sm_.resize(std::size_t{sm} + 1);
    }
    by_sm_[sm].push_back(std::move(block));
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<BlockTrace>> by_sm_;
};

class AsyncKernel;
class ConstantAddresses;
struct AsyncFindings;

// A recorded kernel as the core's instruction source.
class TraceKernelSource final : public KernelSource {
 public:
  // `infer_asynchronous`: see WorkloadOptions.
  TraceKernelSource(KernelLaunch launch, std::unique_ptr<BlockReader> reader, bool infer_asynchronous);
  ~TraceKernelSource() override;
  TraceKernelSource(const TraceKernelSource&) = delete;
  TraceKernelSource& operator=(const TraceKernelSource&) = delete;
  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override;
  // Without inference, which keeps what it learns from block to block.
  Concurrency concurrency() const override { return async_ == nullptr ? Concurrency::kFree : Concurrency::kOneThread; }
  // What has been inferred about asynchronous copies so far; null for kernels without any.
  std::shared_ptr<const AsyncFindings> async_findings() const;

 private:
  KernelLaunch launch_;
  std::unique_ptr<BlockReader> reader_;  // or, for asynchronous kernels:
  std::unique_ptr<AsyncKernel> async_;
  std::unique_ptr<ConstantAddresses> constants_;  // null: the kernel reads none at addresses in registers
  std::mutex constants_mutex_;
  std::shared_ptr<SpareBlocks> spare_;  // shared with the blocks in flight, which return their memory to it
};

}  // namespace warpsim
