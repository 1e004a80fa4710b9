// Rows of the view device_timeline, device by device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/query_table.h"

namespace warpsim {

struct DevicePiece {
  std::int64_t index = 0;
  std::string kind;
  std::string kernel;  // empty: none
  std::optional<std::int64_t> launch;
  std::optional<std::int64_t> peer;
  std::int64_t stream = 0;
  bool in_graph = false;
  std::int64_t priority = 0;
  std::int64_t bytes = 0;
  // Microseconds.
  double waited_for_work = 0;
  double waited_for_queue = 0;
  double waited_for_place = 0;
  // Whole nanoseconds.
  std::uint64_t submitted = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

struct DevicePieces {
  std::string run;
  std::string gpu;
  std::int64_t device = 0;
  std::vector<DevicePiece> pieces;  // by start
};

// In the order of runs and devices. Throws DatabaseError for a value of another type.
std::vector<DevicePieces> device_pieces(const QueryTable& work);

// The pieces in lanes: those of a lane do not overlap. Numbers of pieces, in their order.
std::vector<std::vector<std::size_t>> lanes_of(const std::vector<DevicePiece>& pieces,
                                               const std::vector<std::size_t>& chosen);

}  // namespace warpsim
