// The messages between SMs, crossbar, L2 slices and DRAM channels. One message requests sectors of one 128-byte line.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "stats/launch_stats.h"

namespace warpsim {

enum class MemOp : std::uint8_t {
  kRead,
  kWrite,      // answered with an acknowledgement when `wants_ack`
  kAtomic,     // answered with the old values
  kReduction,  // answered like a write
};

// The requesting unit: Nsight Compute's srcunit, which is not known of walks.
enum class MemClient : std::uint8_t {
  kL1,           // loads, stores, atomics: "tex"
  kInstruction,  // instruction cache fill
  kConstant,     // constant cache fill
  kTranslation,  // walks through page tables
};

enum class ServedBy : std::uint8_t {
  kNone,
  kL2Near,  // hit in the slice of the requester's own partition
  kL2Far,   // hit in the other partition, through the fabric between them
  kDram,
  kPeer,  // memory of another GPU
  kHost,  // the host's memory
};

// What L2 does with a line when it replaces others, from the first that leaves to the last.
enum class LinePriority : std::uint8_t {
  kFirst,       // is replaced first; does not change the priority of a line that is present
  kUnstated,    // a usual use
  kNormal,      // a usual use, and ends the line's being kept
  kPersisting,  // is kept in the part of L2 that is set aside for such lines
};

// Only lines at home persist (tests/hardware/l2_persistence: lines that stay are as far as their home).
constexpr LinePriority of_copy(LinePriority priority) {
  return priority == LinePriority::kFirst ? LinePriority::kFirst : LinePriority::kUnstated;
}

struct MemRequest {
  Address line = 0;          // 128-byte aligned
  std::uint32_t tag = 0;     // chosen by the requester; echoed
  std::uint16_t source = 0;  // crossbar port of the requester
  MemOp op = MemOp::kRead;
  MemClient client = MemClient::kL1;
  std::uint8_t sector_mask = 0;  // bit i: sector i of the line
  bool wants_ack = false;        // writes and reductions
  bool system_scope = false;     // reads: has an answer of its own
  LinePriority priority = LinePriority::kUnstated;
  bool single_lane = false;  // atomics and reductions: address and operand share a flit
  LaunchSeat seat = 0;       // of the launch that requests
  // Writes, atomics and reductions: affected bytes of each sector (bit i: byte i); all ones for a full sector.
  std::array<std::uint32_t, kSectorsPerLine> byte_mask{};
};
static_assert(sizeof(MemRequest) <= 64);

struct MemResponse {
  std::uint32_t tag = 0;
  std::uint16_t destination = 0;  // crossbar port
  MemOp op = MemOp::kRead;
  std::uint8_t sector_mask = 0;  // sectors answered by this message; a request may be answered in parts
  ServedBy served_by = ServedBy::kNone;
  LaunchSeat seat = 0;  // of the request
  // Writes and reductions to another memory: on its way there, which is what fences of the GPU wait for. A response
  // that it has arrived follows.
  bool posted = false;
};

}  // namespace warpsim
