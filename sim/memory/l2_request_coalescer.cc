#include "memory/l2_request_coalescer.h"

namespace warpsim {

void describe(ConfigSection& section, L2RequestCoalescerConfig& config) {
  section.boolean("enabled", config.enabled, "merge reads of one line by several SMs of a GPC");
  section.integer("num_lines", config.num_lines, 1, 65534, "lines under way that can be merged into, per GPC");
  section.integer("requesters_per_line", config.requesters_per_line, 1, 1024, "requests that share one answer");
}

}  // namespace warpsim
