// A launch of a PTX kernel as the core's instruction source: executed at issue (ptx_block.h), with the machine code
// that a compiler would generate.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "codegen/machine_code.h"
#include "core/launch/instruction_source.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/launch_effects.h"
#include "frontend/ptx/ptx_block.h"
#include "frontend/ptx/ptx_code.h"

namespace warpsim {

struct PtxKernelOptions {
  std::uint32_t local_bytes = 0;          // per thread: stack and local variables
  std::uint32_t accesses_in_flight = 64;  // per warp: accesses whose addresses the machine may still need
};

class PtxKernel final : public KernelSource {
 public:
  // `launch` contains what `context` lacks: index, name, stream; grid, block, cluster, memory, windows, registers
  // and program are filled in. Faults of the kernel leave BlockSource::refill() as KernelFault, and with it the machine
  // that runs it.
  PtxKernel(LaunchContext context, MachineCode machine, const PtxKernelOptions& options, KernelLaunch launch);
  ~PtxKernel() override;
  PtxKernel(const PtxKernel&) = delete;
  PtxKernel& operator=(const PtxKernel&) = delete;

  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override;
  Concurrency concurrency() const override;
  void set_exchange_interval(Cycle cycles) override;
  void set_delay(const std::function<Cycle(Address)>& delay) override;
  void exchange(Cycle now) override;
  void end_exchange(Cycle now) override;

 private:
  class Resident;
  // The blocks of one cluster, which exist together; reused when all of them have ended.
  struct Cluster {
    std::vector<std::unique_ptr<PtxBlock>> blocks;  // by rank
    ClusterState state;
    std::uint64_t number = 0;
    std::uint32_t to_start = 0;  // blocks that the machine has not started
    std::uint32_t left = 0;      // blocks that have not ended
  };

  void exchange_until(Cycle arrivals, Cycle now);
  Cluster& cluster_at(std::uint64_t linear_index, std::uint32_t sm);
  Cluster& free_cluster();
  void block_ended(Cluster& cluster);

  LaunchContext context_;
  PtxKernelOptions options_;
  PtxCode code_;
  KernelLaunch launch_;
  std::optional<LaunchEffects> effects_;  // if the machine exchanges them
  std::mutex blocks_mutex_;               // SMs start and end blocks at the same time
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<Cluster*> free_;
  std::map<std::uint64_t, Cluster*> starting_;  // some of whose blocks the machine has not started, by number
};

}  // namespace warpsim
