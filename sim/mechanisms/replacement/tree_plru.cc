#include "mechanisms/replacement/tree_plru.h"

#include <algorithm>

namespace warpsim::mechanism {

namespace {

// Ways [first, first + ways) below a node. A range of one way has no node.
struct NodeRange {
  std::uint32_t node;
  std::uint32_t first;
  std::uint32_t ways;

  std::uint32_t left_ways() const { return (ways + 1) / 2; }
  NodeRange left() const { return {node + 1, first, left_ways()}; }
  // The left half has one node less than ways.
  NodeRange right() const { return {node + left_ways(), first + left_ways(), ways / 2}; }
};

}  // namespace

TreePlru::TreePlru(const Settings& /*settings*/, const ReplacementSite& site, Counters& /*counters*/)
    : ways_(site.ways), right_(std::size_t{site.sets} * (site.ways - 1)) {}

void TreePlru::point(Way place, bool to) {
  std::uint8_t* right = nodes(place.set);
  for (NodeRange range{0, 0, ways_}; range.ways > 1;) {
    const bool in_right = place.way >= range.first + range.left_ways();
    right[range.node] = in_right == to ? 1 : 0;
    range = in_right ? range.right() : range.left();
  }
}

void TreePlru::inserted(Way place, Address /*line*/, bool leaves_first) {
  point(place, leaves_first);
}

void TreePlru::used(Way place, Address /*line*/) {
  point(place, false);
}

void TreePlru::removed(Way /*place*/) {}  // the empty way is filled before the next victim is chosen

std::uint32_t TreePlru::victim(std::uint32_t set) {
  const std::uint8_t* right = nodes(set);
  NodeRange range{0, 0, ways_};
  while (range.ways > 1) {
    range = right[range.node] != 0 ? range.right() : range.left();
  }
  return range.first;
}

void TreePlru::cleared() {
  std::fill(right_.begin(), right_.end(), std::uint8_t{0});
}

}  // namespace warpsim::mechanism
