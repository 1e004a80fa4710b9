// The features and technical specifications of a compute capability from the appendices of the CUDA programming guides,
// except those of occupancy.
//
// For the tables of `warpsim gpus --table`; no value affects the timing. Rows that occupancy has (threads, blocks,
// warps, registers, shared memory) are taken from there. An empty list means that the capability lacks the feature.
// Evidence: tests/unit/app/comparison/capability_table_test.cc compares the tables with those of the guides cell by
// cell.
#pragma once

#include <cstdint>
#include <vector>

#include "config/config_section.h"

namespace warpsim {

enum class Support : std::uint8_t { kNo, kSome, kYes };  // kSome: on some of its GPUs

struct FeatureSupport {
  Support atomics_int32_global = Support::kNo;
  Support atomic_exchange_fp32_global = Support::kNo;
  Support atomics_int32_shared = Support::kNo;
  Support atomic_exchange_fp32_shared = Support::kNo;
  Support atomics_int64_global = Support::kNo;
  Support atomics_int64_shared = Support::kNo;
  Support atomics_int64_extremes_and_bits = Support::kNo;
  Support atomic_add_fp32 = Support::kNo;
  Support atomic_add_fp64 = Support::kNo;
  Support atomic_add_half2 = Support::kNo;
  Support atomic_add_half = Support::kNo;
  Support atomic_add_bfloat16 = Support::kNo;
  Support atomics_int128 = Support::kNo;
  Support scoped_atomics = Support::kNo;
  Support warp_vote = Support::kNo;
  Support warp_ballot = Support::kNo;
  Support warp_shuffle = Support::kNo;
  Support warp_match = Support::kNo;
  Support warp_reduce = Support::kNo;
  Support fence_system = Support::kNo;
  Support barrier_reductions = Support::kNo;
  Support surfaces = Support::kNo;
  Support grid_3d = Support::kNo;
  Support unified_memory = Support::kNo;
  Support unified_memory_page_faults = Support::kNo;
  Support funnel_shift = Support::kNo;
  Support dynamic_parallelism = Support::kNo;
  Support double_precision = Support::kNo;
  Support half_precision = Support::kNo;
  Support bfloat16 = Support::kNo;
  Support tensor_cores = Support::kNo;
  Support read_only_cache = Support::kNo;
  Support texture_objects = Support::kNo;
  Support layered_textures = Support::kNo;
  Support device_runtime = Support::kNo;
  Support recursion = Support::kNo;
  Support concurrent_kernels = Support::kNo;
  Support copy_overlap = Support::kNo;
  Support copy_overlap_both_ways = Support::kNo;
  Support mapped_host_memory = Support::kNo;
  Support nanosleep = Support::kNo;
  Support independent_thread_scheduling = Support::kNo;
  Support async_copy = Support::kNo;
  Support split_barriers = Support::kNo;
  Support l2_residency = Support::kNo;
  Support clusters = Support::kNo;
  Support distributed_shared_memory = Support::kNo;
  Support tensor_memory_accelerator = Support::kNo;
  Support dpx = Support::kNo;
};

// One feature of the list.
struct FeatureRow {
  const char* key;
  Support FeatureSupport::*value;
  const char* name;      // as a row of the table
  const char* sentence;  // of the key
};
const std::vector<FeatureRow>& feature_rows();

struct SpecificationsConfig {
  std::uint32_t resident_grids = 0;
  std::uint32_t hardware_queues = 0;  // that streams share
  std::uint32_t stream_priorities = 1;
  std::uint32_t copy_engines = 0;  // 0: no copy runs beside a kernel; 1: one for both directions
  std::uint32_t grid_dimensions = 0;
  std::vector<std::uint32_t> grid_size;
  std::uint32_t block_dimensions = 0;
  std::vector<std::uint32_t> block_size;
  std::uint32_t local_kib_per_thread = 0;
  std::uint32_t constant_kib = 0;
  std::uint32_t constant_cache_kib = 0;
  std::vector<std::uint32_t> texture_cache_kib;
  std::vector<std::uint32_t> texture_1d;
  std::vector<std::uint32_t> texture_1d_linear;
  std::vector<std::uint32_t> texture_1d_layered;
  std::vector<std::uint32_t> texture_2d;
  std::vector<std::uint32_t> texture_2d_linear;
  std::vector<std::uint32_t> texture_2d_gather;
  std::vector<std::uint32_t> texture_2d_layered;
  std::vector<std::uint32_t> texture_3d;
  std::vector<std::uint32_t> texture_cubemap;
  std::vector<std::uint32_t> texture_cubemap_layered;
  std::uint32_t textures_per_kernel = 0;
  std::vector<std::uint32_t> surface_1d;
  std::vector<std::uint32_t> surface_1d_layered;
  std::vector<std::uint32_t> surface_2d;
  std::vector<std::uint32_t> surface_2d_layered;
  std::vector<std::uint32_t> surface_3d;
  std::vector<std::uint32_t> surface_cubemap;
  std::vector<std::uint32_t> surface_cubemap_layered;
  std::uint32_t surfaces_per_kernel = 0;
  std::uint32_t instructions_per_kernel = 0;
  FeatureSupport features;
};
void describe(ConfigSection& section, SpecificationsConfig& config);

}  // namespace warpsim
