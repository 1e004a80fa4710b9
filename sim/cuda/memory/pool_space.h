// Which parts of a memory pool are in use, and which of its memory is taken from the device.
//
// Modelled, as an H100 with driver 580 shows it: a pool has addresses that follow each other. Memory behind them is
// taken from the device in chunks of 32 MiB; blocks lie at multiples of 512 bytes, beside each other, also across
// chunks. A block takes the lowest place that already has memory, else the lowest one. Memory that was freed is known
// with the stream and the work that freed it until the host has seen that this work is over; who allocates says whether
// it may be used again before that. Places are offsets here: in the simulation each allocation has an address of its
// own, so that an access to freed memory is found. Invariant: blocks do not overlap.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "device/work.h"

namespace warpsim::cuda {

// A stream of a GPU.
struct StreamName {
  std::uint32_t gpu = 0;
  std::uint64_t number = 0;
  bool blocking = true;  // it and the default stream wait for each other
  bool operator==(const StreamName& other) const { return gpu == other.gpu && number == other.number; }
};

class PoolSpace {
 public:
  static constexpr std::uint64_t kChunk = std::uint64_t{32} << 20U;
  static constexpr std::uint64_t kUnit = 512;
  // Who has freed a block.
  struct Freed {
    StreamName stream;
    std::uint64_t order = 0;  // of the frees of the stream
    WorkHandle work = {};     // null: it is over
  };
  using MayUse = std::function<bool(const Freed& freed)>;
  // Takes bytes from the device for the pool; false: there are not enough.
  using Grow = std::function<bool(std::uint64_t bytes)>;

  // The offset of a block; nothing if grow() has failed. `bytes` is not 0. `waits`: gets the work that has freed parts
  // of the block and is not over; may be null.
  std::optional<std::uint64_t> take(std::uint64_t bytes, const MayUse& may_use, const Grow& grow,
                                    std::vector<WorkHandle>* waits = nullptr);
  // A block that take() has returned.
  void free(std::uint64_t offset, const Freed& freed);
  // Blocks for which it is true are free for all.
  void see(const MayUse& is_done);
  // Gives chunks without blocks back, the highest first, until no more than `most` bytes are left, but not less than
  // `least`. Returns how many bytes.
  std::uint64_t trim(std::uint64_t most, std::uint64_t least);

  std::uint64_t reserved() const { return chunks_.size() * kChunk; }
  std::uint64_t used() const { return used_; }
  // No block is in use, or freed and not seen to be over.
  bool empty() const { return blocks_.empty(); }

 private:
  struct Block {
    std::uint64_t bytes = 0;  // a multiple of the unit
    std::uint64_t requested = 0;
    std::optional<Freed> freed = {};  // none: it is in use
  };
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<Run> runs(const MayUse& may_use) const;
  std::optional<std::uint64_t> backed_place(const std::vector<Run>& runs, std::uint64_t bytes) const;
  std::vector<std::uint64_t> missing_chunks(std::uint64_t begin, std::uint64_t bytes) const;
  void cut(std::uint64_t begin, std::uint64_t bytes, std::vector<WorkHandle>* waits);

  std::map<std::uint64_t, Block> blocks_;  // by offset
  std::set<std::uint64_t> chunks_;         // numbers of those with memory
  std::uint64_t used_ = 0;                 // as requested
};

}  // namespace warpsim::cuda
