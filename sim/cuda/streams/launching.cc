#include "cuda/streams/launching.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "core/blocks/occupancy.h"
#include "core/gpu/topology.h"
#include "cuda/device/device_properties.h"
#include "cuda/graphs/capture.h"
#include "cuda/streams/launch_attributes.h"
#include "cuda/streams/launch_events.h"
#include "cuda/streams/stream_attributes.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint32_t kPortableCluster = 8;
constexpr std::uint32_t kLargestCluster = 16;

Dim3 to_dim3(const abi::Dim3& d) {
  return {d.x, d.y, d.z};
}

// The kernel determines the position of each parameter in the buffer, so arguments are given by pointer.
std::vector<std::byte> pack(const KernelInfo& info, void** arguments) {
  std::vector<std::byte> packed(info.parameter_bytes);
  if (info.parameters.empty()) {
    return packed;
  }
  if (arguments == nullptr) {
    throw CallError(kInvalidValue);
  }
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    if (arguments[i] == nullptr) {
      throw CallError(kInvalidValue);
    }
    std::memcpy(packed.data() + info.parameters[i].offset, arguments[i], info.parameters[i].bytes);
  }
  return packed;
}

// A list of keys and values: 1 is the buffer, 2 the pointer to its size, 0 ends it.
std::vector<std::byte> pack_buffers(const KernelInfo& info, void** buffers) {
  constexpr std::uintptr_t kEnd = 0;
  constexpr std::uintptr_t kPointer = 1;
  constexpr std::uintptr_t kSize = 2;
  const void* data = nullptr;
  std::size_t bytes = 0;
  for (void** entry = buffers; reinterpret_cast<std::uintptr_t>(*entry) != kEnd; entry += 2) {
    switch (reinterpret_cast<std::uintptr_t>(*entry)) {
      case kPointer:
        data = entry[1];
        break;
      case kSize:
        bytes = *static_cast<const std::size_t*>(entry[1]);
        break;
      default:
        throw CallError(kInvalidValue);
    }
  }
  std::vector<std::byte> packed(info.parameter_bytes);
  if (!packed.empty()) {
    if (data == nullptr) {
      throw CallError(kInvalidValue);
    }
    std::memcpy(packed.data(), data, std::min(bytes, packed.size()));
  }
  return packed;
}

BlockNeeds needs_of(const KernelInfo& info, std::uint32_t threads, std::size_t dynamic_shared_bytes) {
  BlockNeeds needs;
  needs.threads = threads;
  needs.registers_per_thread = info.registers;
  needs.shared_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(info.static_shared_bytes + dynamic_shared_bytes,
                                                                        std::numeric_limits<std::uint32_t>::max()));
  needs.argument_bytes = info.parameter_bytes;
  return needs;
}

// The driver's errors for a cluster before its launch.
std::uint32_t check_cluster(const GpuConfig& gpu, const Kernel::OnGpu& kernel, const abi::Dim3& cluster,
                            const abi::Dim3& grid) {
  const std::uint64_t blocks = to_dim3(cluster).count();
  if (blocks == 1) {
    return 1;
  }
  if (gpu.specifications.features.clusters == Support::kNo) {
    throw CallError(kNotSupported, "clusters of blocks need compute capability 9.0");
  }
  const std::uint32_t most = kernel.larger_cluster ? kLargestCluster : kPortableCluster;
  if (blocks == 0 || blocks > most) {
    throw CallError(kInvalidClusterSize);
  }
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    throw CallError(kInvalidConfiguration);
  }
  return static_cast<std::uint32_t>(blocks);
}

abi::Dim3 cluster_of(const Kernel::OnGpu& kernel, const LaunchRequest& request) {
  if (request.cluster.x != 0) {
    return request.cluster;
  }
  const Dim3& required = kernel.required_cluster;
  return required.x != 0 ? abi::Dim3{required.x, required.y, required.z} : abi::Dim3{1, 1, 1};
}

}  // namespace

void read_attributes(LaunchRequest& request, std::span<abi::LaunchAttribute> attributes) {
  for (abi::LaunchAttribute& attribute : attributes) {
    if (attribute.id == kAttributeCooperative) {
      request.cooperative = attribute.value.integer != 0;
    } else if (attribute.id == kAttributeProgrammatic) {
      request.programmatic = attribute.value.integer != 0;
    } else if (attribute.id == kAttributeProgrammaticEvent) {
      const auto& event = attribute.value.event;
      const bool at_start = event.trigger_at_block_start != 0;
      request.events.push_back({event.event,
                                at_start ? Dependence::Edge::kProgrammaticBegin : Dependence::Edge::kProgrammatic,
                                event.flags});
    } else if (attribute.id == kAttributeLaunchCompletionEvent) {
      request.events.push_back({attribute.value.event.event, Dependence::Edge::kBegin, attribute.value.event.flags});
    } else if (attribute.id == kAttributeChangeable && attribute.value.changeable.wanted != 0) {
      request.changeable = &attribute;
    } else if (attribute.id == kAttributeWindow) {
      request.window = attribute.value.window;
    } else if (attribute.id == kAttributeCluster) {
      request.cluster = attribute.value.dimensions;
      if (request.cluster.x == 0 || request.cluster.y == 0 || request.cluster.z == 0) {
        throw CallError(kInvalidValue);
      }
    }
  }
}

LaunchOperation launch_operation(Context& context, Kernel& kernel, const LaunchRequest& request) {
  const KernelInfo& info = context.info(kernel);
  if (to_dim3(request.grid).count() == 0 || to_dim3(request.block).count() == 0) {
    throw CallError(kInvalidConfiguration);
  }
  const Kernel::OnGpu& loaded = context.loaded(kernel);
  if (request.dynamic_shared_bytes > loaded.dynamic_shared_limit) {
    throw CallError(kInvalidValue);
  }
  LaunchOperation operation;
  operation.kernel = &kernel;
  Launch& launch = operation.launch;
  launch.grid = to_dim3(request.grid);
  launch.block = to_dim3(request.block);
  const abi::Dim3 cluster = cluster_of(loaded, request);
  check_cluster(context.device().config(), loaded, cluster, request.grid);
  launch.cluster = to_dim3(cluster);
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(request.dynamic_shared_bytes);
  launch.cooperative = request.cooperative;
  launch.programmatic = request.programmatic;
  if (request.window) {
    launch.window = access_window(context.device(), *request.window);
  }
  operation.parameters =
      request.buffers != nullptr ? pack_buffers(info, request.buffers) : pack(info, request.arguments);
  return operation;
}

void launch(Context& context, Kernel& kernel, const LaunchRequest& request) {
  const Stream& stream = context.stream(request.stream);
  check_launch_events(context, request.events);
  if (request.changeable != nullptr && find_capture(context, request.stream) == nullptr) {
    throw CallError(kNotSupported, "a kernel that others may change is launched outside of a graph");
  }
  LaunchOperation operation = launch_operation(context, kernel, request);
  if (!request.window) {
    operation.launch.window = stream.window;
  }
  operation.launch.place.reports_begin = needs_begin(request.events);
  try {
    const WorkHandle work = put(context, request.stream, operation);
    record_launch_events(context, request.stream, request.events, work);
    if (request.changeable != nullptr) {
      request.changeable->value.changeable.node = make_last_changeable(context, request.stream);
    }
  } catch (const CallError& error) {
    if (!is_sticky(error.code())) {
      throw;
    }
    context.flush_printed();
    context.say_once(error.what());
  }
}

abi::FunctionAttributes function_attributes(Context& context, Kernel& kernel) {
  const KernelInfo& info = context.info(kernel);
  const Kernel::OnGpu& loaded = context.loaded(kernel);
  abi::FunctionAttributes a = {};
  a.shared_bytes = info.static_shared_bytes;
  a.constant_bytes = info.constant_bytes;
  a.local_bytes = info.local_bytes;
  a.most_threads = static_cast<int>(info.most_threads_per_block);
  a.registers = static_cast<int>(info.registers);
  a.ptx_version = static_cast<int>(info.target);
  a.binary_version = static_cast<int>(context.capability());
  a.most_dynamic_shared_bytes = static_cast<int>(loaded.dynamic_shared_limit);
  a.carveout = loaded.carveout;
  a.cluster_must_be_set = info.required_cluster.x != 0 ? 1 : 0;
  a.cluster_width = static_cast<int>(loaded.required_cluster.x);
  a.cluster_height = static_cast<int>(loaded.required_cluster.y);
  a.cluster_depth = static_cast<int>(loaded.required_cluster.z);
  a.larger_cluster_allowed = loaded.larger_cluster ? 1 : 0;
  return a;
}

int function_attribute(Context& context, Kernel& kernel, int number) {
  const abi::FunctionAttributes a = function_attributes(context, kernel);
  const int values[] = {a.most_threads,
                        static_cast<int>(a.shared_bytes),
                        static_cast<int>(a.constant_bytes),
                        static_cast<int>(a.local_bytes),
                        a.registers,
                        a.ptx_version,
                        a.binary_version,
                        a.cache_mode,
                        a.most_dynamic_shared_bytes,
                        a.carveout,
                        a.cluster_must_be_set,
                        a.cluster_width,
                        a.cluster_height,
                        a.cluster_depth,
                        a.larger_cluster_allowed,
                        a.cluster_policy};
  if (number < 0 || static_cast<std::size_t>(number) >= std::size(values)) {
    throw CallError(kInvalidValue);
  }
  return values[number];
}

void list_kernels(Context& context, Module& module, KernelHandle* kernels, unsigned room) {
  if (kernels == nullptr || room == 0) {
    throw CallError(kInvalidValue);
  }
  const std::vector<Kernel*> all = context.kernels(module);
  std::copy_n(all.begin(), std::min<std::size_t>(all.size(), room), kernels);
}

void give_parameter(Context& context, Kernel& kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  const KernelInfo& info = context.info(kernel);
  if (index >= info.parameters.size()) {
    throw CallError(kInvalidValue);
  }
  *offset = info.parameters[index].offset;
  if (bytes != nullptr) {
    *bytes = info.parameters[index].bytes;
  }
}

void set_function_attribute(Context& context, Kernel& kernel, int number, int value) {
  const KernelInfo& info = context.info(kernel);
  Kernel::OnGpu& loaded = context.loaded(kernel);
  const std::uint32_t most = context.device().config().occupancy.shared_bytes_per_block;
  constexpr int kMostCarveout = 100;
  switch (number) {
    case kFunctionDynamicShared:
      if (value < 0 || info.static_shared_bytes > most ||
          static_cast<std::uint32_t>(value) > most - info.static_shared_bytes) {
        throw CallError(kInvalidValue);
      }
      loaded.dynamic_shared_limit = static_cast<std::uint32_t>(value);
      return;
    case kFunctionCarveout:
      if (value < -1 || value > kMostCarveout) {
        throw CallError(kInvalidValue);
      }
      loaded.carveout = value;
      return;
    case kFunctionClusterWidth:
      loaded.required_cluster.x = static_cast<std::uint32_t>(value);
      loaded.required_cluster.y = std::max(loaded.required_cluster.y, 1U);
      loaded.required_cluster.z = std::max(loaded.required_cluster.z, 1U);
      return;
    case kFunctionClusterHeight:
      loaded.required_cluster.y = static_cast<std::uint32_t>(value);
      return;
    case kFunctionClusterDepth:
      loaded.required_cluster.z = static_cast<std::uint32_t>(value);
      return;
    case kFunctionLargerCluster:
      loaded.larger_cluster = value != 0;
      return;
    case kFunctionClusterPolicy:
      return;  // a hint
    default:
      throw CallError(kInvalidValue);
  }
}

int active_blocks(Context& context, Kernel& kernel, int block_threads, std::size_t dynamic_shared_bytes) {
  const KernelInfo& info = context.info(kernel);
  if (block_threads <= 0) {
    throw CallError(kInvalidValue);
  }
  const OccupancyConfig& limits = context.device().config().occupancy;
  const BlockNeeds needs = needs_of(info, static_cast<std::uint32_t>(block_threads), dynamic_shared_bytes);
  return static_cast<int>(compute_occupancy(limits, needs).blocks_per_sm);
}

std::size_t available_shared(Context& context, Kernel& kernel, int blocks, int block_threads) {
  const KernelInfo& info = context.info(kernel);
  if (blocks <= 0 || block_threads <= 0) {
    throw CallError(kInvalidValue);
  }
  // Occupancy falls with shared memory: the last size with enough blocks, by halving.
  std::size_t fits = 0;
  std::size_t too_much = context.device().config().occupancy.shared_bytes_per_block + 1;
  if (info.static_shared_bytes >= too_much || active_blocks(context, kernel, block_threads, 0) < blocks) {
    throw CallError(kInvalidValue);
  }
  too_much -= info.static_shared_bytes;
  while (too_much - fits > 1) {
    const std::size_t middle = (fits + too_much) / 2;
    (active_blocks(context, kernel, block_threads, middle) >= blocks ? fits : too_much) = middle;
  }
  return fits;
}

int active_clusters(Context& context, Kernel& kernel, const LaunchRequest& request) {
  const GpuConfig& gpu = context.device().config();
  const Kernel::OnGpu& loaded = context.loaded(kernel);
  const abi::Dim3 cluster = cluster_of(loaded, request);
  context.info(kernel);
  // Larger clusters than can be launched are counted as well where they are not portable: an H100 gives 2 for clusters
  // of 17 and 18 blocks, since two of its GPCs have 18 SMs, and 0 for larger ones.
  const std::uint64_t asked = to_dim3(cluster).count();
  const int blocks = static_cast<int>(
      loaded.larger_cluster && asked > kLargestCluster ? asked : check_cluster(gpu, loaded, cluster, request.grid));
  const int resident =
      active_blocks(context, kernel, static_cast<int>(to_dim3(request.block).count()), request.dynamic_shared_bytes);
  // A cluster runs within one GPC.
  int clusters = 0;
  for (const std::uint32_t tpcs : gpu.topology.gpc_tpcs) {
    clusters += static_cast<int>(tpcs * gpu.topology.sms_per_tpc) * resident / blocks;
  }
  return clusters;
}

int largest_cluster(Context& context, Kernel& kernel, const LaunchRequest& request) {
  LaunchRequest attempt = request;
  const std::uint32_t most = context.loaded(kernel).larger_cluster ? kLargestCluster : kPortableCluster;
  for (std::uint32_t blocks = most; blocks > 1; blocks /= 2) {
    attempt.cluster = {blocks, 1, 1};
    attempt.grid = {blocks, 1, 1};
    if (active_clusters(context, kernel, attempt) > 0) {
      return static_cast<int>(blocks);
    }
  }
  return 1;
}

BlockSuggestion suggest_block(Context& context, Kernel& kernel, SharedOfBlock shared_of_block,
                              std::size_t dynamic_shared_bytes, int most_threads) {
  const KernelInfo& info = context.info(kernel);
  const OccupancyConfig& limits = context.device().config().occupancy;
  int most = static_cast<int>(std::min(info.most_threads_per_block, limits.threads_per_block));
  if (most_threads > 0) {
    most = std::min(most, most_threads);
  }
  constexpr int kWarp = static_cast<int>(kWarpSize);
  BlockSuggestion best;
  int best_threads = 0;
  for (int threads = most; threads > 0; threads = (threads - 1) / kWarp * kWarp) {
    const std::size_t shared = shared_of_block != nullptr ? shared_of_block(threads) : dynamic_shared_bytes;
    const int resident = active_blocks(context, kernel, threads, shared) * threads;
    if (resident > best_threads) {
      best_threads = resident;
      best.block = threads;
      best.grid = resident / threads;
    }
  }
  constexpr int kSms = 16;
  best.grid *= device_attribute(context.device(), kSms);
  return best;
}

}  // namespace warpsim::cuda
