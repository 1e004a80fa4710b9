// From the lanes' addresses of one atomic or reduction to the packets that L1 sends to L2.
//
// Modelled: lanes with one address are sent one after another, each round takes one lane of every address; the lines of
// a round are sent in groups of up to four within 4 KiB (one tag stage); each line of a group is a packet. A packet of
// a single lane has its operand in the same flit as the address; if a line of the group has more lanes, all its packets
// carry sectors. Not modelled: the order in which hardware searches lines when the lanes' addresses are random.
// Evidence: counters and rates of one SM over 62 address patterns, tests/hardware/atomics: packets and sectors are
// exact, groups and flits except for a tenth of the random patterns.
#pragma once

#include <array>
#include <cstdint>

#include "base/lane_addresses.h"
#include "base/types.h"
#include "memory/access/coalescer.h"

namespace warpsim {

struct AtomicPackets {
  std::uint32_t sector_count = 0;
  std::uint32_t groups = 0;       // passes of the tag stage
  std::uint32_t bank_passes = 0;  // passes through the banks of L1 data: per group the maximum of words on one bank
};

// Writes the packets to the lines of `out`, whose old content is lost; several may be of one line. `bytes` per lane:
// 1 to 16, within one sector.
AtomicPackets split_atomic(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, CoalescedAccess& out);

}  // namespace warpsim
