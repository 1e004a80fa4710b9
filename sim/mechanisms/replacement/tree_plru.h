// Replacement by a tree of bits, an approximation of LRU with one bit per inner node (pseudo-LRU).
//
// Source: common in caches of CPUs, for example Al-Zoubi, Milenkovic and Milenkovic, ACM Southeast Conference 2004.
// Modelled: a use makes each node on the way from the root point away from the line; the victim is where the nodes
// point to. A line that leaves first is where they point to at once. A node over an odd number of ways has one way more
// on its left, so that with ways that are not a power of two the ways of smaller halves are replaced more often. State:
// ways - 1 bits per set. Invariant: each path from a root ends at a way of the set.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/replacement.h"

namespace warpsim::mechanism {

class TreePlru final : public Replacement {
 public:
  using Settings = NoSettings;

  TreePlru(const Settings& settings, const ReplacementSite& site, Counters& counters);

  void inserted(Way place, Address line, bool leaves_first) override;
  void used(Way place, Address line) override;
  void removed(Way place) override;
  std::uint32_t victim(std::uint32_t set) override;
  void cleared() override;

 private:
  // Makes the nodes above a way point to it or away from it.
  void point(Way place, bool to);
  std::uint8_t* nodes(std::uint32_t set) { return right_.data() + std::size_t{set} * (ways_ - 1); }

  std::uint32_t ways_;
  // The nodes of a set in preorder: after a node follow those of its left half, then those of its right half.
  std::vector<std::uint8_t> right_;  // whether the node points to its right half
};

}  // namespace warpsim::mechanism
