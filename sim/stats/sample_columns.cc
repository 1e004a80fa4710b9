#include "stats/sample_columns.h"

#include <array>

namespace warpsim {

namespace {

constexpr auto kSmColumns = std::to_array<SampleColumn>({
    {"active_cycles", "cycles_active", "cycle", "cycles with at least one resident block"},
    {"instructions", "sub_core.inst_executed", "inst", "warp instructions executed"},
    {"issued", "sub_core.inst_issued", "inst", "issue slots used, repeated issues included"},
    {"thread_instructions", "sub_core.thread_inst_executed", "inst", "instructions times active lanes"},
    {"stalled_selected", "sub_core.stalled_selected", "warp-cycle", "warp-cycles in which the warp issued"},
    {"stalled_not_selected", "sub_core.stalled_not_selected", "warp-cycle", "eligible, another warp was chosen"},
    {"stalled_wait", "sub_core.stalled_wait", "warp-cycle", "fixed stall count of the previous instruction"},
    {"stalled_barrier", "sub_core.stalled_barrier", "warp-cycle", "at a block barrier"},
    {"stalled_branch_resolving", "sub_core.stalled_branch_resolving", "warp-cycle", "next address not known yet"},
    {"stalled_dispatch_stall", "sub_core.stalled_dispatch_stall", "warp-cycle", "dispatch held back"},
    {"stalled_drain", "sub_core.stalled_drain", "warp-cycle", "exited, stores outstanding"},
    {"stalled_gmma", "sub_core.stalled_gmma", "warp-cycle", "waits for warpgroup operations"},
    {"stalled_imc_miss", "sub_core.stalled_imc_miss", "warp-cycle", "immediate constant cache miss"},
    {"stalled_lg_throttle", "sub_core.stalled_lg_throttle", "warp-cycle", "queue of local and global accesses full"},
    {"stalled_long_scoreboard", "sub_core.stalled_long_scoreboard", "warp-cycle", "waits for L1, L2 or DRAM"},
    {"stalled_math_pipe_throttle", "sub_core.stalled_math_pipe_throttle", "warp-cycle", "its pipe is busy"},
    {"stalled_membar", "sub_core.stalled_membar", "warp-cycle", "at a memory barrier"},
    {"stalled_mio_throttle", "sub_core.stalled_mio_throttle", "warp-cycle", "memory input and output queue full"},
    {"stalled_misc", "sub_core.stalled_misc", "warp-cycle", "other reasons"},
    {"stalled_no_instruction", "sub_core.stalled_no_instruction", "warp-cycle", "instruction not fetched yet"},
    {"stalled_short_scoreboard", "sub_core.stalled_short_scoreboard", "warp-cycle",
     "waits for shared memory, XU, shuffle or special register"},
    {"stalled_sleeping", "sub_core.stalled_sleeping", "warp-cycle", "sleeps"},
    {"stalled_tex_throttle", "sub_core.stalled_tex_throttle", "warp-cycle", "texture queue full"},
    {"l1_load_sectors", "lsu.global_load_sectors", "sector", "sectors touched by global loads"},
    {"l1_load_hit_sectors", "lsu.global_load_sector_hits", "sector", "of these, found in L1"},
    {"l1_store_sectors", "lsu.global_store_sectors", "sector", "sectors touched by global stores"},
    {"l1_requested_sectors", "l1.requested_sectors", "sector", "sectors requested from L2"},
    {"l1_wavefronts", "lsu.wavefronts", "wavefront", "passes through the data banks, all accesses"},
    {"shared_wavefronts", "lsu.shared_wavefronts", "wavefront", "of these, of shared memory"},
    {"shared_conflicts", "lsu.shared_load_conflicts, lsu.shared_store_conflicts, lsu.shared_atomic_conflicts",
     "wavefront", "of these, because of bank conflicts"},
    {"lsu_queue", "lsu.queued", "inst", "memory instructions that wait for the SM's stage at the end", true},
});

constexpr auto kL2Columns = std::to_array<SampleColumn>({
    {"l2_requests", "from_l1.requests, from_cache.requests, from_translation.requests, from_fabric.requests", "request",
     "requests looked up"},
    {"l2_read_sectors",
     "from_l1.read_sectors, from_cache.read_sectors, from_translation.read_sectors, from_fabric.read_sectors", "sector",
     "sectors requested by reads"},
    {"l2_write_sectors", "from_l1.write_sectors, from_cache.write_sectors, from_fabric.write_sectors", "sector",
     "sectors written"},
    {"l2_atomic_sectors",
     "from_l1.atomic_sectors, from_cache.atomic_sectors, from_fabric.atomic_sectors, from_l1.reduction_sectors, "
     "from_cache.reduction_sectors, from_fabric.reduction_sectors",
     "sector", "sectors of atomics and reductions"},
    {"l2_hit_sectors",
     "from_l1.hit_sectors, from_cache.hit_sectors, from_translation.hit_sectors, from_fabric.hit_sectors", "sector",
     "sectors found"},
    {"l2_miss_sectors",
     "from_l1.miss_sectors, from_cache.miss_sectors, from_translation.miss_sectors, from_fabric.miss_sectors", "sector",
     "sectors not found"},
    {"l2_dram_fill_sectors", "dram_fill_sectors", "sector", "sectors filled from DRAM"},
    {"l2_writeback_sectors", "writeback_sectors", "sector", "dirty sectors written to DRAM"},
    {"l2_queue", "queued", "request", "requests that wait for their lookup at the end", true},
});

constexpr auto kDramColumns = std::to_array<SampleColumn>({
    {"dram_reads", "reads", "request", "read requests served"},
    {"dram_writes", "writes", "request", "write requests served"},
    {"dram_bytes_read", "bytes_read", "byte", "bytes of the sectors read"},
    {"dram_bytes_written", "bytes_written", "byte", "bytes of the sectors written"},
    {"dram_row_hits", "row_hits", "request", "requests that found their row open"},
    {"dram_row_misses", "row_misses", "request", "requests that found their bank closed"},
    {"dram_row_conflicts", "row_conflicts", "request", "requests that found another row open"},
    {"dram_data_bus_cycles", "data_bus_cycles", "cycle", "DRAM cycles in which data moved"},
    {"dram_queue", "queued", "request", "requests that wait at the end", true},
});

constexpr auto kDeviceColumns = std::to_array<SampleColumn>({
    {"blocks_launched", "block_scheduler.blocks_launched", "block", "blocks sent to SMs"},
    {"blocks_completed", "block_scheduler.blocks_completed", "block", "blocks reported done"},
    {"crossbar_request_bytes", "crossbar.request_bytes", "byte", "bytes of requests that entered L2"},
    {"crossbar_response_bytes", "crossbar.response_bytes", "byte", "bytes of responses delivered to the SMs"},
});

constexpr auto kTables = std::to_array<SampleTable>({
    {"sample_sm", "sm", kSmColumns},
    {"sample_l2_slice", "l2_slice", kL2Columns},
    {"sample_dram_channel", "dram_channel", kDramColumns},
    {"sample_device", "", kDeviceColumns},
});

}  // namespace

std::span<const SampleTable> sample_tables() {
  return kTables;
}

std::vector<const SampleColumn*> all_columns(const SampleTable& table) {
  std::vector<const SampleColumn*> columns;
  for (const SampleColumn& column : table.columns) {
    columns.push_back(&column);
  }
  for (const SampleTable& other : kTables) {
    if (is_of_device(table) && !is_of_device(other)) {
      for (const SampleColumn& column : other.columns) {
        columns.push_back(&column);
      }
    }
  }
  return columns;
}

}  // namespace warpsim
