// Parameters of a sub-core.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "core/sub_core/instruction_fetch.h"
#include "core/sub_core/issue_info.h"
#include "core/sub_core/issue_rules.h"
#include "core/sub_core/register_file.h"
#include "core/sub_core/result_bus.h"
#include "core/sub_core/warp_scheduler.h"

namespace warpsim {

struct SubCoreConfig {
  std::uint32_t warp_slots = 1;
  WarpSchedulerConfig scheduler;
  IssueRules issue;
  DependencePolicy dependences = DependencePolicy::kControlBits;
  InstructionFetchConfig fetch;
  RegisterFileConfig register_file;
  ResultBusConfig result_bus;
  std::uint32_t branch_latency_cycles = 1;  // from issue of a taken branch to the fetch of its target
  std::uint32_t indexed_branch_cycles = 0;  // added by BRX
  std::uint32_t reconvergence_cycles = 0;   // added by BSYNC
  std::uint32_t exit_cycles = 0;            // from an exit's stall count to the next instruction, or the warp's end
  std::uint32_t warp_start_cycles = 0;      // from a warp's start to its first fetch
  std::uint32_t operand_read_cycles = 1;    // from issue to registers read, pipes other than memory
  std::uint32_t membar_block_cycles = 1;    // MEMBAR of block scope
  std::uint32_t membar_device_cycles = 1;   // wider scopes: at least this, and all writes acknowledged
  std::uint32_t membar_system_cycles = 1;   // the system: at least this, and all writes arrived in all memories
  std::uint32_t membar_acknowledged_cycles = 0;  // from the last acknowledgement to the end of such a fence
};
void describe(ConfigSection& section, SubCoreConfig& config);

}  // namespace warpsim
