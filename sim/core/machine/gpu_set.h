// The GPUs of a machine, in one system of time, and the links between them.
//
// State: GPUs, links. Links exist only where the machine knows homes of memory: otherwise no GPU accesses another's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/gpu/gpu.h"
#include "core/machine/far_memory.h"
#include "core/machine/machine.h"
#include "engine/system.h"
#include "memory/remote/page_faults.h"
#include "memory/remote/peer_links.h"

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
    return std::ranges::any_of(gpus_, [](const auto& gpu) { return gpu->waits_for_pages(); });
  }
  // Nothing moves in a GPU, and in those that it may have accessed.
  bool is_drained(std::size_t number) const {
    return std::ranges::all_of(accessible(number), [](const auto& gpu) { return gpu->idle(); });
  }
  // Copies request nothing more of the memory of these GPUs.
  void stop_copies(std::size_t number) {
    for (const auto& gpu : accessible(number)) {
      gpu->stop_copies();
    }
  }

 private:
  // A GPU and those that it may access.
  std::span<const std::unique_ptr<Gpu>> accessible(std::size_t number) const {
    return are_linked() ? std::span(gpus_) : std::span(gpus_).subspan(number, 1);
  }

  std::optional<PeerLinks> links_;
  std::vector<std::unique_ptr<Gpu>> gpus_;
  std::optional<FarMemory> far_;
};

}  // namespace warpsim
