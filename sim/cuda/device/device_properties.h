// The structure that cudaGetDeviceProperties fills, in the layouts of the toolkits.
#pragma once

#include <cstddef>

#include "cuda/abi/abi.h"
#include "cuda/device/device.h"

namespace warpsim::cuda {

namespace abi {

// Toolkit 13.
struct DeviceProperties13 {
  char name[256];
  Uuid uuid;
  char luid[8];
  unsigned luid_mask;
  std::size_t global_bytes;
  std::size_t shared_per_block;
  int registers_per_block;
  int warp_size;
  std::size_t most_pitch;
  int threads_per_block;
  int block_size[3];
  int grid_size[3];
  std::size_t constant_bytes;
  int major;
  int minor;
  std::size_t texture_alignment;
  std::size_t texture_pitch_alignment;
  int sms;
  int integrated;
  int maps_host_memory;
  int textures[25];  // sizes, in the order of texture_sizes()
  int surfaces[14];
  std::size_t surface_alignment;
  int concurrent_kernels;
  int ecc;
  int pci[3];
  int tcc_driver;
  int copy_engines;
  int unified_addressing;
  int memory_bus_width;
  int l2_bytes;
  int persisting_l2_bytes;
  int threads_per_sm;
  int stream_priorities;
  int global_l1;
  int local_l1;
  std::size_t shared_per_sm;
  int registers_per_sm;
  int managed_memory;
  int multi_gpu_board;
  int multi_gpu_board_group;
  int host_native_atomics;
  int pageable_access;
  int concurrent_managed_access;
  int compute_preemption;
  int host_pointer_of_registered;
  int cooperative_launch;
  std::size_t shared_per_block_optin;
  int pageable_uses_host_tables;
  int direct_managed_access;
  int blocks_per_sm;
  int access_window_bytes;
  std::size_t shared_reserved;
  int host_register;
  int sparse_arrays;
  int host_register_read_only;
  int timeline_semaphores;
  int memory_pools;
  int rdma;
  unsigned rdma_flush;
  int rdma_ordering;
  unsigned pool_handle_types;
  int deferred_mapping;
  int ipc_events;
  int cluster_launch;
  int unified_function_pointers;
  int numa_config;
  int numa_id;
  int mps;
  int host_numa_id;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  int host_numa_ipc;
  int reserved[56];
};
// Toolkit 12; that of 11 ends before `host_register`.
struct DeviceProperties12 {
  char name[256];
  Uuid uuid;
  char luid[8];
  unsigned luid_mask;
  std::size_t global_bytes;
  std::size_t shared_per_block;
  int registers_per_block;
  int warp_size;
  std::size_t most_pitch;
  int threads_per_block;
  int block_size[3];
  int grid_size[3];
  int clock_khz;
  std::size_t constant_bytes;
  int major;
  int minor;
  std::size_t texture_alignment;
  std::size_t texture_pitch_alignment;
  int overlap;
  int sms;
  int execution_timeout;
  int integrated;
  int maps_host_memory;
  int compute_mode;
  int textures[26];  // with the width of linear ones as the third
  int surfaces[14];
  std::size_t surface_alignment;
  int concurrent_kernels;
  int ecc;
  int pci[3];
  int tcc_driver;
  int copy_engines;
  int unified_addressing;
  int memory_clock_khz;
  int memory_bus_width;
  int l2_bytes;
  int persisting_l2_bytes;
  int threads_per_sm;
  int stream_priorities;
  int global_l1;
  int local_l1;
  std::size_t shared_per_sm;
  int registers_per_sm;
  int managed_memory;
  int multi_gpu_board;
  int multi_gpu_board_group;
  int host_native_atomics;
  int single_to_double;
  int pageable_access;
  int concurrent_managed_access;
  int compute_preemption;
  int host_pointer_of_registered;
  int cooperative_launch;
  int cooperative_multi_device;
  std::size_t shared_per_block_optin;
  int pageable_uses_host_tables;
  int direct_managed_access;
  int blocks_per_sm;
  int access_window_bytes;
  std::size_t shared_reserved;
  int host_register;
  int sparse_arrays;
  int host_register_read_only;
  int timeline_semaphores;
  int memory_pools;
  int rdma;
  unsigned rdma_flush;
  int rdma_ordering;
  unsigned pool_handle_types;
  int deferred_mapping;
  int ipc_events;
  int cluster_launch;
  int unified_function_pointers;
  int reserved[63];
};

}  // namespace abi

// Attributes by the number that cudaDeviceGetAttribute and cuDeviceGetAttribute share. Throws CallError for a number
// that does not exist.
int device_attribute(const Device& device, int number);
inline constexpr int kMaxAccessWindow = 109;  // bytes
// Bytes of so many sixteenths of L2.
std::size_t l2_part(const GpuConfig& gpu, std::uint32_t sixteenths);
// The number of the priority that goes first among streams; the others are up to 0.
int first_priority(const GpuConfig& gpu);
std::size_t global_memory_bytes(Device& device);

abi::DeviceProperties13 properties_13(Device& device);
abi::DeviceProperties12 properties_12(Device& device);
inline constexpr std::size_t kProperties11Bytes = offsetof(abi::DeviceProperties12, host_register);

}  // namespace warpsim::cuda
