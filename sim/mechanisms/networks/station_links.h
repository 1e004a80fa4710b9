// The links between the stations of a network: each moves a number of bytes per cycle, and a message takes a number of
// cycles for each.
//
// Modelled: a message as a whole takes each link of its way when the link is free, in the order of the messages' entry
// (cut-through routing with queues that are never full). Not modelled: flits, virtual channels, full queues. State:
// when each link is free, in fractions of a cycle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "warpsim/network.h"

namespace warpsim::mechanism {

class StationLinks {
 public:
  struct Settings {
    std::uint32_t slices_per_station = 12;  // assumed: four stations of slices in each partition of an H200
    std::uint32_t hop_cycles = 4;           // assumed: a router and a link of some millimetres
    double link_bytes_per_cycle = 256;      // assumed: half of what a GPC's connection moves
    void describe(Keys& keys);
  };
  StationLinks(const Settings& settings, std::uint32_t links, Counters& counters)
      : hop_(settings.hop_cycles * kOne),
        cycle_per_byte_(static_cast<double>(kOne) / settings.link_bytes_per_cycle),
        free_at_(links, 0),
        hops_(counters.add("hops", CounterUnit::kEvents, "links that messages passed")),
        waited_(counters.add("waited", CounterUnit::kCycles, "cycles that messages waited for links, rounded down")) {}

  // A message on its way.
  struct Way {
    std::uint64_t entered;
    std::uint64_t at;  // where it is, in fractions of a cycle
    std::uint64_t cost;
  };
  Way begin(const NetworkMessage& message, Cycle now) const {
    const std::uint64_t time = now * kOne;
    return {time, time, static_cast<std::uint64_t>(message.bytes * cycle_per_byte_)};
  }
  void pass(Way& way, std::uint32_t link) {
    const std::uint64_t start = std::max(way.at, free_at_[link]);
    waited_ += (start - way.at) / kOne;
    ++hops_;
    free_at_[link] = start + way.cost;
    way.at = start + hop_;
  }
  // When its last byte is there; a message that stays at its station takes a cycle.
  static Cycle end(const Way& way) {
    return way.at == way.entered ? way.at / kOne + 1 : std::max((way.at + way.cost) / kOne, way.entered / kOne + 1);
  }

 private:
  static constexpr std::uint64_t kOne = 1 << 10;  // a cycle

  std::uint64_t hop_;
  double cycle_per_byte_;
  std::vector<std::uint64_t> free_at_;
  Counter hops_;
  Counter waited_;
};

}  // namespace warpsim::mechanism
