// A prefetcher: a stride for each load instruction of each warp (Chen and Baer, 1995).
//
// A table remembers the first line of a load and its distance from that of the time before. When the same distance has
// followed itself `confirmations` times, each line of the load requests the one at that distance. For L1: L2 does not
// know the load, so that a slice has one stride for all its lines.
#pragma once

#include <array>
#include <cstdint>

#include "warpsim/prefetcher.h"

namespace mine {

using namespace warpsim::mechanism;

class PcStride final : public Prefetcher {
 public:
  struct Settings {
    std::uint32_t confirmations = 1;
    void describe(Keys& keys) {
      keys.integer("confirmations", confirmations, 1, 7, "repetitions of a distance before a line is requested");
    }
  };

  PcStride(const Settings& settings, const PrefetcherSite& /*site*/, Counters& counters)
      : confirmations_(settings.confirmations),
        strides_(counters.add("strides", CounterUnit::kEvents, "strides that were confirmed")) {}

  void access(const LineLookup& lookup, PrefetchList& wanted) override {
    Load& load = loads_[(lookup.pc / 16 * 31 + lookup.warp) % loads_.size()];
    if (!load.known || load.pc != lookup.pc || load.warp != lookup.warp) {
      load = {.known = true, .pc = lookup.pc, .warp = lookup.warp, .line = lookup.line};
      return;
    }
    if (lookup.first) {
      learn(load, lookup.line);
    }
    const Address next = lookup.line + load.distance;
    const bool upwards = load.distance >> 63U == 0;
    if (load.confirmed == confirmations_ && (next > lookup.line) == upwards) {
      wanted.add(next, lookup.sectors);
    }
  }

 private:
  struct Load {
    bool known = false;
    Address pc = 0;
    std::uint32_t warp = 0;
    Address line = 0;      // the first one that it looked up last
    Address distance = 0;  // from that of the time before; below zero it wraps around
    std::uint32_t confirmed = 0;
  };

  void learn(Load& load, Address line) {
    const Address distance = line - load.line;
    load.line = line;
    if (distance == 0) {
      return;
    }
    if (distance != load.distance) {
      load.distance = distance;
      load.confirmed = 0;
    } else if (load.confirmed < confirmations_) {
      ++load.confirmed;
      strides_ += load.confirmed == confirmations_ ? 1 : 0;
    }
  }

  std::uint32_t confirmations_;
  std::array<Load, 256> loads_{};
  Counter strides_;
};

}  // namespace mine
