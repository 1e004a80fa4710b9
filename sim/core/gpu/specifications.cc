#include "core/gpu/specifications.h"

#include <algorithm>
#include <string>

namespace warpsim {

namespace {

constexpr std::uint64_t kMost = 2'147'483'647;

struct SizeRow {
  const char* key;
  std::vector<std::uint32_t> SpecificationsConfig::*value;
  std::size_t dimensions;
  const char* sentence;
};

// Textures and surfaces: as many numbers as dimensions, or none.
constexpr SizeRow kTexturesAndSurfaces[] = {
    {"texture_1d", &SpecificationsConfig::texture_1d, 1, "Width of a 1D texture in a CUDA array."},
    {"texture_1d_linear", &SpecificationsConfig::texture_1d_linear, 1, "Width of a 1D texture in linear memory."},
    {"texture_1d_layered", &SpecificationsConfig::texture_1d_layered, 2, "Width and layers of a layered 1D texture."},
    {"texture_2d", &SpecificationsConfig::texture_2d, 2, "Width and height of a 2D texture in a CUDA array."},
    {"texture_2d_linear", &SpecificationsConfig::texture_2d_linear, 2,
     "Width and height of a 2D texture in linear memory."},
    {"texture_2d_gather", &SpecificationsConfig::texture_2d_gather, 2, "Width and height of a 2D texture with gather."},
    {"texture_2d_layered", &SpecificationsConfig::texture_2d_layered, 3,
     "Width, height and layers of a layered 2D texture."},
    {"texture_3d", &SpecificationsConfig::texture_3d, 3, "Width, height and depth of a 3D texture."},
    {"texture_cubemap", &SpecificationsConfig::texture_cubemap, 1, "Width of a cubemap texture."},
    {"texture_cubemap_layered", &SpecificationsConfig::texture_cubemap_layered, 2,
     "Width and layers of a layered cubemap texture."},
    {"surface_1d", &SpecificationsConfig::surface_1d, 1, "Width of a 1D surface."},
    {"surface_1d_layered", &SpecificationsConfig::surface_1d_layered, 2, "Width and layers of a layered 1D surface."},
    {"surface_2d", &SpecificationsConfig::surface_2d, 2, "Width and height of a 2D surface."},
    {"surface_2d_layered", &SpecificationsConfig::surface_2d_layered, 3,
     "Width, height and layers of a layered 2D surface."},
    {"surface_3d", &SpecificationsConfig::surface_3d, 3, "Width, height and depth of a 3D surface."},
    {"surface_cubemap", &SpecificationsConfig::surface_cubemap, 1, "Width of a cubemap surface."},
    {"surface_cubemap_layered", &SpecificationsConfig::surface_cubemap_layered, 2,
     "Width and layers of a layered cubemap surface."},
};

void describe_size(ConfigSection& section, SpecificationsConfig& config, const SizeRow& row) {
  std::vector<std::uint32_t>& size = config.*row.value;
  section.integers(row.key, size, 1, kMost, row.sentence);
  if (!size.empty() && size.size() != row.dimensions) {
    section.problem(row.key, "expected " + std::to_string(row.dimensions) + " numbers, or none");
  }
}

void describe_three(ConfigSection& section, const char* key, std::vector<std::uint32_t>& size, const char* sentence) {
  section.integers(key, size, 1, kMost, sentence);
  if (size.size() != 3) {
    section.problem(key, "expected 3 numbers");
  }
}

}  // namespace

const std::vector<FeatureRow>& feature_rows() {
  using F = FeatureSupport;
  static const std::vector<FeatureRow> rows = {
      {"atomics_int32_global", &F::atomics_int32_global, "32-bit integer atomics in global memory",
       "Atomics on 32-bit integers in global memory."},
      {"atomic_exchange_fp32_global", &F::atomic_exchange_fp32_global,
       "32-bit floating-point atomicExch() in global memory",
       "atomicExch() of 32-bit floating-point values in global memory."},
      {"atomics_int32_shared", &F::atomics_int32_shared, "32-bit integer atomics in shared memory",
       "Atomics on 32-bit integers in shared memory."},
      {"atomic_exchange_fp32_shared", &F::atomic_exchange_fp32_shared,
       "32-bit floating-point atomicExch() in shared memory",
       "atomicExch() of 32-bit floating-point values in shared memory."},
      {"atomics_int64_global", &F::atomics_int64_global, "64-bit integer atomics in global memory",
       "Atomics on 64-bit integers in global memory."},
      {"atomics_int64_shared", &F::atomics_int64_shared, "64-bit integer atomics in shared memory",
       "Atomics on 64-bit integers in shared memory."},
      {"atomics_int64_extremes_and_bits", &F::atomics_int64_extremes_and_bits, "64-bit atomicMin(), Max, And, Or, Xor",
       "atomicMin(), Max, And, Or and Xor of 64 bits."},
      {"atomic_add_fp32", &F::atomic_add_fp32, "32-bit floating-point atomicAdd(), global and shared",
       "atomicAdd() of 32-bit floating-point values in global and shared memory."},
      {"atomic_add_fp64", &F::atomic_add_fp64, "64-bit floating-point atomicAdd(), global and shared",
       "atomicAdd() of 64-bit floating-point values in global and shared memory."},
      {"atomic_add_half2", &F::atomic_add_half2, "atomicAdd() of half2", "atomicAdd() of pairs of half precision."},
      {"atomic_add_half", &F::atomic_add_half, "atomicAdd() of half", "atomicAdd() of half precision."},
      {"atomic_add_bfloat16", &F::atomic_add_bfloat16, "atomicAdd() of bfloat16",
       "atomicAdd() of bfloat16 values and pairs."},
      {"atomics_int128", &F::atomics_int128, "128-bit integer atomics", "Exchange and compare-and-swap of 128 bits."},
      {"scoped_atomics", &F::scoped_atomics, "atomics of block and system scope",
       "Atomics with the scope of a block or of the system."},
      {"warp_vote", &F::warp_vote, "warp votes __all(), __any()", "Warp votes __all() and __any()."},
      {"warp_ballot", &F::warp_ballot, "warp vote __ballot()", "Warp vote __ballot()."},
      {"warp_shuffle", &F::warp_shuffle, "warp shuffles", "Exchange of registers between the lanes of a warp."},
      {"warp_match", &F::warp_match, "warp match", "Finding lanes with equal values."},
      {"warp_reduce", &F::warp_reduce, "warp reductions",
       "Sum, extremes and bits over the lanes of a warp in one instruction."},
      {"fence_system", &F::fence_system, "__threadfence_system()", "Memory fence of system scope."},
      {"barrier_reductions", &F::barrier_reductions, "__syncthreads_count(), _and(), _or()",
       "Barriers that count or combine a predicate."},
      {"surfaces", &F::surfaces, "surface functions", "Surface functions."},
      {"grid_3d", &F::grid_3d, "3D grid of blocks", "Grids of three dimensions."},
      {"unified_memory", &F::unified_memory, "unified memory", "Managed memory."},
      {"unified_memory_page_faults", &F::unified_memory_page_faults, "unified memory with page faults",
       "Managed memory that moves on page faults and may exceed the device."},
      {"funnel_shift", &F::funnel_shift, "funnel shift", "Funnel shift."},
      {"dynamic_parallelism", &F::dynamic_parallelism, "dynamic parallelism", "Kernels that launch kernels."},
      {"double_precision", &F::double_precision, "double-precision floating-point numbers",
       "Arithmetic in double precision."},
      {"half_precision", &F::half_precision, "half-precision floating-point arithmetic",
       "Arithmetic in half precision."},
      {"bfloat16", &F::bfloat16, "bfloat16 floating-point arithmetic", "Arithmetic in bfloat16."},
      {"tensor_cores", &F::tensor_cores, "tensor cores", "Matrix operations of a warp."},
      {"read_only_cache", &F::read_only_cache, "__ldg() and read-only data cache",
       "Loads of global memory through the read-only data cache."},
      {"texture_objects", &F::texture_objects, "texture objects", "Texture objects."},
      {"layered_textures", &F::layered_textures, "layered and cubemap textures, gather",
       "Layered and cubemap textures and texture gather."},
      {"device_runtime", &F::device_runtime, "printf(), assert(), malloc() in kernels",
       "printf(), assert() and malloc() in kernels."},
      {"recursion", &F::recursion, "recursion and function pointers",
       "Recursion and function pointers in device code."},
      {"concurrent_kernels", &F::concurrent_kernels, "concurrent kernels", "Several kernels at the same time."},
      {"copy_overlap", &F::copy_overlap, "copies while kernels run",
       "Copies between host and device while kernels run."},
      {"copy_overlap_both_ways", &F::copy_overlap_both_ways, "copies in both directions at the same time",
       "Copies to and from the device at the same time."},
      {"mapped_host_memory", &F::mapped_host_memory, "mapped host memory",
       "Host memory in the device's address space."},
      {"nanosleep", &F::nanosleep, "__nanosleep()", "Threads that sleep."},
      {"independent_thread_scheduling", &F::independent_thread_scheduling, "independent thread scheduling",
       "A program counter for each thread."},
      {"async_copy", &F::async_copy, "asynchronous copies to shared memory",
       "Copies from global to shared memory that bypass registers."},
      {"split_barriers", &F::split_barriers, "barriers with separate arrive and wait",
       "Barriers in shared memory with separate arrive and wait, in hardware."},
      {"l2_residency", &F::l2_residency, "L2 residency control", "Hints to keep lines in L2."},
      {"clusters", &F::clusters, "thread block clusters", "Blocks that are scheduled together."},
      {"distributed_shared_memory", &F::distributed_shared_memory, "distributed shared memory",
       "Access to the shared memory of a cluster's other blocks."},
      {"tensor_memory_accelerator", &F::tensor_memory_accelerator, "tensor memory accelerator",
       "Asynchronous copies of tensors by descriptor."},
      {"dpx", &F::dpx, "dynamic programming instructions", "Instructions that fuse addition with minimum or maximum."},
  };
  return rows;
}

void describe(ConfigSection& section, FeatureSupport& config) {
  for (const FeatureRow& row : feature_rows()) {
    section.choice(row.key, config.*row.value, {{"no", Support::kNo}, {"some", Support::kSome}, {"yes", Support::kYes}},
                   row.sentence);
  }
}

void describe(ConfigSection& section, SpecificationsConfig& config) {
  section.integer("resident_grids", config.resident_grids, 1, 1024, "Grids that the device can run at the same time.");
  section.integer("hardware_queues", config.hardware_queues, 1, 128,
                  "Queues of the device that streams share: launches of one queue start in their order.");
  section.integer("stream_priorities", config.stream_priorities, 1, 64,
                  "Priorities that streams can have: 0 and the negative numbers from -1 on, which go first.");
  section.integer("copy_engines", config.copy_engines, 0, 16,
                  "Engines that copy between host and device beside kernels: 1 serves both directions.");
  section.integer("grid_dimensions", config.grid_dimensions, 1, 3, "Dimensions of a grid.");
  describe_three(section, "grid_size", config.grid_size, "Maximum blocks of a grid along x, y and z.");
  section.integer("block_dimensions", config.block_dimensions, 1, 3, "Dimensions of a block.");
  describe_three(section, "block_size", config.block_size, "Maximum threads of a block along x, y and z.");
  section.integer("local_kib_per_thread", config.local_kib_per_thread, 0, 65536, "Maximum local memory of a thread.");
  section.integer("constant_kib", config.constant_kib, 1, 65536, "Constant memory.");
  section.integer("constant_cache_kib", config.constant_cache_kib, 0, 1024, "Constant memory that an SM caches.");
  section.integers("texture_cache_kib", config.texture_cache_kib, 0, 1024,
                   "Texture memory that an SM caches: one size, or minimum and maximum over the devices.");
  if (config.texture_cache_kib.empty() || config.texture_cache_kib.size() > 2 ||
      !std::is_sorted(config.texture_cache_kib.begin(), config.texture_cache_kib.end())) {
    section.problem("texture_cache_kib", "expected one size, or two that ascend");
  }
  for (const SizeRow& row : kTexturesAndSurfaces) {
    describe_size(section, config, row);
  }
  section.integer("textures_per_kernel", config.textures_per_kernel, 0, 1024, "Textures that a kernel can have.");
  section.integer("surfaces_per_kernel", config.surfaces_per_kernel, 0, 1024, "Surfaces that a kernel can have.");
  section.integer("instructions_per_kernel", config.instructions_per_kernel, 1, kMost,
                  "Instructions that a kernel can have.");
  section.nested("features", config.features, "features of a capability: no, yes, or some of its GPUs");
}

}  // namespace warpsim
