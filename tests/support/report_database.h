// A small results database of made-up launches, for tests of readers of results.
#pragma once

#include <string>

#include "stats/database.h"
#include "stats/schema.h"

namespace warpsim {

// Two simulated runs of a trace with two launches each and one measured run; `with_details` adds time series of 10
// samples of 2 SMs, and hot spots, to launch 0 of run 1.
inline void fill_report_database(Database& database, bool with_details = false) {
  create_schema(database);
  database.execute(R"sql(
    INSERT INTO run VALUES
      (1, 'vec', 'simulated', 'complete', 'G', 'g.yaml', 'c1', 'vec.wtrace', 't1', 'all', NULL, NULL, '0'),
      (2, 'vec@H', 'simulated', 'complete', 'H', 'h.yaml', 'c2', 'vec.wtrace', 't1', 'all', NULL, NULL, '0'),
      (3, 'vec', 'hardware', 'complete', 'G', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '0');
    INSERT INTO run_note VALUES (1, 0, 'a note with </script><b>');
    INSERT INTO kernel VALUES ('k1', 'first<int>(int const*)', 'first'),
      ('k2', 'second(float&)', 'second');
    INSERT INTO launch
      SELECT run_id, i, 'k' || (i + 1), iif(source = 'simulated', 'complete', NULL), 8, 1, 1, 64, 1, 1, 1, 1, 1, 16, 0, 0,
             iif(source = 'simulated', 0, NULL), 0, 0, 1000 * (i + 1), 500.0 * (i + 1)
      FROM run, (SELECT 0 AS i UNION SELECT 1);
    INSERT INTO metric VALUES
      ('gpc__cycles_elapsed.max', 'cycle', 'cycles', 'f'), ('gpu__time_duration.sum', 'ns', 'time', 'f'),
      ('smsp__inst_executed.sum', 'inst', 'instructions', 'f'),
      ('sm__warps_active.avg.pct_of_peak_sustained_active', '%', 'occupancy', 'f'),
      ('dram__bytes_read.sum', 'byte', 'read', 'f'), ('dram__bytes_write.sum', 'byte', 'written', 'f'),
      ('launch__waves_per_multiprocessor', 'wave', 'waves', 'f'), ('launch__grid_size', 'block', 'blocks', 'f'),
      ('smsp__average_warps_issue_stalled_wait_per_issue_active.ratio', 'warp', 'wait', 'f'),
      ('smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio', 'warp', 'barrier', 'f'),
      ('idle.ratio', '', 'a ratio of nothing', 'f');
    INSERT INTO metric_value
      SELECT run_id, launch_index, 'gpc__cycles_elapsed.max', elapsed_cycles + iif(run_id = 3, 100, 0) FROM launch
      UNION ALL SELECT run_id, launch_index, 'gpu__time_duration.sum', duration_ns * run_id FROM launch
      UNION ALL SELECT run_id, launch_index, 'smsp__inst_executed.sum', 4000 FROM launch
      UNION ALL SELECT run_id, launch_index, 'sm__warps_active.avg.pct_of_peak_sustained_active',
                       40 + iif(run_id = 3, 2, 0) FROM launch
      UNION ALL SELECT run_id, launch_index, 'dram__bytes_read.sum', 30000 FROM launch
      UNION ALL SELECT run_id, launch_index, 'dram__bytes_write.sum', 10000 FROM launch
      UNION ALL SELECT run_id, launch_index, 'launch__waves_per_multiprocessor', 0.5 FROM launch
      UNION ALL SELECT run_id, launch_index, 'launch__grid_size', 8 FROM launch
      UNION ALL SELECT run_id, launch_index, 'smsp__average_warps_issue_stalled_wait_per_issue_active.ratio', 3 FROM launch
      UNION ALL SELECT run_id, launch_index, 'smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio', 1
                FROM launch
      UNION ALL SELECT run_id, launch_index, 'idle.ratio', iif(run_id = 3, 0, 1) FROM launch;
    INSERT INTO launch_attribute
      SELECT run_id, launch_index, 'blocks_per_sm', 4.0 FROM launch WHERE run_id < 3
      UNION ALL SELECT run_id, launch_index, 'max_warps_per_sm', 64.0 FROM launch WHERE run_id < 3
      UNION ALL SELECT run_id, launch_index, 'occupancy_limiter', 'registers' FROM launch WHERE run_id < 3
      UNION ALL SELECT run_id, launch_index, 'theoretical_occupancy_pct', 12.5 FROM launch WHERE run_id < 3;
    INSERT INTO config
      SELECT run_id, key, value, 'g.yaml:' || run_id FROM
        (SELECT 1 AS run_id UNION SELECT 2),
        (SELECT 'clocks.core_mhz' AS key, '2000' AS value UNION SELECT 'clocks.dram_mhz', '1000'
         UNION SELECT 'address_map.num_channels', '4' UNION SELECT 'dram.burst_bytes', '32'
         UNION SELECT 'dram.burst_cycles', '1' UNION SELECT 'sm.sub_cores', '4'
         UNION SELECT 'sm.sub_core.issue.interval_cycles', '1' UNION SELECT 'sm.sub_core.issue.pairs', 'never');
  )sql");
  if (with_details) {
    database.execute(R"sql(
      INSERT INTO program VALUES (1, 'k1', 90, 'p');
      INSERT INTO instruction VALUES (1, 0, 0, 'LDG.E R2, [R4] <&>', 'a/b.cu', 7), (1, 1, 16, 'EXIT', NULL, NULL);
      INSERT INTO launch_program VALUES (1, 0, 1);
      INSERT INTO hot_spot (run_id, launch_index, position, executed, threads_executed, requests, sectors, l1_hit_sectors,
          shared_wavefronts, shared_conflicts, loads, loads_from_l1, loads_from_l2, loads_from_dram, load_cycles,
          greatest_load_cycles, stalled_selected, stalled_not_selected, stalled_wait, stalled_barrier,
          stalled_branch_resolving, stalled_dispatch_stall, stalled_drain, stalled_gmma, stalled_imc_miss,
          stalled_lg_throttle, stalled_long_scoreboard, stalled_math_pipe_throttle, stalled_membar,
          stalled_mio_throttle, stalled_misc, stalled_no_instruction, stalled_short_scoreboard, stalled_sleeping,
          stalled_tex_throttle)
        VALUES (1, 0, 0, 16, 512, 16, 64, 16, 0, 0, 16, 4, 4, 8, 6400, 700,
                16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 284, 0, 0, 0, 0, 0, 0, 0, 0),
               (1, 0, 1, 16, 512, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                16, 0, 84, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
      INSERT INTO hot_spot_latency VALUES (1, 0, 0, 256, 319, 10), (1, 0, 0, 640, NULL, 6);
    )sql");
  }
}

}  // namespace warpsim
