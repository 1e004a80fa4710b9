// What lies between a host and a GPU: the host's calls, the device's queues of work, and copies. Times in ns, rates in
// 10^9 bytes a second. Those of the calls belong to the host that was measured.
//
// Evidence: tests/hardware/host_calls (an H200 and its host): the calls behind a kernel that waits, so that the device
// takes no part; the device between events and between kernels when everything has been queued before.
#pragma once

#include <cstdint>

#include "config/config_section.h"

namespace warpsim {

// How long the host is busy with a call.
struct HostCallsConfig {
  double launch_ns = 0;
  double graph_launch_ns = 0;
  double event_ns = 0;          // records an event with a time
  double event_untimed_ns = 0;  // or without
  double stream_wait_ns = 0;    // a stream is told to wait for an event
  double copy_ns = 0;           // an asynchronous copy between host and device
  double device_copy_ns = 0;    // a copy within the device
  double peer_copy_ns = 0;      // a copy between GPUs
  double fill_ns = 0;
  double small_fill_ns = 0;
  double host_function_ns = 0;  // a function of the host is put into a stream
  double query_ns = 0;
  double synchronize_ns = 0;        // of work that is over
  double wake_ns = 0;               // from the end of work to the host that waited for it
  double pageable_gb_per_s = 1;     // by which the host stages pageable memory
  std::uint32_t queue_entries = 1;  // of work that the device has not begun; the host waits if there are more
};
void describe(ConfigSection& section, HostCallsConfig& config);

// What entries of the device's queues need beyond the work itself.
struct DeviceQueuesConfig {
  double marker_ns = 0;               // an event with a time
  double marker_beside_copy_ns = 0;   // more of it beside a copy from the host, while bytes of that move
  double host_function_ns = 0;        // until the host has called a function, and the stream goes on
  double value_poll_ns = 1;           // between two looks at a value that a stream waits for, while kernels run
  double engine_switch_ns = 0;        // between a kernel and a copy of one stream
  double graph_engine_switch_ns = 0;  // the same in a graph
  double graph_interval_ns = 0;       // between the starts of a graph's nodes that follow the same node
  double graph_head_start_ns = 0;     // of a launch's overhead, what passes before the node before it ends
  // Programmatic dependent launch.
  bool programmatic_launches = false;  // the device has it
  double programmatic_head_start_ns =
      0;                            // of a launch's overhead, what passes before the kernel before it lets it begin
  double programmatic_wait_ns = 0;  // from the end of that kernel to the end of a wait for it
  // Launches from kernels.
  double device_launch_call_ns = 0;      // a warp's call, of one thread
  double device_launch_thread_ns = 0;    // for each further thread of the warp
  double device_launch_ns = 0;           // from the call to the kernel's start, without its launch overhead
  double device_launch_interval_ns = 0;  // between two launches, of one call or of several
  double device_tail_ns = 0;             // from the end of a kernel to its tail launch
  // Launches of graphs from kernels.
  double graph_launch_call_ns = 0;      // a warp's call, of one thread
  double graph_launch_thread_ns = 0;    // for each further thread of the warp
  double graph_launch_start_ns = 0;     // from the call to the first nodes' start, without their launch overhead
  double graph_launch_interval_ns = 0;  // between two launches of one call
  double graph_tail_call_ns = 0;        // a warp's call for a tail launch, of one thread
  double graph_tail_ns = 0;             // from the end of a graph to its tail launch, without launch overhead
  double graph_return_ns = 0;           // from the end of what kernels launched to the stream's next work
  double node_change_ns = 0;            // a call that changes a node
  double peer_signal_ns = 0;            // until another GPU knows that work is over
};
void describe(ConfigSection& section, DeviceQueuesConfig& config);

struct CopiesConfig {
  double to_device_ns = 0;  // of a copy of no bytes
  double to_host_ns = 0;
  double to_device_gb_per_s = 1;
  double to_host_gb_per_s = 1;
  double both_gb_per_s = 1;       // of both directions together
  double in_device_ns = 0;        // within the device
  double in_device_gb_per_s = 1;  // bytes copied, not read and written
  double fill_ns = 0;
  double fill_gb_per_s = 1;
  double small_fill_ns = 0;
  std::uint32_t small_fill_bytes = 0;  // a fill of at most so many bytes takes small_fill_ns
  // Beside kernels, copies within the device and fills are grids of the driver; without threads, they do not use SMs.
  struct Grid {
    std::uint32_t block_threads = 0;
    std::uint32_t thread_bytes = 16;  // that a thread moves: 4 or 16
  };
  Grid copy_grid;
  Grid rows_grid;  // of copies of several rows
  Grid fill_grid;
};
void describe(ConfigSection& section, CopiesConfig& config);

// Copies from the memory of one GPU to that of another. Those that a GPU sends share its rate, and those that it
// receives, too. Evidence: tests/hardware/peers.
struct PeerCopiesConfig {
  double send_ns = 0;          // of a copy of no bytes, in a stream of the GPU that sends
  double receive_ns = 0;       // in one of the GPU that receives, or of a third one
  double efficiency = 1;       // rate by that of the link (links.peer)
  double both_efficiency = 1;  // the same of what a GPU sends and receives together, by twice the link's rate
  // Through the memory of the host, where the GPUs have no access to each other.
  double staged_ns = 0;
  double staged_efficiency = 1;  // rate by that of copies to the host
};
void describe(ConfigSection& section, PeerCopiesConfig& config);

}  // namespace warpsim
