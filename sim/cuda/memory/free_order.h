// The order between streams, as far as memory pools need it: which frees of other streams are before what a stream does
// next, because of events, of default streams, or because the host has waited.
//
// State: for each stream the number of its frees, and for each other stream how many of its frees it follows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "cuda/memory/pool_space.h"

namespace warpsim::cuda {

class FreeOrder {
 public:
  // How many frees of each stream are before a point of a stream.
  using Point = std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t>;

  // A stream frees memory: the number of this free in it, from 1.
  std::uint64_t add(const StreamName& stream);
  // What is before the next work of a stream; null if no memory was freed anywhere.
  std::shared_ptr<const Point> point(const StreamName& stream) const;
  // A stream waits for such a point.
  void wait(const StreamName& stream, const std::shared_ptr<const Point>& point);
  // Whether work of a stream that follows is after the free.
  bool follows(const StreamName& stream, const PoolSpace::Freed& freed) const;
  static bool is_before(const PoolSpace::Freed& freed, const std::shared_ptr<const Point>& point);

 private:
  std::map<std::pair<std::uint32_t, std::uint64_t>, Point> known_;  // by stream; with its own frees
};

}  // namespace warpsim::cuda
