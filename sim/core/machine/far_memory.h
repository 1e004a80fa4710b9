// How long effects take from a GPU's SMs to memory that is not the GPU's: for programs whose instructions execute when
// they issue, and whose stores must not be seen at home before they can have arrived there.
//
// Modelled: the way of a request without anything before it: the crossbars of both GPUs and the link, or the link to
// the host. Not modelled: that an effect waits where its request waits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/gpu.h"
#include "memory/remote/memory_homes.h"

namespace warpsim {

class FarMemory {
 public:
  // `homes` null: there is no such memory. Both outlive this.
  FarMemory(const MemoryHomes* homes, const std::vector<std::unique_ptr<Gpu>>& gpus);

  bool exists() const { return homes_ != nullptr; }
  // Core cycles of GPU `from`; 0 for its own memory. On several threads at the same time.
  Cycle way(std::uint32_t from, Address address) const;

 private:
  const MemoryHomes* homes_;
  std::vector<std::vector<Cycle>> to_gpu_;
  std::vector<Cycle> to_host_;
};

}  // namespace warpsim
