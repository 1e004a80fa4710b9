// A request as the parts of an L2 slice see it: where its line is at home, and what is left of it while it waits.
#pragma once

#include <cstdint>

#include "memory/address_map.h"
#include "memory/slice_message.h"

namespace warpsim {

struct L2Place {
  AddressMap::Home home;
  bool at_home = false;  // in the slice that looks the line up
};

// The address of a line in the slice's own order, for mechanisms.
inline Address slice_address(std::uint64_t line_number, Address line) {
  return line_number * kLineBytes + line % kLineBytes;
}

// What an answer needs, and the sectors that it waits for.
struct L2Waiter {
  std::uint32_t tag = 0;
  std::uint32_t atomic_parts = 0;  // time that the atomic unit has not been charged with yet
  std::uint16_t source = 0;
  std::uint16_t near_slice = 0;
  std::uint16_t merged = 0;
  std::uint8_t sectors = 0;
  std::uint8_t held = 0;  // sectors that have arrived and wait for the last one: one response to the other partition
  MemOp op = MemOp::kRead;
  bool from_fabric = false;
  bool answered = false;        // is answered when it is served
  std::uint8_t compressed = 0;  // as in the request
  LaunchSeat seat = 0;
};

inline L2Waiter waiter_of(const SliceRequest& message, std::uint8_t sectors, bool from_fabric) {
  L2Waiter waiter;
  waiter.tag = message.mem.tag;
  waiter.source = message.mem.source;
  waiter.near_slice = message.near_slice;
  waiter.merged = message.merged;
  waiter.compressed = message.compressed;
  waiter.sectors = sectors;
  waiter.op = message.mem.op;
  waiter.seat = message.mem.seat;
  waiter.from_fabric = from_fabric;
  waiter.answered = message.mem.op == MemOp::kRead || message.mem.op == MemOp::kAtomic || message.mem.wants_ack;
  return waiter;
}

}  // namespace warpsim
