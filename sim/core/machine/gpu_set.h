// The GPUs of a machine, in one system of time, and the links between them.
//
// State: GPUs, links. Links exist only where the machine knows homes of memory: otherwise no GPU accesses another's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/gpu/gpu.h"
#include "core/machine/far_memory.h"
#include "core/machine/machine.h"
#include "engine/system.h"
#include "memory/page_faults.h"
#include "memory/peer_links.h"

namespace warpsim {

class GpuSet {
 public:
  // At least one. The system, which is new, and the options' homes outlive the GPUs.
  GpuSet(System& system, const std::vector<GpuConfig>& configs, const MachineOptions& options);

  Gpu& operator[](std::size_t number) { return *gpus_.at(number); }
  const Gpu& operator[](std::size_t number) const { return *gpus_.at(number); }
  std::size_t size() const { return gpus_.size(); }
  const std::vector<std::unique_ptr<Gpu>>& all() const { return gpus_; }
  const FarMemory& far() const { return *far_; }
  // They access each other's memory.
  bool are_linked() const { return links_.has_value(); }
  // Accesses to managed memory wait for pages.
  bool wait_for_pages() const {
    return std::ranges::any_of(gpus_, [](const auto& gpu) { return gpu->faults().any_waits(); });
  }
  // Nothing moves in a GPU, and in those that it may have accessed.
  bool is_drained(std::size_t number) const {
    const auto idle = [](const auto& gpu) { return gpu->idle(); };
    return are_linked() ? std::ranges::all_of(gpus_, idle) : gpus_[number]->idle();
  }
  // Copies request nothing more of the memory of these GPUs.
  void stop_copies(std::size_t number) {
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      if (are_linked() || gpu == number) {
        gpus_[gpu]->stop_copies();
      }
    }
  }

 private:
  std::optional<PeerLinks> links_;
  std::vector<std::unique_ptr<Gpu>> gpus_;
  std::optional<FarMemory> far_;
};

}  // namespace warpsim
