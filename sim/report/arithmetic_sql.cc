#include "report/report_queries.h"

namespace warpsim {

namespace {

// The operations of a launch, by precision.
constexpr const char* kExecuted = R"sql(WITH kind(precision, unit_kind, metric, operand_bits) AS (VALUES
  ('FP64', 'fp64', 'flop_count_dp', 64),
  ('FP32', 'fp32', 'flop_count_sp', 32),
  ('FP16', 'fp16', 'flop_count_hp', 16),
  ('tensor FP64', 'mma_fp64', 'sm__ops_path_tensor_src_fp64.sum', 64),
  ('tensor TF32', 'mma_fp32', 'sm__ops_path_tensor_src_tf32_dst_fp32.sum', 32),
  ('tensor BF16', 'mma_fp32', 'sm__ops_path_tensor_src_bf16_dst_fp32.sum', 16),
  ('tensor FP16, FP32 results', 'mma_fp32', 'sm__ops_path_tensor_src_fp16_dst_fp32.sum', 16),
  ('tensor FP16', 'mma', 'sm__ops_path_tensor_src_fp16_dst_fp16.sum', 16),
  ('tensor FP8', 'mma', 'sm__ops_path_tensor_src_fp8.sum', 8),
  ('tensor INT8', 'mma', 'sm__ops_path_tensor_src_int8.sum', 8),
  ('tensor INT4', 'mma', 'sm__ops_path_tensor_src_int4.sum', 4),
  ('tensor INT1', 'mma', 'sm__ops_path_tensor_src_int1.sum', 1)
), executed AS (
  SELECT m.run_id AS run_id, m.launch_index AS launch_index, k.precision AS precision, k.unit_kind AS unit_kind,
         k.operand_bits AS operand_bits, m.value AS operations
  FROM metric_value m JOIN kind k ON k.metric = m.metric
  JOIN run r ON r.run_id = m.run_id AND r.source = 'simulated'
  WHERE m.value > 0
)sql";

// Operations that an SM starts per cycle. A unit takes a warp's instruction for initiation_cycles; those not shared are
// in each sub-core. A multiply-add is two operations, a packed half instruction works on two values. Tensor units do
// step_bit_macs multiply-adds times operand bits in step_initiation_cycles, fp32_result_passes times as slowly where
// results are FP32; warpgroup operations, from capability 9.0 on, have a rate of their own.
constexpr const char* kRates = R"sql(), vector(unit_kind, own_unit, operations) AS (VALUES
  ('fp64', 'fp64', 64), ('fp32', 'fma', 64), ('fp16', 'fma', 128)
), described AS (
  SELECT c.run_id AS run_id, v.unit_kind AS unit_kind, v.operations AS operations,
         CASE c.value WHEN 'own' THEN v.own_unit ELSE c.value END AS unit,
         'sm.execution.' || v.unit_kind AS operation
  FROM vector v JOIN config c ON c.path = 'sm.execution.' || v.unit_kind || '.unit'
), located AS (
  SELECT d.run_id AS run_id, d.unit_kind AS unit_kind, d.operations AS operations,
         CAST(i.value AS REAL) AS initiation_cycles, CAST(a.value AS INTEGER) AS able,
         CAST(n.value AS INTEGER) AS units, h.value AS shared, CAST(s.value AS INTEGER) AS sub_cores
  FROM described d
  JOIN config i ON i.run_id = d.run_id AND i.path = d.operation || '.initiation_cycles'
  JOIN config a ON a.run_id = d.run_id AND a.path = d.operation || '.able'
  JOIN config n ON n.run_id = d.run_id AND n.path = 'sm.execution.units.' || d.unit || '.count'
  JOIN config h ON h.run_id = d.run_id AND h.path = 'sm.execution.units.' || d.unit || '.shared'
  JOIN config s ON s.run_id = d.run_id AND s.path = 'sm.sub_cores'
), tensor AS (
  SELECT run_id,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.execution.units.tensor.count')
           * CASE max(value) FILTER (WHERE path = 'sm.execution.units.tensor.shared') WHEN 'true' THEN 1
             ELSE max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.sub_cores') END AS units,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.execution.mma.step_bit_macs')
           / max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.execution.mma.step_initiation_cycles') AS bit_macs,
         coalesce(max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.execution.mma.fp32_result_passes'), 1) AS passes,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.execution.mma.fp64.initiation_cycles') AS fp64_cycles,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'sm.execution.warpgroup_mma.bit_macs_per_cycle')
           AS warpgroup_bit_macs,
         max(CAST(value AS REAL)) FILTER (WHERE path = 'compute_capability') >= 9 AS warpgroups
  FROM config GROUP BY run_id
), rate AS (
  SELECT run_id, unit_kind, 0 AS operand_bits,
         operations * CASE WHEN able > 0 THEN min(able, units) ELSE units END
           * CASE shared WHEN 'true' THEN 1 ELSE sub_cores END / initiation_cycles AS operations_per_cycle
  FROM located
  UNION ALL
  SELECT run_id, k.column1, 1,
         2 * units * max(bit_macs / CASE k.column1 WHEN 'mma' THEN 1 ELSE passes END,
                         CASE WHEN warpgroups THEN warpgroup_bit_macs ELSE 0 END)
  FROM tensor JOIN (VALUES ('mma'), ('mma_fp32')) k
  UNION ALL
  SELECT run_id, 'mma_fp64', 0, 2 * 256 * units / fp64_cycles FROM tensor
), launched AS (
  SELECT m.run_id AS run_id, m.launch_index AS launch_index,
         max(m.value) FILTER (WHERE m.metric = 'gpu__time_duration.sum') AS time_ns,
         max(m.value) FILTER (WHERE m.metric = 'dram__bytes_read.sum')
           + max(m.value) FILTER (WHERE m.metric = 'dram__bytes_write.sum') AS dram_bytes,
         32 * max(m.value) FILTER (WHERE m.metric = 'lts__t_sectors.sum') AS l2_bytes,
         round(max(m.value) FILTER (WHERE m.metric = 'launch__grid_size')
           / (max(m.value) FILTER (WHERE m.metric = 'launch__waves_per_multiprocessor')
              * (SELECT value FROM launch_attribute b WHERE b.run_id = m.run_id AND b.launch_index = m.launch_index
                 AND b.name = 'blocks_per_sm'))) AS sms
  FROM metric_value m GROUP BY m.run_id, m.launch_index
)
SELECT e.run_id AS run_id, e.launch_index AS launch_index, e.precision AS precision, e.operations AS operations,
       e.operations / l.time_ns AS gop_per_s,
       r.operations_per_cycle / CASE r.operand_bits WHEN 0 THEN 1 ELSE e.operand_bits END * l.sms
         * CAST(c.value AS REAL) / 1000 AS peak_gop_per_s,
       e.operations / nullif(l.dram_bytes, 0) AS op_per_dram_byte,
       e.operations / nullif(l.l2_bytes, 0) AS op_per_l2_byte
FROM executed e
JOIN launched l ON l.run_id = e.run_id AND l.launch_index = e.launch_index
JOIN rate r ON r.run_id = e.run_id AND r.unit_kind = e.unit_kind
JOIN config c ON c.run_id = e.run_id AND c.path = 'clocks.core_mhz'
WHERE e.)sql";

}  // namespace

std::string arithmetic_sql(const std::string& runs) {
  return std::string(kExecuted) + kRates + (runs.empty() ? "run_id IS NOT NULL" : run_condition(runs)) +
         "\nORDER BY e.run_id, e.launch_index, e.operand_bits DESC, e.precision";
}

}  // namespace warpsim
