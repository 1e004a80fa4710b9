#include "core/sub_core/sub_core_config.h"

namespace warpsim {

void describe(ConfigSection& section, SubCoreConfig& config) {
  section.integer("warp_slots", config.warp_slots, 1, kMaxWarpsPerSubCore, "resident warps");
  section.nested("scheduler", config.scheduler, "warp scheduler");
  section.nested("issue", config.issue, "issue slots");
  section.choice("dependences", config.dependences,
                 {{"control_bits", DependencePolicy::kControlBits}, {"scoreboard", DependencePolicy::kScoreboard}},
                 "control bits of the program if known, or always a scoreboard");
  section.nested("fetch", config.fetch, "instruction fetch and L0 instruction cache");
  section.nested("register_file", config.register_file, "register file and register cache");
  section.nested("result_bus", config.result_bus, "write ports of the register file");
  section.integer("branch_latency_cycles", config.branch_latency_cycles, 1, 100,
                  "from issue of a taken branch to the fetch of its target");
  section.integer("indexed_branch_cycles", config.indexed_branch_cycles, 0, 1000,
                  "added to branch_latency_cycles by a branch to a target in registers");
  section.integer(
      "reconvergence_cycles", config.reconvergence_cycles, 0, 100,
      "added by a BSYNC: to its stall count, or to branch_latency_cycles when other lanes of the warp continue");
  section.integer(
      "exit_cycles", config.exit_cycles, 0, 1000,
      "added to the stall count of an exit that ends threads: until the warp leaves, or goes on without them");
  section.integer("warp_start_cycles", config.warp_start_cycles, 0, 1000,
                  "from the start of a warp to the fetch of its first instruction");
  section.integer("operand_read_cycles", config.operand_read_cycles, 1, 100,
                  "from issue until the source registers have been read, pipes other than memory");
  section.integer("membar_block_cycles", config.membar_block_cycles, 1, 10000, "memory fence of block scope");
  section.integer("membar_device_cycles", config.membar_device_cycles, 1, 10000,
                  "memory fence of a wider scope: at least this, and until all writes are acknowledged");
  section.integer("membar_system_cycles", config.membar_system_cycles, 1, 10000,
                  "memory fence of the system: at least this, and until all writes have arrived in all memories");
  section.integer("membar_acknowledged_cycles", config.membar_acknowledged_cycles, 0, 10000,
                  "from the last acknowledgement of a write to the end of the fence that waits for it");
}

}  // namespace warpsim
