// Thread blocks that were read before their turn, in a temporary file without a name.
//
// The file is unlinked at once, so it disappears with the process. Memory holds one offset per waiting block.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <unordered_map>

#include "frontend/workload/block_trace.h"

namespace warpsim {

class BlockStash {
 public:
  void put(const BlockTrace& block);
  // Moves a waiting block to `out`; false if it is not in the stash.
  bool take(std::uint64_t linear_index, BlockTrace& out);
  std::size_t size() const { return offsets_.size(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void open();

  std::unique_ptr<std::FILE, Close> file_;
  std::int64_t end_ = 0;
  std::unordered_map<std::uint64_t, std::int64_t> offsets_;
};

}  // namespace warpsim
