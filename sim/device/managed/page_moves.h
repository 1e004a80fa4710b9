// Moves pieces of managed memory between memories, and makes room in a GPU whose memory is full.
//
// Modelled: blocks of 2 MiB leave a full GPU in the order of their last service by the driver, to the host (NVIDIA's
// driver, uvm_pmm_gpu.c: least recently used root chunks). Not modelled: pinned pages, the memory that page tables
// take. State: the order of the blocks, the pieces of each GPU. Takes no time itself; times are returned.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "core/launch/managed_memory_config.h"
#include "device/managed/managed_ranges.h"
#include "memory/remote/managed_pages.h"

namespace warpsim {

class PageMoves {
 public:
  // Who must know of moves, and what limits them.
  struct Surroundings {
    // Bytes of the GPU's memory that nothing but managed memory can have.
    std::function<std::uint64_t(std::uint32_t gpu)> capacity;
    // The host accesses its piece no longer without a fault; with copies: not to write. May be empty.
    std::function<void(std::uint64_t piece)> leaves_host;
    // The GPU accesses memory of the other one over a link. May be empty: it does not.
    std::function<bool(std::uint32_t gpu, std::uint32_t other)> are_linked;
  };
  PageMoves(ManagedPages& pages, const ManagedRanges& ranges, Surroundings surroundings);

  // To the memory of the processor, and no other. Pieces that were not touched before begin there.
  void move(std::uint64_t piece, std::uint32_t to);
  // The processor gets a copy; the piece is in another memory.
  void copy(std::uint64_t piece, std::uint32_t to);
  // The processor accesses the piece in the memory where it is.
  void map(std::uint64_t piece, std::uint32_t processor);
  // The piece is in no memory any more.
  void forget(std::uint64_t piece);
  // Follows the advice of who accesses the piece.
  void map_as_advised(std::uint64_t piece);
  bool can_map(std::uint32_t processor, std::uint32_t holder) const;

  // Blocks leave the GPU until so many further pieces have room; none that are of `keep`. Returns the bytes that left.
  struct Evicted {
    std::uint64_t blocks = 0;
    std::uint64_t bytes = 0;
  };
  Evicted make_room(std::uint32_t gpu, std::uint64_t pieces, const std::vector<std::uint64_t>& keep);
  // The driver has served a block of the GPU.
  void note_service(std::uint32_t gpu, std::uint64_t block);
  std::uint64_t pieces_of(std::uint32_t gpu) const { return gpu < gpus_.size() ? gpus_[gpu].pieces : 0; }

 private:
  struct Gpu {
    std::uint64_t pieces = 0;
    std::map<std::uint64_t, std::uint64_t> by_service;  // number of the last service, block
    std::map<std::uint64_t, std::uint64_t> service_of;  // the reverse
  };
  Gpu& gpu(std::uint32_t number);
  void set(std::uint64_t number, const ManagedPages::Piece& piece);

  ManagedPages& pages_;
  const ManagedRanges& ranges_;
  Surroundings surroundings_;
  std::vector<Gpu> gpus_;
  std::uint64_t services_ = 0;
};

}  // namespace warpsim
