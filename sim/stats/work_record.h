// A piece of work of a device as it is stored: a kernel, a copy, an event, a function of the host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpsim {

struct WorkRecord {
  std::uint32_t device = 0;  // number of the GPU in the run
  std::uint64_t number = 0;  // by order of submission to the device, from 1
  std::string kind;          // "kernel", "copy to device", "copy between devices", ...
  std::uint64_t stream = 0;
  bool in_graph = false;
  std::int32_t priority = 0;
  std::optional<std::uint32_t> launch_index = {};  // of a kernel
  std::uint64_t bytes = 0;                         // of copies and fills
  std::optional<std::uint32_t> peer_device = {};   // the other GPU of a copy between devices
  // In the device's time, since the beginning of the run.
  double submitted_ns = 0;
  double start_ns = 0;
  double end_ns = 0;
  // What it waited for between submission and start, one after another: work before it (its stream, events, nodes of
  // its graph), the head of its hardware queue, a place on the device (a copy engine, the limit of grids).
  double waited_for_work_ns = 0;
  double waited_for_queue_ns = 0;
  double waited_for_place_ns = 0;
};

}  // namespace warpsim
