#include "core/launch/host_interface.h"

namespace warpsim {

namespace {

constexpr double kMostNs = 1e9;

void time(ConfigSection& section, const char* key, double& value, const char* text) {
  section.real(key, value, 0, kMostNs, text);
}

void rate(ConfigSection& section, const char* key, double& value, const char* text) {
  section.real(key, value, 0.001, 1e6, text);
}

void share(ConfigSection& section, const char* key, double& value, const char* text) {
  section.real(key, value, 0.01, 1, text);
}

}  // namespace

void describe(ConfigSection& section, HostCallsConfig& config) {
  time(section, "launch_ns", config.launch_ns, "The host's time for a kernel launch.");
  time(section, "graph_launch_ns", config.graph_launch_ns, "The launch of a graph.");
  time(section, "event_ns", config.event_ns, "An event with a time is recorded.");
  time(section, "event_untimed_ns", config.event_untimed_ns, "An event without a time is recorded.");
  time(section, "stream_wait_ns", config.stream_wait_ns, "A stream is told to wait for an event.");
  time(section, "copy_ns", config.copy_ns, "An asynchronous copy between host and device.");
  time(section, "device_copy_ns", config.device_copy_ns, "A copy within the device.");
  time(section, "peer_copy_ns", config.peer_copy_ns, "A copy between GPUs.");
  time(section, "fill_ns", config.fill_ns, "A fill of device memory.");
  time(section, "small_fill_ns", config.small_fill_ns, "A fill of at most copies.small_fill_bytes.");
  time(section, "host_function_ns", config.host_function_ns, "A function of the host is put into a stream.");
  time(section, "query_ns", config.query_ns, "A query of a stream or event.");
  time(section, "synchronize_ns", config.synchronize_ns, "A wait for work that is over.");
  time(section, "wake_ns", config.wake_ns, "From the end of work until the host that waits for it goes on.");
  rate(section, "pageable_gb_per_s", config.pageable_gb_per_s,
       "Rate by which the host copies pageable memory to and from its buffers, 10^9 bytes per second.");
  section.integer("queue_entries", config.queue_entries, 1, 1U << 20U,
                  "Entries that the device has not begun; with more of them the host waits.");
}

void describe(ConfigSection& section, DeviceQueuesConfig& config) {
  time(section, "marker_ns", config.marker_ns, "An event with a time.");
  time(section, "marker_beside_copy_ns", config.marker_beside_copy_ns,
       "More for an event with a time beside a copy from the host, at most what is left of that copy.");
  time(section, "host_function_ns", config.host_function_ns,
       "From the work before a function of the host to the work after it, without the function itself.");
  section.real("value_poll_ns", config.value_poll_ns, 1, kMostNs,
               "Between two looks at a value in memory that a stream waits for, while kernels run.");
  time(section, "engine_switch_ns", config.engine_switch_ns, "Between a kernel and a copy of one stream.");
  time(section, "graph_engine_switch_ns", config.graph_engine_switch_ns, "Between a kernel and a copy of a graph.");
  time(section, "graph_interval_ns", config.graph_interval_ns,
       "Between the starts of nodes of a graph that follow the same node.");
  time(section, "graph_head_start_ns", config.graph_head_start_ns,
       "Part of the launch overhead of a graph's node that passes before the end of the node before it.");
  section.boolean("programmatic_launches", config.programmatic_launches,
                  "A kernel can begin before the kernel before it is over (programmatic dependent launch).");
  time(section, "programmatic_head_start_ns", config.programmatic_head_start_ns,
       "Part of the launch overhead of such a kernel that passes before all blocks before it let it begin.");
  time(section, "programmatic_wait_ns", config.programmatic_wait_ns,
       "From the end of the kernel before it until warps go on that wait for it (griddepcontrol.wait).");
  time(section, "device_launch_call_ns", config.device_launch_call_ns,
       "A warp's call that launches a kernel, of one thread.");
  time(section, "device_launch_thread_ns", config.device_launch_thread_ns,
       "For each further thread of the warp that launches one.");
  time(section, "device_launch_ns", config.device_launch_ns,
       "From such a call to the start of the kernel, without its launch overhead.");
  time(section, "device_launch_interval_ns", config.device_launch_interval_ns, "Between two launches from kernels.");
  time(section, "device_tail_ns", config.device_tail_ns, "From the end of a kernel to its tail launch.");
  time(section, "graph_launch_call_ns", config.graph_launch_call_ns,
       "A warp's call that launches a graph, of one thread.");
  time(section, "graph_launch_thread_ns", config.graph_launch_thread_ns,
       "For each further thread of the warp that launches one.");
  time(section, "graph_launch_start_ns", config.graph_launch_start_ns,
       "From such a call to the start of the graph's first nodes, without their launch overhead.");
  time(section, "graph_launch_interval_ns", config.graph_launch_interval_ns,
       "Between two launches of graphs of one call.");
  time(section, "graph_tail_call_ns", config.graph_tail_call_ns, "A warp's call for a tail launch of a graph.");
  time(section, "graph_tail_ns", config.graph_tail_ns,
       "From the end of a graph to the start of its tail launch, without the launch overhead.");
  time(section, "graph_return_ns", config.graph_return_ns,
       "From the end of a graph whose kernels have launched others to the next work of the stream.");
  time(section, "node_change_ns", config.node_change_ns, "A call of a kernel that changes a node of a graph.");
  time(section, "peer_signal_ns", config.peer_signal_ns,
       "From the end of work to the start of work of another GPU that waits for it.");
}

void describe(ConfigSection& section, CopiesConfig& config) {
  time(section, "to_device_ns", config.to_device_ns, "A copy of no bytes from host to device.");
  time(section, "to_host_ns", config.to_host_ns, "A copy of no bytes from device to host.");
  rate(section, "to_device_gb_per_s", config.to_device_gb_per_s, "Rate from host to device, 10^9 bytes per second.");
  rate(section, "to_host_gb_per_s", config.to_host_gb_per_s, "Rate from device to host, 10^9 bytes per second.");
  rate(section, "both_gb_per_s", config.both_gb_per_s,
       "Rate of copies in both directions at the same time, together, 10^9 bytes per second.");
  time(section, "in_device_ns", config.in_device_ns, "A copy of no bytes within the device.");
  rate(section, "in_device_gb_per_s", config.in_device_gb_per_s,
       "Rate of copies within the device: bytes copied, 10^9 per second.");
  time(section, "fill_ns", config.fill_ns, "A fill of few bytes that a kernel of the driver does.");
  rate(section, "fill_gb_per_s", config.fill_gb_per_s, "Rate of fills, 10^9 bytes per second.");
  time(section, "small_fill_ns", config.small_fill_ns, "A fill of at most small_fill_bytes.");
  section.integer("small_fill_bytes", config.small_fill_bytes, 0, 1U << 30U,
                  "Most bytes that are filled without a kernel of the driver.");
  const auto grid = [&](const std::string& name, CopiesConfig::Grid& value, const std::string& what) {
    section.integer(name + "_block_threads", value.block_threads, 0, 1024,
                    "Threads of a block of the driver's grid for " + what + ", while kernels run; 0: there is none.");
    section.integer(name + "_thread_bytes", value.thread_bytes, 4, 16, "Bytes that each of them moves: 4 or 16.");
    if (value.thread_bytes != 4 && value.thread_bytes != 16) {
      section.problem(name + "_thread_bytes", "expected 4 or 16");
    }
  };
  grid("copy", config.copy_grid, "copies within the device");
  grid("rows", config.rows_grid, "those of several rows");
  grid("fill", config.fill_grid, "fills");
}

void describe(ConfigSection& section, PeerCopiesConfig& config) {
  time(section, "send_ns", config.send_ns, "A copy of no bytes to another GPU, in a stream of the GPU that sends.");
  time(section, "receive_ns", config.receive_ns, "The same in a stream of another GPU.");
  share(section, "efficiency", config.efficiency,
        "Rate at which a GPU sends or receives copies, by that of links.peer.");
  share(section, "both_efficiency", config.both_efficiency,
        "Rate at which a GPU sends and receives at the same time, by that of links.peer in both directions.");
  time(section, "staged_ns", config.staged_ns,
       "A copy of no bytes through the host's memory, between GPUs without access to each other.");
  share(section, "staged_efficiency", config.staged_efficiency, "Rate of such copies, by copies.to_host_gb_per_s.");
}

}  // namespace warpsim
