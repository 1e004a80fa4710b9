// The parts of one L2 slice without the slice: slice 0 of partition 0 of the memory in memory_fixture.h. Its links take
// one cycle; a test holds their other ends.
#pragma once

#include <catch2/catch.hpp>

#include "memory/l2/l2_array.h"
#include "memory/l2/l2_atomic_unit.h"
#include "memory/l2/l2_misses.h"
#include "memory/l2/l2_replies.h"
#include "memory/l2/l2_request_path.h"
#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {

inline L2Config tiny_l2() {
  return tiny_memory().l2;
}

struct L2Bench {
  explicit L2Bench(const L2Config& config = tiny_l2(), std::size_t link_entries = 8)
      : map(tiny_memory().address_map),
        from_crossbar(clock, clock, link_entries, 1),
        to_crossbar(clock, clock, link_entries, 1),
        fabric_out(clock, clock, link_entries, 1),
        fabric_answers(clock, clock, link_entries, 1),
        fabric_in(clock, clock, link_entries, 1),
        fabric_replies(clock, clock, link_entries, 1),
        to_dram(clock, clock, link_entries, 1),
        from_dram(clock, clock, link_entries, 1),
        stats(root, "l2_slice", 0),
        array(config, map, stats),
        atomic_unit(config, array, stats),
        replies(config, to_crossbar, &fabric_replies),
        misses(config, map, 0, {&to_dram, &from_dram, &fabric_out, &fabric_answers},
               {array, atomic_unit, replies, stats}),
        copies(map, 0, &fabric_out, array),
        requests(config, map, 0, {&from_crossbar, &fabric_in}, {array, atomic_unit, replies, misses, copies, stats}) {}

  // The n-th line whose home is slice 0 of a partition.
  Address line(std::uint32_t partition = 0, std::uint32_t n = 0) const {
    for (Address line = 1 << 20;; line += kLineBytes) {
      const AddressMap::Home home = map.home_of(line);
      if (home.partition == partition && home.slice_in_partition == 0 && n-- == 0) {
        return line;
      }
    }
  }
  L2Place place_of(Address line) const {
    const AddressMap::Home home = map.home_of(line);
    return {home, home.partition == 0};
  }
  std::uint8_t valid(Address line) const { return array.look_up(map.home_of(line), line).valid; }
  void fill(Address line, std::uint8_t sectors) {
    array.fill(map.home_of(line).line_number, line, sectors, LinePriority::kUnstated, 0);
  }
  bool fetch(const MemRequest& request, Cycle now, bool from_fabric = false) {
    const SliceRequest message{request, 0, 0, 0};
    const L2Waiter waiter = waiter_of(message, request.sector_mask, from_fabric);
    return misses.fetch(message, place_of(request.line), waiter, valid(request.line), now);
  }

  // Takes a message that must have arrived by `now`.
  template <typename Message>
  static Message take(Link<Message>& link, Cycle now) {
    REQUIRE(link.has_message(now));
    const Message message = link.front();
    link.pop(now);
    return message;
  }

  AddressMap map;
  ClockDomain clock{"l2", 1000};
  Link<SliceRequest> from_crossbar;
  Link<SliceResponse> to_crossbar;
  Link<SliceRequest> fabric_out;
  Link<SliceResponse> fabric_answers;
  Link<SliceRequest> fabric_in;
  Link<SliceResponse> fabric_replies;
  Link<DramRequest> to_dram;
  Link<DramResponse> from_dram;
  LaunchStats<StatGroup> root{"gpu"};
  LaunchStats<L2SliceStats> stats;
  L2Array array;
  L2AtomicUnit atomic_unit;
  L2Replies replies;
  L2Misses misses;
  L2Copies copies;
  L2RequestPath requests;
};

}  // namespace warpsim::testing
