// Launches and queries about kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cuda/context.h"
#include "cuda/streams/operations.h"

namespace warpsim::cuda {

// An event that the launch records, and how kernels wait for it.
struct LaunchEvent {
  EventHandle event = nullptr;
  Dependence::Edge edge = Dependence::Edge::kProgrammatic;
  int flags = 0;
};

struct LaunchRequest {
  abi::Dim3 grid = {1, 1, 1};
  abi::Dim3 block = {1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  StreamHandle stream = nullptr;
  bool cooperative = false;
  bool programmatic = false;      // a programmatic dependent launch
  abi::Dim3 cluster = {0, 0, 0};  // 0: the kernel's
  std::vector<LaunchEvent> events = {};
  std::optional<abi::AccessWindow> window = {};  // none: the stream's
  abi::LaunchAttribute* changeable = nullptr;    // gets the handle of the node, which kernels may change
  void** arguments = nullptr;                    // one pointer a parameter
  void** buffers = nullptr;  // or a list that names a buffer with all of them, as the driver takes it
};
// The attributes of a launch that matter here; the others are hints. Fails with kInvalidValue.
void read_attributes(LaunchRequest& request, std::span<abi::LaunchAttribute> attributes);

// Checks the request, and copies its arguments.
LaunchOperation launch_operation(Context& context, Kernel& kernel, const LaunchRequest& request);
// Like CUDA's launch, it succeeds if the kernel fails on the device: the next call has the error.
void launch(Context& context, Kernel& kernel, const LaunchRequest& request);

abi::FunctionAttributes function_attributes(Context& context, Kernel& kernel);
// By the number of the driver's functions.
int function_attribute(Context& context, Kernel& kernel, int number);
void set_function_attribute(Context& context, Kernel& kernel, int number, int value);

// Handles of a module's kernels, at most `room` of them. Fails with kInvalidValue if there is no room.
void list_kernels(Context& context, Module& module, KernelHandle* kernels, unsigned room);
// Where parameter `index` of a kernel is; `bytes` may be null. Fails with kInvalidValue.
void give_parameter(Context& context, Kernel& kernel, std::size_t index, std::size_t* offset, std::size_t* bytes);

int active_blocks(Context& context, Kernel& kernel, int block_threads, std::size_t dynamic_shared_bytes);
std::size_t available_shared(Context& context, Kernel& kernel, int blocks, int block_threads);
int active_clusters(Context& context, Kernel& kernel, const LaunchRequest& request);
int largest_cluster(Context& context, Kernel& kernel, const LaunchRequest& request);
// Block size with the highest occupancy and the grid that fills the GPU with it. `shared_of_block` may be null.
struct BlockSuggestion {
  int grid = 0;
  int block = 0;
};
using SharedOfBlock = std::size_t (*)(int block_threads);
BlockSuggestion suggest_block(Context& context, Kernel& kernel, SharedOfBlock shared_of_block,
                              std::size_t dynamic_shared_bytes, int most_threads);

}  // namespace warpsim::cuda
