-- Run by run, six more copies of what a database holds, and a kernel whose name is an attack on the page.
PRAGMA foreign_keys = OFF;
CREATE TEMP TABLE copy(number INTEGER);
INSERT INTO copy VALUES (1), (2), (3), (4), (5), (6);
CREATE TEMP TABLE original AS SELECT * FROM run WHERE source = 'simulated';

INSERT INTO run SELECT run_id + 1000 * number, name || '_' || number, source, status, gpu, config_file,
  config_hash, trace,
  trace_hash || number, cache_control, launches, max_cycles, version FROM original, copy;
INSERT INTO device SELECT run_id + 1000 * number, device, gpu, config_file, config_hash FROM device, copy WHERE
  run_id < 1000;
INSERT INTO config SELECT run_id + 1000 * number, path, value, origin FROM config, copy WHERE run_id < 1000;
INSERT INTO launch SELECT run_id + 1000 * number, launch_index, kernel, status, grid_x, grid_y, grid_z, block_x,
  block_y, block_z,
  cluster_x, cluster_y, cluster_z, registers_per_thread, shared_bytes, local_bytes_per_thread, device, stream, start_cycle,
  elapsed_cycles, duration_ns FROM launch, copy WHERE run_id < 1000;
INSERT INTO launch_attribute SELECT run_id + 1000 * number, launch_index, name, value FROM launch_attribute, copy
  WHERE run_id < 1000;
INSERT INTO metric_value SELECT run_id + 1000 * number, launch_index, metric, value FROM metric_value, copy WHERE
  run_id < 1000;
INSERT INTO counter_total SELECT run_id + 1000 * number, launch_index, stat_id, value FROM counter_total, copy
  WHERE run_id < 1000;
INSERT INTO histogram_total SELECT run_id + 1000 * number, launch_index, stat_id, count, sum, greatest FROM
  histogram_total, copy
  WHERE run_id < 1000;

UPDATE kernel SET demangled = '</script><script>attack()</script><img src=x onerror=attack()>& "quoted"'
  WHERE name = (SELECT kernel FROM launch JOIN run USING (run_id) WHERE run.name = 'vecadd');

-- What hardware might have measured: a little more or less, and nothing of what it counts in tens.
INSERT INTO run SELECT run_id + 100, name, 'hardware', 'complete', 'measured', NULL, NULL, NULL, NULL, NULL, NULL,
  NULL, version
  FROM original;
INSERT INTO launch SELECT run_id + 100, launch_index, kernel, NULL, grid_x, grid_y, grid_z, block_x, block_y,
  block_z, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM launch WHERE run_id < 100;
INSERT INTO metric_value SELECT run_id + 100, launch_index, metric,
  CASE WHEN value < 50 THEN 0 ELSE value * (0.9 + 0.04 * ((run_id * 7 + launch_index * 3 + length(metric)) % 6)) END
  FROM metric_value WHERE run_id < 100 AND value IS NOT NULL;
