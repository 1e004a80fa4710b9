// The grid by which a driver copies or fills memory of a GPU: such copies run on SMs, beside other kernels.
//
// Modelled: blocks whose threads move a few bytes each, once; they need places on SMs, and share L2 and DRAM with other
// kernels. Not modelled: the driver's code, of which only threads, bytes and effect are known; copies of rows that do
// not begin at multiples of an access. Evidence: tests/hardware/copies_beside. State: none.
#pragma once

#include <cstdint>
#include <memory>

#include "core/launch/host_interface.h"
#include "core/launch/instruction_source.h"
#include "device/memory_range.h"

namespace warpsim {

class CopyGrid final : public KernelSource {
 public:
  struct Setting {
    std::uint32_t gpu = 0;
    std::uint32_t architecture = 90;
    std::uint64_t stream = 0;
  };
  // The bytes of `range` from `first` on. Null if the GPU copies by other means, or nothing is left.
  static std::unique_ptr<CopyGrid> make(const MemoryRange& range, std::uint64_t first, const CopiesConfig& config,
                                        const Setting& setting);

  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override;
  Concurrency concurrency() const override { return Concurrency::kFree; }

 private:
  CopyGrid(const MemoryRange& range, std::uint64_t first_piece, const CopiesConfig::Grid& grid, const Setting& setting);

  MemoryRange range_;
  std::uint64_t first_piece_;
  std::uint32_t lane_bytes_;
  KernelLaunch launch_;
};

}  // namespace warpsim
