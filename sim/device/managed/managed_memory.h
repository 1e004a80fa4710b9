// Managed memory of one or several GPUs and their host: which pages move when, and what it takes.
//
// Modelled: GPUs with page faults (fault_service.h), prefetches, advice, faults of the host, pages that leave a full
// GPU (page_moves.h); GPUs without page faults, to which all managed memory moves before a kernel. Copies and fills by
// a GPU's engines bring the pages to it first. Not modelled: the host's access to a GPU's memory over a coherent link,
// and transfers between GPUs that differ from those between GPU and host. Times are of the device, in ns; the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/types.h"
#include "core/gpu/gpu_config.h"
#include "device/managed/fault_service.h"
#include "device/managed/managed_ranges.h"
#include "device/managed/page_moves.h"
#include "memory/remote/managed_pages.h"

namespace warpsim {

class ManagedMemory {
 public:
  // `configs`, by GPU, outlive it, and so do the pages. The capacity is that of the GPUs for managed memory.
  ManagedMemory(ManagedPages& pages, const std::vector<const GpuConfig*>& configs, PageMoves::Surroundings around);

  const ManagedPages& pages() const { return pages_; }
  const ManagedRanges& ranges() const { return ranges_; }
  bool has_page_faults(std::uint32_t gpu) const { return configs_[gpu]->managed_memory.page_faults; }
  std::uint64_t bytes_at(std::uint32_t gpu) const { return moves_.pieces_of(gpu) * ManagedPages::kPieceBytes; }

  // --- allocations and advice ---
  void add(Address begin, std::uint64_t bytes) { ranges_.add(begin, bytes); }
  void remove(Address begin);
  struct Range {
    Address begin = 0;
    std::uint64_t bytes = 0;
  };
  void set_read_mostly(const Range& range, bool value);
  // Nothing: no preference.
  void set_preferred(const Range& range, std::optional<std::uint32_t> processor);
  void set_accessed_by(const Range& range, std::uint32_t processor, bool value);
  void note_prefetch(const Range& range, std::uint32_t to);

  // The GPU has less memory for managed memory than before.
  void make_room(std::uint32_t gpu) { moves_.make_room(gpu, 0, {}); }

  // --- faults of GPUs ---
  void add_faults(std::uint32_t gpu, const std::vector<FaultService::Fault>& faults) { services_[gpu].add(faults); }
  // When one of the drivers is to do something.
  std::optional<double> next_time() const;
  // All do what is due. Returns the batches that have ended; accesses of their GPUs try again.
  std::vector<FaultBatch> advance(double now_ns);

  // --- the host ---
  // The host has touched pieces that were not in its memory, in this order; `gpu`: whose driver serves the faults.
  // Returns the time that it took.
  struct Touch {
    std::uint64_t piece = 0;
    bool writes = false;
  };
  double host_touches(const std::vector<Touch>& touches, std::uint32_t gpu);

  // --- moves on request ---
  // What a prefetch takes, if it begins now; and it has ended.
  double prefetch_ns(const Range& range, std::uint32_t to, std::uint32_t gpu) const;
  void prefetch(const Range& range, std::uint32_t to);
  // An engine of the GPU accesses the range from now on. Returns the time until its pages are there.
  double bring(const Range& range, std::uint32_t gpu, bool writes);
  // A kernel begins on a GPU without page faults: bytes that the host has, which are moved.
  std::uint64_t bring_all(std::uint32_t gpu);
  bool host_has_any() const;

 private:
  double move_to_host(std::uint64_t block, PieceMask pieces, std::uint32_t gpu);
  double bring_block(std::uint64_t block, PieceMask pieces, std::uint32_t gpu, bool writes);

  ManagedPages& pages_;
  std::vector<const GpuConfig*> configs_;
  ManagedRanges ranges_;
  PageMoves moves_;
  std::vector<FaultService> services_;  // by GPU
};

}  // namespace warpsim
