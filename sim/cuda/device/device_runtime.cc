#include "cuda/device/device_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/blocks/occupancy.h"
#include "cuda/abi/abi.h"
#include "cuda/device/device_properties.h"
#include "cuda/device/device_transfers.h"
#include "cuda/device/error_codes.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint64_t kFirstHandle = 0x100;  // above the streams that CUDA names by small numbers

}  // namespace

DeviceRuntime::DeviceRuntime(Device& device, DeviceMemory& memory, GridRunner& grids)
    : device_(device),
      memory_(memory),
      grids_(grids),
      children_(std::make_unique<ChildLaunches>([this](const ChildExecutor::Work& work) { return run(work); })),
      buffers_(memory),
      next_handle_(kFirstHandle) {
  for (int limit = 0; limit <= kLastLimit; ++limit) {
    set_limit(limit, kFirstLimits[static_cast<std::size_t>(limit)]);
  }
}

void DeviceRuntime::set_limit(int limit, std::uint64_t value) {
  limits_[static_cast<std::size_t>(limit)] = value;
  if (limit == kPendingLaunchLimit) {
    children_->set_most_pending(value);
  } else if (limit == kSyncDepthLimit) {
    children_->set_sync_depth(value);
  }
}

// --- grids ---

void DeviceRuntime::begin(std::uint64_t grid, ModuleId module, std::uint64_t graph_launch) {
  children_->begin(grid, module);
  if (graph_launch != 0) {
    graph_launches_[grid] = graph_launch;
  }
}

void DeviceRuntime::complete(std::uint64_t grid) {
  forget(grid);
  children_->complete(grid);
}

void DeviceRuntime::abandon() {
  children_->abandon();
  buffers_.release_all();
  objects_.clear();
  errors_.clear();
  graph_launches_.clear();
}

std::string DeviceRuntime::waiting_work() const {
  const std::uint64_t pending = children_->pending();
  return pending == 0 ? std::string()
                      : fmt::format("\n  launches from kernels that wait for the end of their parent: {}", pending);
}

void DeviceRuntime::forget(std::uint64_t grid) {
  buffers_.release(grid);
  graph_launches_.erase(grid);
  std::erase_if(objects_, [grid](const auto& each) { return each.second.grid == grid; });
  std::erase_if(errors_, [grid](const auto& each) { return each.first.grid == grid; });
}

void DeviceRuntime::use_time(const DeviceQueuesConfig& times, double core_mhz, std::function<double(Cycle)> time_of) {
  times_ = times;
  calls_ = std::make_unique<KernelCalls>(core_mhz, std::move(time_of));
  auto timed = std::make_unique<TimedChildren>(
      times, *calls_,
      [this](const ChildExecutor::Work& work, const TimedChildren::Place& place) { return start(work, place); },
      [this](const WorkHandle& grid, const TimedChildren::WarpWait& wait) { grids_.note_wait(grid, wait); });
  timed_ = timed.get();
  children_ = std::move(timed);
  children_->set_most_pending(limits_[kPendingLaunchLimit]);
  children_->set_sync_depth(limits_[kSyncDepthLimit]);
}

void DeviceRuntime::set_time(Cycle now) {
  if (calls_ != nullptr) {
    calls_->set_time(now);
  }
}

void DeviceRuntime::ended(std::uint64_t grid) {
  forget(grid);
  children_->ended(grid);
}

WorkHandle DeviceRuntime::start(const ChildExecutor::Work& work, const TimedChildren::Place& place) {
  if (const auto* const transfer = std::get_if<DeviceTransfer>(&work)) {
    return grids_.start_transfer(*transfer, place);
  }
  const DeviceLaunch& launch = std::get<DeviceLaunch>(work);
  return grids_.start_grid(launch.kernel, launch_of(launch, launch.kernel), place);
}

// Then streams of the grid may wait for each other.
bool DeviceRuntime::has_events(std::uint64_t grid) const {
  return std::ranges::any_of(objects_, [grid](const auto& each) {
    return each.second.grid == grid && each.second.kind == DeviceObject::kEvent;
  });
}

std::uint64_t DeviceRuntime::run(const ChildExecutor::Work& work) {
  if (const auto* const transfer = std::get_if<DeviceTransfer>(&work)) {
    run_transfer(*transfer, memory_);
    return 0;
  }
  // launch() has replaced the number of the kernel's function by that of the device's kernel.
  const DeviceLaunch& launch = std::get<DeviceLaunch>(work);
  const std::uint64_t grid = grids_.run_grid(launch.kernel, launch_of(launch, launch.kernel));
  forget(grid);
  return grid;
}

Outcome DeviceRuntime::find(const DeviceLaunch& launch, KernelId& kernel) {
  return grids_.find_kernel_number(children_->module_of(launch.parent.grid), launch.kernel, kernel);
}

Launch DeviceRuntime::launch_of(const DeviceLaunch& launch, KernelId kernel) const {
  const Dim3 required = grids_.kernel_info(kernel).required_cluster;
  Launch result;
  result.grid = launch.grid;
  result.block = launch.block;
  result.cluster = launch.cluster.count() != 0 ? launch.cluster : required.count() != 0 ? required : Dim3{1, 1, 1};
  result.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  result.parameters = launch.parameters;
  return result;
}

// --- launches ---

Address DeviceRuntime::parameter_buffer(const DeviceThread& thread, std::uint64_t bytes) {
  return buffers_.take(thread.grid, bytes);
}

Address DeviceRuntime::parameter_buffer(const DeviceLaunch& launch) {
  KernelId kernel = 0;
  if (const Outcome found = find(launch, kernel); !found) {
    set_last_error(launch.parent, code_of(found.failure));
    return 0;
  }
  return buffers_.take(launch.parent.grid, grids_.kernel_info(kernel).parameter_bytes, launch);
}

int DeviceRuntime::launch(const DeviceLaunch& launch, Address buffer) {
  KernelId kernel = 0;
  if (const Outcome found = find(launch, kernel); !found) {
    return code_of(found.failure);
  }
  if (const Outcome allowed = grids_.check_launch(kernel, launch_of(launch, kernel)); !allowed) {
    return code_of(allowed.failure);
  }
  DeviceLaunch child = launch;
  child.kernel = kernel;
  child.parameters.resize(grids_.kernel_info(kernel).parameter_bytes);
  if (!child.parameters.empty()) {
    const std::byte* const given = memory_.host(buffer, child.parameters.size());
    if (given == nullptr) {
      return kInvalidValue;
    }
    std::copy_n(given, child.parameters.size(), child.parameters.begin());
  }
  return children_->add(std::move(child), has_events(launch.parent.grid));
}

int DeviceRuntime::launch_configured(Address buffer, const DeviceStream& stream, const DeviceThread& thread) {
  const DeviceLaunch* const configured = buffers_.configuration(buffer);
  if (configured == nullptr) {
    return kInvalidValue;
  }
  DeviceLaunch child = *configured;
  child.stream = stream;
  child.parent = thread;
  return launch(child, buffer);
}

int DeviceRuntime::transfer(const DeviceTransfer& transfer) {
  return children_->add(transfer, has_events(transfer.parent.grid));
}

std::string DeviceRuntime::why_not_synchronised(const DeviceThread& thread) const {
  return children_->has_work(thread) ? grids_.why_not_nested() : std::string();
}

int DeviceRuntime::synchronise(const DeviceThread& thread) {
  return children_->synchronise(thread);
}

// --- streams, events, errors ---

int DeviceRuntime::create(DeviceObject kind, const DeviceThread& thread, std::uint64_t& handle) {
  handle = next_handle_++;
  objects_[handle] = {kind, thread.grid};
  return kSuccess;
}

int DeviceRuntime::destroy(DeviceObject kind, std::uint64_t handle) {
  if (!exists(kind, handle)) {
    return kInvalidHandle;
  }
  objects_.erase(handle);
  return kSuccess;
}

bool DeviceRuntime::exists(DeviceObject kind, std::uint64_t handle) {
  const auto found = objects_.find(handle);
  return found != objects_.end() && found->second.kind == kind;
}

void DeviceRuntime::set_last_error(const DeviceThread& thread, int error) {
  errors_[thread] = error;
}

int DeviceRuntime::last_error(const DeviceThread& thread, bool clear) {
  const auto found = errors_.find(thread);
  const int error = found == errors_.end() ? kSuccess : found->second;
  if (clear && found != errors_.end()) {
    errors_.erase(found);
  }
  return error;
}

// --- graphs ---

std::string DeviceRuntime::why_not_launched(const DeviceThread& thread) const {
  return graphs_ == nullptr || !graph_launches_.contains(thread.grid) ? "its kernel is not part of a graph" : "";
}

int DeviceRuntime::launch_graph(const DeviceThread& thread, std::uint64_t graph, GraphStream stream) {
  double from_ns = 0;
  if (calls_ != nullptr) {
    const bool tail = stream == GraphStream::kTail;
    from_ns = calls_->add(thread, {.call_ns = tail ? times_.graph_tail_call_ns : times_.graph_launch_call_ns,
                                   .thread_ns = times_.graph_launch_thread_ns,
                                   .start_ns = times_.graph_launch_start_ns,
                                   .interval_ns = times_.graph_launch_interval_ns,
                                   .waits = false});
  }
  return graphs_->launch(graph_launches_.at(thread.grid), graph, stream, from_ns);
}

int DeviceRuntime::change_node(const DeviceThread& thread, const DeviceNodeChange& change) {
  if (calls_ != nullptr) {
    calls_->spend(thread, times_.node_change_ns);
  }
  return graphs_ == nullptr ? static_cast<int>(kInvalidValue) : graphs_->change(change);
}

// --- queries ---

int DeviceRuntime::attribute(int number, int& value) {
  try {
    value = device_attribute(device_, number);
  } catch (const CallError& error) {
    return error.code();
  }
  return kSuccess;
}

int DeviceRuntime::limit(int number, std::uint64_t& value) {
  if (number < 0 || number > kLastLimit) {
    return kUnsupportedLimit;
  }
  value = limits_[static_cast<std::size_t>(number)];
  return kSuccess;
}

// The number in libcudadevrt of CUDA 13.0, which is not that of the toolkit.
int DeviceRuntime::runtime_version() {
  constexpr int kVersion = 6000;
  return kVersion;
}

int DeviceRuntime::function_attributes(const DeviceThread& thread, std::uint32_t function,
                                       std::vector<std::byte>& bytes) {
  KernelId kernel = 0;
  if (const Outcome found = grids_.find_kernel_number(children_->module_of(thread.grid), function, kernel); !found) {
    return code_of(found.failure);
  }
  const KernelInfo& info = grids_.kernel_info(kernel);
  abi::FunctionAttributes a = {};
  a.shared_bytes = info.static_shared_bytes;
  a.constant_bytes = info.constant_bytes;
  a.local_bytes = info.local_bytes;
  a.most_threads = static_cast<int>(info.most_threads_per_block);
  a.registers = static_cast<int>(info.registers);
  a.ptx_version = static_cast<int>(info.target);
  a.binary_version = static_cast<int>(architecture_of(device_.config().compute_capability));
  // Toolkits before 12 have a shorter structure in kernels, which ends before the attributes of clusters.
  bytes.resize(offsetof(abi::FunctionAttributes, cluster_must_be_set));
  std::memcpy(bytes.data(), &a, bytes.size());
  return kSuccess;
}

int DeviceRuntime::active_blocks(const DeviceLaunch& launch, int& blocks) {
  KernelId kernel = 0;
  if (const Outcome found = find(launch, kernel); !found) {
    return code_of(found.failure);
  }
  if (launch.block.x == 0) {
    return kInvalidValue;
  }
  const KernelInfo& info = grids_.kernel_info(kernel);
  const Occupancy occupancy = compute_occupancy(
      device_.config().occupancy, {.threads = launch.block.x,
                                   .registers_per_thread = info.registers,
                                   .shared_bytes = info.static_shared_bytes + launch.dynamic_shared_bytes});
  blocks = static_cast<int>(occupancy.blocks_per_sm);
  return kSuccess;
}

Address DeviceRuntime::error_text(int error, bool name) {
  const char* const found = name ? runtime_error_name(error) : warpsim::cuda::error_text(error);
  const char* const text = found == nullptr ? "unrecognized error code" : found;
  Address& address = texts_[{found == nullptr ? -1 : error, name}];
  if (address == 0) {
    const std::size_t bytes = std::strlen(text) + 1;
    address = memory_.allocate(bytes, DeviceMemory::kAlignment, "the text of an error");
    if (address != 0) {
      std::memcpy(memory_.host(address, bytes), text, bytes);
    }
  }
  return address;
}

}  // namespace warpsim::cuda
