#include "report/report_queries.h"

namespace warpsim {

namespace {

constexpr const char* kMeasured = R"sql(WITH measured AS (
  SELECT run_id, launch_index,
         max(value) FILTER (WHERE metric = 'gpc__cycles_elapsed.max') AS cycles,
         max(value) FILTER (WHERE metric = 'gpu__time_duration.sum') AS time_ns,
         max(value) FILTER (WHERE metric = 'smsp__inst_executed.sum') AS instructions,
         max(value) FILTER (WHERE metric = 'smsp__thread_inst_executed.sum') AS thread_instructions,
         max(value) FILTER (WHERE metric = 'sm__cycles_active.avg') AS sm_cycles_mean,
         max(value) FILTER (WHERE metric = 'sm__cycles_active.max') AS sm_cycles_greatest,
         max(value) FILTER (WHERE metric = 'sm__warps_active.avg.pct_of_peak_sustained_active') AS occupancy_pct,
         max(value) FILTER (WHERE metric = 'smsp__issue_active.avg.pct_of_peak_sustained_active') AS issue_active_pct,
         max(value) FILTER (WHERE metric = 'smsp__warps_eligible.avg.per_cycle_active') AS eligible_warps,
         max(value) FILTER (WHERE metric = 'launch__waves_per_multiprocessor') AS waves,
         max(value) FILTER (WHERE metric = 'launch__grid_size') AS blocks,
         max(value) FILTER (WHERE metric IN ('dram__bytes_read.sum')) AS dram_read,
         max(value) FILTER (WHERE metric = 'dram__bytes_write.sum') AS dram_written,
         max(value) FILTER (WHERE metric = 'lts__t_sectors.sum') AS l2_sectors,
         max(value) FILTER (WHERE metric = 'l1tex__data_pipe_lsu_wavefronts.sum') AS wavefronts,
         max(value) FILTER (WHERE metric = 'l1tex__data_pipe_lsu_wavefronts_mem_shared.sum') AS shared_wavefronts,
         max(value) FILTER (WHERE metric = 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum') AS shared_conflicts,
         max(value) FILTER (WHERE metric = 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum') AS load_requests,
         max(value) FILTER (WHERE metric = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum') AS load_sectors,
         max(value) FILTER (WHERE metric = 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum') AS store_requests,
         max(value) FILTER (WHERE metric = 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum') AS store_sectors,
         max(value) FILTER (WHERE metric = 'l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum') AS local_loads,
         max(value) FILTER (WHERE metric = 'sm__inst_executed_pipe_alu.sum') AS alu,
         max(value) FILTER (WHERE metric = 'sm__inst_executed_pipe_fma.sum') AS fma,
         max(value) FILTER (WHERE metric = 'sm__inst_executed_pipe_fp64.sum') AS fp64,
         max(value) FILTER (WHERE metric = 'sm__inst_executed_pipe_xu.sum') AS xu
  FROM metric_value GROUP BY run_id, launch_index
)sql";

constexpr const char* kCounted = R"sql(), counted AS (
  SELECT c.run_id AS run_id, c.launch_index AS launch_index,
         sum(c.value) FILTER (WHERE s.component = 'block_scheduler' AND s.name = 'cycles_overhead') AS overhead_cycles,
         sum(c.value) FILTER (WHERE s.component = 'sm.lsu' AND s.name = 'bytes_requested') AS bytes_requested,
         sum(c.value) FILTER (WHERE s.component = 'sm.lsu' AND s.name = 'bytes_moved') AS bytes_moved,
         sum(c.value) FILTER (WHERE s.component = 'sm.lsu' AND s.name = 'stage_busy_cycles') AS stage_busy_cycles
  FROM counter_total c JOIN statistic s ON s.stat_id = c.stat_id GROUP BY c.run_id, c.launch_index
), machine AS (
  SELECT run_id,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'clocks.core_mhz') AS core_mhz,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'clocks.l2_mhz') AS l2_mhz,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'clocks.dram_mhz') AS dram_mhz,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.sub_cores') AS sub_cores,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.sub_core.issue.interval_cycles') AS issue_interval,
         max(CASE value WHEN 'never' THEN 1 ELSE 2 END) FILTER (WHERE path = 'sm.sub_core.issue.pairs') AS issue_width,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'address_map.num_channels') AS channels,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'dram.burst_bytes') AS burst_bytes,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'dram.burst_cycles') AS burst_cycles,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'address_map.num_partitions')
           * max(CAST(value AS REAL)) FILTER (WHERE path = 'address_map.slices_per_partition') AS slices,
         max(value) FILTER (WHERE path = 'l2.keeps_lines') AS l2_keeps_lines,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'l2.data_bytes_per_cycle') AS slice_bytes,
)sql";

// Instructions of a kind that an SM starts per cycle: the reciprocal of the cycles in which one instruction occupies
// all its units.
std::string pipe_rate(const std::string& unit, const std::string& operation) {
  const std::string prefix = "sm.execution.units." + unit;
  return "         max(CAST(value AS REAL)) FILTER (WHERE path = '" + prefix +
         ".count')\n"
         "           * CASE max(value) FILTER (WHERE path = '" +
         prefix +
         ".shared') WHEN 'true' THEN 1\n"
         "             ELSE max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.sub_cores') END\n"
         "           / max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.execution." +
         operation + ".initiation_cycles') AS " + unit + "_rate";
}

constexpr const char* kSized = R"sql(
  FROM config GROUP BY run_id
), sized AS (
  SELECT m.*, c.overhead_cycles, c.bytes_requested, c.bytes_moved, c.stage_busy_cycles, g.*,
         round(m.blocks / (m.waves * a.value)) AS sms, a.value AS blocks_per_sm,
         g.channels * g.burst_bytes / g.burst_cycles * g.dram_mhz / 1000 AS dram_peak_gb_per_s,
         CASE g.l2_keeps_lines WHEN 'true' THEN g.slices * g.slice_bytes * g.l2_mhz / 1000 END AS l2_peak_gb_per_s
  FROM measured m
  JOIN run r ON r.run_id = m.run_id AND r.source = 'simulated'
  LEFT JOIN counted c ON c.run_id = m.run_id AND c.launch_index = m.launch_index
  LEFT JOIN machine g ON g.run_id = m.run_id
  LEFT JOIN launch_attribute a ON a.run_id = m.run_id AND a.launch_index = m.launch_index AND a.name = 'blocks_per_sm'
)
SELECT run_id, launch_index, cycles, time_ns / 1000 AS time_us, sms, blocks, blocks_per_sm, waves,
       100.0 * coalesce(overhead_cycles, 0) / cycles AS overhead_pct,
       100 * sm_cycles_mean / cycles AS sm_active_pct,
       100 * sm_cycles_mean / sm_cycles_greatest AS sm_balance_pct,
       occupancy_pct, eligible_warps, issue_active_pct,
       issue_active_pct * sm_cycles_mean / cycles AS issue_pct,
       100 * alu / (alu_rate * sms * cycles) AS alu_pct,
       100 * fma / (fma_rate * sms * cycles) AS fma_pct,
       100 * fp64 / (fp64_rate * sms * cycles) AS fp64_pct,
       100 * xu / (xu_rate * sms * cycles) AS xu_pct,
       100.0 * coalesce(stage_busy_cycles, 0) / (sms * cycles) AS l1_pct,
       100 * shared_wavefronts / (sms * cycles) AS shared_pct,
       l2_sectors * 32 / time_ns AS l2_gb_per_s, l2_peak_gb_per_s,
       100 * l2_sectors * 32 / time_ns / l2_peak_gb_per_s AS l2_pct,
       (dram_read + dram_written) / time_ns AS dram_gb_per_s, dram_peak_gb_per_s,
       100 * (dram_read + dram_written) / time_ns / dram_peak_gb_per_s AS dram_pct,
       load_sectors / nullif(load_requests, 0) AS sectors_per_load,
       store_sectors / nullif(store_requests, 0) AS sectors_per_store,
       100.0 * bytes_requested / bytes_moved AS bytes_used_pct,
       100 * shared_conflicts / nullif(shared_wavefronts, 0) AS conflict_pct,
       thread_instructions / nullif(instructions, 0) AS threads_per_instruction,
       local_loads,
       instructions / time_ns AS warp_ginst_per_s,
       sms * sub_cores * issue_width / issue_interval * core_mhz / 1000 AS peak_warp_ginst_per_s,
       instructions / nullif(dram_read + dram_written, 0) AS warp_inst_per_dram_byte,
       instructions / nullif(l2_sectors * 32, 0) AS warp_inst_per_l2_byte
FROM sized WHERE )sql";

}  // namespace

std::string launch_facts_sql(const std::string& runs) {
  return std::string(kMeasured) + kCounted + pipe_rate("alu", "int_add") + ",\n" + pipe_rate("fma", "fp32") + ",\n" +
         pipe_rate("fp64", "fp64") + ",\n" + pipe_rate("xu", "transcendental") + kSized + run_condition(runs) +
         " ORDER BY run_id, launch_index";
}

std::string stall_shares_sql(const std::string& runs) {
  return "SELECT run_id, launch_index, reason,\n"
         "       100 * warps_per_issue / sum(warps_per_issue) OVER (PARTITION BY run_id, launch_index) AS share_pct\n"
         "FROM stalls WHERE source = 'simulated' AND reason <> 'selected' AND warps_per_issue > 0 AND " +
         run_condition(runs) + "\nORDER BY run_id, launch_index, warps_per_issue DESC, reason";
}

}  // namespace warpsim
