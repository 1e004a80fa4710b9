#include "cuda/device/device_properties.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "cuda/device/error_codes.h"
#include "cuda/device/precision_ratio.h"

namespace warpsim::cuda {

namespace {

constexpr int kAlignment = 512;
constexpr int kMostPitch = std::numeric_limits<int>::max();
constexpr int kKhzPerMhz = 1000;
constexpr int kKib = 1024;

// Attributes that properties repeat.
constexpr int kClockRate = 13;
constexpr int kMemoryClockRate = 36;
constexpr int kCopyOverlap = 15;
constexpr int kPrecisionRatio = 87;

using Sizes = std::vector<std::uint32_t>;
// 0 if the GPU has none.
int size_at(const Sizes& sizes, std::size_t index) {
  return index < sizes.size() ? static_cast<int>(sizes[index]) : 0;
}

int sm_count(const GpuConfig& gpu) {
  std::uint32_t tpcs = gpu.topology.singleton_tpcs;
  for (const std::uint32_t count : gpu.topology.gpc_tpcs) {
    tpcs += count;
  }
  return static_cast<int>(tpcs * gpu.topology.sms_per_tpc);
}

int l2_bytes(const GpuConfig& gpu) {
  const AddressMapConfig& map = gpu.memory.address_map;
  return static_cast<int>(map.num_partitions * map.slices_per_partition * gpu.memory.l2.num_sets *
                          gpu.memory.l2.num_ways * gpu.memory.l2.line_bytes);
}

// A channel moves data at both edges of the clock.
int bus_bits(const GpuConfig& gpu) {
  constexpr std::uint32_t kEdges = 2;
  constexpr std::uint32_t kBits = 8;
  const DramConfig& dram = gpu.memory.dram;
  return static_cast<int>(gpu.memory.address_map.num_channels * dram.burst_bytes * kBits /
                          (dram.burst_cycles * kEdges));
}

int yes(Support support) {
  return support == Support::kNo ? 0 : 1;
}

int major_of(const GpuConfig& gpu) {
  return static_cast<int>(architecture_of(gpu.compute_capability)) / 10;
}
int minor_of(const GpuConfig& gpu) {
  return static_cast<int>(architecture_of(gpu.compute_capability)) % 10;
}

struct AttributeRow {
  int number;
  int (*value)(const GpuConfig& gpu);
};

template <int value>
int always(const GpuConfig& /*gpu*/) {
  return value;
}

using G = const GpuConfig&;
constexpr AttributeRow kLimits[] = {
    {1, [](G g) { return static_cast<int>(g.occupancy.threads_per_block); }},
    {2, [](G g) { return size_at(g.specifications.block_size, 0); }},
    {3, [](G g) { return size_at(g.specifications.block_size, 1); }},
    {4, [](G g) { return size_at(g.specifications.block_size, 2); }},
    {5, [](G g) { return size_at(g.specifications.grid_size, 0); }},
    {6, [](G g) { return size_at(g.specifications.grid_size, 1); }},
    {7, [](G g) { return std::max(size_at(g.specifications.grid_size, 2), 1); }},
    {8, [](G g) { return static_cast<int>(g.occupancy.shared_bytes_per_block_default); }},
    {9, [](G g) { return static_cast<int>(g.specifications.constant_kib) * kKib; }},
    {10, always<static_cast<int>(kWarpSize)>},
    {11, always<kMostPitch>},
    {12, [](G g) { return static_cast<int>(g.occupancy.registers_per_block); }},
    {13, [](G g) { return static_cast<int>(g.clocks.core_mhz * kKhzPerMhz); }},
    {14, always<kAlignment>},
    {16, sm_count},
    {30, always<kAlignment>},
    {31, [](G g) { return yes(g.specifications.features.concurrent_kernels); }},
    {36, [](G g) { return static_cast<int>(g.clocks.dram_mhz * kKhzPerMhz); }},
    {37, bus_bits},
    {38, l2_bytes},
    {39, [](G g) { return static_cast<int>(g.occupancy.warps_per_sm * kWarpSize); }},
    {51, always<static_cast<int>(kWarpSize)>},
    {75, major_of},
    {76, minor_of},
    {81,
     [](G g) {
       const auto& kib = g.occupancy.carveout_kib;
       return (kib.empty() ? 0 : static_cast<int>(kib.back())) * kKib;
     }},
    {82, [](G g) { return static_cast<int>(g.occupancy.registers_per_sm); }},
    {97, [](G g) { return static_cast<int>(g.occupancy.shared_bytes_per_block); }},
    {106, [](G g) { return static_cast<int>(g.occupancy.blocks_per_sm); }},
    {111, [](G g) { return static_cast<int>(g.occupancy.shared_reserved_per_block_bytes); }},
};

// The driver has virtual memory management for all GPUs that it supports, and memory pools from Pascal on: GPUs of the
// Maxwell generation report none. That mappings begin with Kepler is assumed: drivers with them support no older GPU.
int announces_mappings(const GpuConfig& gpu) {
  return major_of(gpu) >= 3 ? 1 : 0;
}
int has_memory_pools(const GpuConfig& gpu) {
  return major_of(gpu) >= 6 ? 1 : 0;
}

// The capabilities of the simulated device, and attributes that are equal for all.
constexpr AttributeRow kAbilities[] = {
    {kCopyOverlap, [](G g) { return g.specifications.copy_engines == 0 ? 0 : 1; }},  // copies beside kernels
    {17, always<0>},                                                                 // no time limit
    {18, always<0>},                                                                 // not integrated
    {19, always<1>},                                                                 // maps memory of the host
    {20, always<0>},                                                                 // compute mode: default
    {32, always<0>},                                                                 // ECC
    {34, always<0>},                                                                 // PCI device, domain
    {35, always<0>},
    {40, [](G g) { return static_cast<int>(g.specifications.copy_engines); }},
    {41, [](G g) { return major_of(g) >= 2 ? 1 : 0; }},  // one address space
    {44, [](G g) { return major_of(g) >= 2 ? 1 : 0; }},  // gathers from 2D textures
    {50, always<0>},
    {78, [](G g) { return g.specifications.stream_priorities > 1 ? 1 : 0; }},  // streams have priorities
    {79, always<1>},                                                           // L1 caches global loads
    {80, always<1>},
    {83, always<1>},  // managed memory
    {84, always<0>},
    {85, always<0>},
    {86, always<0>},
    {kPrecisionRatio, precision_ratio},
    {88, always<0>},                                                 // pageable memory is not accessible
    {89, [](G g) { return g.managed_memory.page_faults ? 1 : 0; }},  // managed memory is for host and device at a time
    {90, [](G g) { return major_of(g) >= 6 ? 1 : 0; }},              // computing can be preempted
    {91, always<1>},                                                 // registered memory has one address
    {92, always<0>},  // the first interface of memory operations, which is out of use
    {93, always<0>},
    {94, always<0>},
    {95, [](G g) { return major_of(g) >= 6 ? 1 : 0; }},  // cooperative launches
    {96, always<0>},
    {98, always<0>},
    {99, always<1>},
    {100, always<0>},
    {101, always<0>},
    {102, announces_mappings},
    {103, announces_mappings},
    {104, always<0>},
    {105, always<0>},
    {107, always<0>},
    {108, [](G g) { return static_cast<int>(l2_part(g, g.memory.l2.persistence.max_sixteenths)); }},
    {kMaxAccessWindow,
     [](G g) {
       return static_cast<int>(
           std::min<std::uint64_t>(std::uint64_t{g.memory.l2.persistence.max_window_mib} << 20U, INT32_MAX));
     }},
    {110, always<0>},
    {112, always<0>},
    {113, always<1>},
    {114, always<0>},
    {115, has_memory_pools},
    {116, always<0>},
    {117, always<0>},
    {118, always<0>},
    {119, has_memory_pools},  // shared by descriptors of files alone: 1
    {120, [](G g) { return yes(g.specifications.features.clusters); }},
    {121, always<0>},
    {122, always<1>},
    {123, always<1>},
    {124, always<0>},
    {125, [](G g) { return major_of(g) >= 2 ? 1 : 0; }},                 // memory and events of several processes
    {126, [](G g) { return major_of(g) >= 9 ? 4 : 1; }},                 // domains of memory synchronisation
    {127, [](G g) { return yes(g.specifications.features.clusters); }},  // tensor maps, of the same GPUs
    {128, always<0>},
    {129, always<0>},
    {130, always<0>},
    {131, always<-1>},
    {132, always<0>},
    {133, always<0>},
    {134, always<0>},
    {135, always<0>},
    {136, always<0>},
    {137, always<0>},
    {138, always<0>},
    {139, always<0>},
    {140, always<0>},
    {141, announces_mappings},
    {142, has_memory_pools},
    {143, always<0>},
    {144, has_memory_pools},
    {145, announces_mappings},
    {146, always<0>},
    {147, always<0>},
};

// A size of textures or surfaces.
struct SizeRow {
  int number;
  Sizes SpecificationsConfig::*sizes;
  std::size_t index;
};
using S = SpecificationsConfig;
constexpr SizeRow kSizes[] = {
    {21, &S::texture_1d, 0},
    {22, &S::texture_2d, 0},
    {23, &S::texture_2d, 1},
    {24, &S::texture_3d, 0},
    {25, &S::texture_3d, 1},
    {26, &S::texture_3d, 2},
    {27, &S::texture_2d_layered, 0},
    {28, &S::texture_2d_layered, 1},
    {29, &S::texture_2d_layered, 2},
    {42, &S::texture_1d_layered, 0},
    {43, &S::texture_1d_layered, 1},
    {45, &S::texture_2d_gather, 0},
    {46, &S::texture_2d_gather, 1},
    {47, &S::texture_3d, 0},
    {48, &S::texture_3d, 1},
    {49, &S::texture_3d, 2},
    {52, &S::texture_cubemap, 0},
    {53, &S::texture_cubemap_layered, 0},
    {54, &S::texture_cubemap_layered, 1},
    {55, &S::surface_1d, 0},
    {56, &S::surface_2d, 0},
    {57, &S::surface_2d, 1},
    {58, &S::surface_3d, 0},
    {59, &S::surface_3d, 1},
    {60, &S::surface_3d, 2},
    {61, &S::surface_1d_layered, 0},
    {62, &S::surface_1d_layered, 1},
    {63, &S::surface_2d_layered, 0},
    {64, &S::surface_2d_layered, 1},
    {65, &S::surface_2d_layered, 2},
    {66, &S::surface_cubemap, 0},
    {67, &S::surface_cubemap_layered, 0},
    {68, &S::surface_cubemap_layered, 1},
    {69, &S::texture_1d_linear, 0},
    {70, &S::texture_2d_linear, 0},
    {71, &S::texture_2d_linear, 1},
    {72, &S::texture_2d_linear, 0},
    {73, &S::texture_2d, 0},
    {74, &S::texture_2d, 1},
    {77, &S::texture_1d, 0},
};

template <std::size_t count>
void fill_sizes(int (&target)[count], const GpuConfig& gpu, std::initializer_list<int> numbers) {
  std::size_t at = 0;
  for (const int number : numbers) {
    for (const SizeRow& row : kSizes) {
      if (row.number == number && at < count) {
        target[at++] = size_at(gpu.specifications.*row.sizes, row.index);
        break;
      }
    }
  }
}

constexpr int kPciBus = 33;

// The common part of the layouts.
template <class Properties>
void fill_common(Properties& p, Device& device) {
  const GpuConfig& gpu = device.config();
  const auto get = [&](int number) { return device_attribute(device, number); };
  const auto bytes = [&](int number) { return static_cast<std::size_t>(device_attribute(device, number)); };
  gpu.name.copy(p.name, sizeof p.name - 1);
  gpu.name.copy(p.uuid.bytes, sizeof p.uuid.bytes);
  p.uuid.bytes[sizeof p.uuid.bytes - 1] = static_cast<char>(device.number());
  p.pci[0] = get(kPciBus);
  p.global_bytes = global_memory_bytes(device);
  p.shared_per_block = bytes(8);
  p.registers_per_block = get(12);
  p.warp_size = get(10);
  p.most_pitch = bytes(11);
  p.threads_per_block = get(1);
  for (int i = 0; i < 3; ++i) {
    p.block_size[i] = get(2 + i);
    p.grid_size[i] = get(5 + i);
  }
  p.constant_bytes = bytes(9);
  p.major = get(75);
  p.minor = get(76);
  p.texture_alignment = bytes(14);
  p.texture_pitch_alignment = bytes(51);
  p.sms = get(16);
  p.maps_host_memory = get(19);
  fill_sizes(p.surfaces, gpu, {55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68});
  p.surface_alignment = bytes(30);
  p.concurrent_kernels = get(31);
  p.copy_engines = get(40);
  p.unified_addressing = get(41);
  p.memory_bus_width = get(37);
  p.l2_bytes = get(38);
  p.persisting_l2_bytes = get(108);
  p.access_window_bytes = get(kMaxAccessWindow);
  p.threads_per_sm = get(39);
  p.stream_priorities = get(78);
  p.global_l1 = get(79);
  p.local_l1 = get(80);
  p.shared_per_sm = bytes(81);
  p.registers_per_sm = get(82);
  p.managed_memory = get(83);
  p.concurrent_managed_access = get(89);
  p.host_pointer_of_registered = get(91);
  p.cooperative_launch = get(95);
  p.shared_per_block_optin = bytes(97);
  p.blocks_per_sm = get(106);
  p.shared_reserved = bytes(111);
  p.host_register = get(99);
  p.host_register_read_only = get(113);
  p.memory_pools = get(115);
  p.pool_handle_types = static_cast<unsigned>(get(119));
  p.cluster_launch = get(120);
  p.ipc_events = get(125);
}

}  // namespace

std::size_t l2_part(const GpuConfig& gpu, std::uint32_t sixteenths) {
  return static_cast<std::size_t>(l2_bytes(gpu)) / 16 * sixteenths;
}

int device_attribute(const Device& device, int number) {
  const GpuConfig& gpu = device.config();
  if (number == kPciBus) {
    return static_cast<int>(device.number());
  }
  for (const AttributeRow& row : kLimits) {
    if (row.number == number) {
      return row.value(gpu);
    }
  }
  for (const AttributeRow& row : kAbilities) {
    if (row.number == number) {
      return row.value(gpu);
    }
  }
  for (const SizeRow& row : kSizes) {
    if (row.number == number) {
      return size_at(gpu.specifications.*row.sizes, row.index);
    }
  }
  throw CallError(kInvalidValue);
}

int first_priority(const GpuConfig& gpu) {
  return 1 - static_cast<int>(gpu.specifications.stream_priorities);
}

std::size_t global_memory_bytes(Device& device) {
  return device.memory().capacity();
}

abi::DeviceProperties13 properties_13(Device& device) {
  abi::DeviceProperties13 p;
  std::memset(&p, 0, sizeof p);
  fill_common(p, device);
  fill_sizes(p.textures, device.config(),
             {21, 77, 22, 23, 73, 74, 70, 71, 72, 45, 46, 24, 25, 26, 47, 48, 49, 52, 42, 43, 27, 28, 29, 53, 54});
  p.numa_id = -1;
  p.host_numa_id = -1;
  return p;
}

abi::DeviceProperties12 properties_12(Device& device) {
  abi::DeviceProperties12 p;
  std::memset(&p, 0, sizeof p);
  fill_common(p, device);
  fill_sizes(p.textures, device.config(),
             {21, 77, 69, 22, 23, 73, 74, 70, 71, 72, 45, 46, 24, 25, 26, 47, 48, 49, 52, 42, 43, 27, 28, 29, 53, 54});
  p.overlap = device_attribute(device, kCopyOverlap);
  p.single_to_double = device_attribute(device, kPrecisionRatio);
  p.clock_khz = device_attribute(device, kClockRate);
  p.memory_clock_khz = device_attribute(device, kMemoryClockRate);
  return p;
}

}  // namespace warpsim::cuda
