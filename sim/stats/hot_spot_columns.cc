#include "stats/hot_spot_columns.h"

namespace warpsim {

namespace {

constexpr std::array<HotSpotColumnInfo, kHotSpotColumns> kColumns = {{
    {"executed", "inst", "number of executions by warps"},
    {"threads_executed", "inst", "number of executions by threads"},
    {"requests", "request", "accesses to global, local or shared memory"},
    {"sectors", "sector", "sectors of global and local memory that they touched"},
    {"l1_hit_sectors", "sector", "of these, found in L1"},
    {"shared_wavefronts", "wavefront", "passes through shared memory"},
    {"shared_conflicts", "wavefront", "of these, because of bank conflicts"},
    {"loads", "request", "loads and atomics whose result came back"},
    {"loads_from_l1", "request", "of these, served by L1"},
    {"loads_from_l2", "request", "of these, last sector served by L2"},
    {"loads_from_dram", "request", "of these, last sector served by DRAM"},
    {"load_cycles", "cycle", "from issue to result, summed over the loads"},
    {"greatest_load_cycles", "cycle", "maximum over the loads"},
    {"stalled_selected", "warp-cycle", "the warp issued it"},
    {"stalled_not_selected", "warp-cycle", "eligible, another warp was chosen"},
    {"stalled_wait", "warp-cycle", "fixed stall count of the previous instruction"},
    {"stalled_barrier", "warp-cycle", "at a block barrier"},
    {"stalled_branch_resolving", "warp-cycle", "address not known yet"},
    {"stalled_dispatch_stall", "warp-cycle", "dispatch held back"},
    {"stalled_drain", "warp-cycle", "exited, stores outstanding"},
    {"stalled_gmma", "warp-cycle", "waited for warpgroup operations"},
    {"stalled_imc_miss", "warp-cycle", "immediate constant cache miss"},
    {"stalled_lg_throttle", "warp-cycle", "queue of local and global accesses full"},
    {"stalled_long_scoreboard", "warp-cycle", "waited for L1, L2 or DRAM"},
    {"stalled_math_pipe_throttle", "warp-cycle", "its pipe was busy"},
    {"stalled_membar", "warp-cycle", "at a memory barrier"},
    {"stalled_mio_throttle", "warp-cycle", "memory input and output queue full"},
    {"stalled_misc", "warp-cycle", "other reasons"},
    {"stalled_no_instruction", "warp-cycle", "not fetched yet"},
    {"stalled_short_scoreboard", "warp-cycle", "waited for shared memory, XU, shuffle or special register"},
    {"stalled_sleeping", "warp-cycle", "slept"},
    {"stalled_tex_throttle", "warp-cycle", "texture queue full"},
}};

}  // namespace

std::span<const HotSpotColumnInfo, kHotSpotColumns> hot_spot_columns() {
  return kColumns;
}

}  // namespace warpsim
