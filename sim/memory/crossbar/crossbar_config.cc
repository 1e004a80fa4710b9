#include "memory/crossbar/crossbar_config.h"

namespace warpsim {

void describe(ConfigSection& section, CrossbarConfig& config) {
  section.integer("request_port_latency_core_cycles", config.request_port_latency_core_cycles, 1, 10000,
                  "core cycles from a requester to the crossbar");
  section.integer("request_slice_latency_cycles", config.request_slice_latency_cycles, 1, 10000,
                  "L2 cycles from the crossbar to the nearest slice, its lookup included");
  section.integer("response_slice_latency_cycles", config.response_slice_latency_cycles, 1, 10000,
                  "L2 cycles from a slice to the crossbar");
  section.integer("response_port_latency_cycles", config.response_port_latency_cycles, 1, 10000,
                  "L2 cycles from the crossbar to the nearest requester");
  section.integer("slice_latency_spread_cycles", config.slice_latency_spread_cycles, 0, 10000,
                  "L2 cycles by which the farthest slice is slower than the nearest");
  section.integer("gpc_latency_spread_cycles", config.gpc_latency_spread_cycles, 0, 10000,
                  "L2 cycles by which the farthest GPC is slower than the nearest");
  section.real("port_request_bytes_per_cycle", config.port_request_bytes_per_cycle, 0.01, 1e6,
               "request bytes a port injects per L2 cycle");
  section.real("port_response_bytes_per_cycle", config.port_response_bytes_per_cycle, 0.01, 1e6,
               "response bytes a port takes per L2 cycle");
  section.real("gpc_request_bytes_per_cycle", config.gpc_request_bytes_per_cycle, 0.01, 1e6,
               "request bytes all ports of a GPC inject per L2 cycle");
  section.real("gpc_response_bytes_per_cycle", config.gpc_response_bytes_per_cycle, 0.01, 1e6,
               "response bytes all ports of a GPC take per L2 cycle");
  section.integer("flit_bytes", config.flit_bytes, 1, 1024,
                  "bytes of a read request, of a written sector, of an atomic of one lane, and of the header and each "
                  "sector of others");
  section.integer("write_mask_bytes", config.write_mask_bytes, 0, 1024,
                  "bytes of a write in addition, if it has sectors that it does not write completely");
  section.integer("port_request_entries", config.port_request_entries, 1, 65536,
                  "requests in flight from a port to the crossbar or waiting there");
  section.integer("port_response_entries", config.port_response_entries, 1, 65536, "responses that wait for a port");
  section.integer("slice_queue_entries", config.slice_queue_entries, 1, 65536,
                  "requests that wait at a slice, and responses that wait there");
  section.integer("turn_cycles", config.turn_cycles, 1, 65536,
                  "L2 cycles in which something is sent, after which the next requester, or slice, is the first");
  section.nested("coalescer", config.coalescer, "L2 request coalescer of each GPC");
  section.boolean("zero_latency", config.zero_latency, "idealisation: every hop takes one cycle");
  section.boolean("unlimited_bandwidth", config.unlimited_bandwidth, "idealisation: rates do not limit");
  describe_mechanism(section, "arbitration", config.arbitration,
                     "whose message goes first when several requesters want to send; `none`: they take turns");
  describe_mechanism(section, "network", config.network,
                     "network between the GPCs' connections and the slices, whose time is added; `none`: a switch");
}

}  // namespace warpsim
