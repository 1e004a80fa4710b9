// The work of a run with two GPUs, by hand, for tests of what shows it.
#pragma once

#include "stats/database.h"
#include "stats/schema.h"

namespace warpsim::test {

// Device 0: a copy in stream 7 (0 to 10 us), then two kernels of a graph in it that overlap (10 to 30, 15 to 25), a
// kernel in the default stream (30 to 31), submitted at 2. Device 1: a copy from device 0 (4 to 6). The program has a
// range 'step' around the first two kernels, with 'inner' in it around the second, and another 'step' around the third.
inline void fill_device_work(Database& database) {
  create_schema(database);
  database.execute(R"sql(
    INSERT INTO run (run_id, name, source, status, gpu, version) VALUES (1, 'two', 'simulated', 'complete', 'G + H', '0');
    INSERT INTO device VALUES (1, 0, 'G', 'g.yaml', 'c1'), (1, 1, 'H', 'h.yaml', 'c2');
    INSERT INTO kernel VALUES ('k1', 'first<int>(int const*)', 'first');
    INSERT INTO launch (run_id, launch_index, kernel, status, device, grid_x, grid_y, grid_z, block_x, block_y, block_z)
      VALUES (1, 0, 'k1', 'complete', 0, 1, 1, 1, 32, 1, 1), (1, 1, 'k1', 'complete', 0, 1, 1, 1, 32, 1, 1),
             (1, 2, 'k1', 'complete', 0, 1, 1, 1, 32, 1, 1);
    INSERT INTO launch_attribute VALUES (1, 0, 'launches_beside', 1.0), (1, 1, 'launches_beside', 1.0),
                                        (1, 2, 'launches_beside', 0.0);
    INSERT INTO device_work (run_id, device, work_index, kind, stream, in_graph, priority, launch_index, bytes, peer_device,
        submitted_ns, start_ns, end_ns, waited_for_work_ns, waited_for_queue_ns, waited_for_place_ns) VALUES
      (1, 0, 1, 'copy to device', 7, 0, 0, NULL, 20000, NULL, 0, 0, 10000, 0, 0, 0),
      (1, 0, 2, 'kernel', 7, 1, -1, 0, 0, NULL, 1000, 10000, 30000, 9000, 0, 0),
      (1, 0, 3, 'kernel', 7, 1, -1, 1, 0, NULL, 1000, 15000, 25000, 9000, 3000, 2000),
      (1, 0, 4, 'kernel', 0, 0, 0, 2, 0, NULL, 2000, 30000, 31000, 28000, 0, 0),
      (1, 1, 1, 'copy between devices', 7, 0, 0, NULL, 4000, 0, 3000, 4000, 6000, 0, 0, 1000);
    INSERT INTO host_range VALUES (1, 1, NULL, 'pushed', 1, '', 'step'), (1, 2, 1, 'pushed', 1, '', 'inner'),
                                  (1, 3, NULL, 'pushed', 1, '', 'step');
    INSERT INTO host_range_launch VALUES (1, 1, 0), (1, 1, 1), (1, 2, 1), (1, 3, 2);
  )sql");
}

}  // namespace warpsim::test
