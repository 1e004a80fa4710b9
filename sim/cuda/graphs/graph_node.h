// A node of a graph: what it does, as the program described it, and its edges. Memory that a node names is looked up at
// each launch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "cuda/graphs/graph_abi.h"
#include "cuda/streams/operations.h"

namespace warpsim::cuda {

// CUDA's numbers.
enum class NodeType : int {
  kKernel = 0,
  kCopy = 1,
  kFill = 2,
  kHost = 3,
  kChild = 4,
  kEmpty = 5,
  kEventWait = 6,
  kEventRecord = 7,
  kSemaphoreSignal = 8,
  kSemaphoreWait = 9,
  kAllocation = 10,
  kFree = 11,
  kBatch = 12,
  kConditional = 13,
};

// A kernel node that kernels may change has one; its address is the handle that programs get.
struct DeviceNode {};
struct KernelNode {
  LaunchOperation operation;
  std::map<int, abi::LaunchAttribute> attributes = {};  // that have no effect here, by number
  std::vector<void*> pointers = {};                     // to the parameters, for the program
  std::shared_ptr<DeviceNode> device_node = {};         // null: kernels cannot change it
};
struct CopyNode {
  abi::Memcpy3d copy;
};
struct FillNode {
  abi::FillParameters fill;
};
struct HostNode {
  abi::HostParameters host;
};
struct ChildNode {
  std::shared_ptr<Graph> graph;
};
struct EmptyNode {};
struct EventWaitNode {
  EventHandle event;
};
struct EventRecordNode {
  EventHandle event;
};
struct GraphMemory;
struct AllocationNode {
  std::shared_ptr<GraphMemory> memory;
  abi::AllocationParameters parameters;
};
struct FreeNode {
  void* data;
};
enum class ConditionalType : int { kIf = 0, kWhile = 1, kSwitch = 2 };
struct ConditionalNode {
  std::uint64_t handle = 0;
  ConditionalType type = ConditionalType::kIf;
  std::vector<std::shared_ptr<Graph>> bodies;
  std::vector<GraphHandle> handles;  // of the bodies, for the program
};
struct BatchNode {
  std::vector<abi::MemoryOperation> operations;
  void* context = nullptr;  // as the program gave it
};
using NodePayload = std::variant<KernelNode, CopyNode, FillNode, HostNode, ChildNode, EmptyNode, EventWaitNode,
                                 EventRecordNode, AllocationNode, FreeNode, ConditionalNode, BatchNode>;
NodeType type_of(const NodePayload& payload);

bool is_device_node(const GraphNode& node);

// What an edge begins with, of kernels only: their end, their blocks' trigger, the beginning of all of their blocks. A
// kernel that follows by a programmatic edge can wait for the end by griddepcontrol.wait.
inline constexpr unsigned char kPortEnd = 0;
inline constexpr unsigned char kPortTrigger = 1;
inline constexpr unsigned char kPortBegin = 2;
inline constexpr unsigned char kEdgeFull = 0;
inline constexpr unsigned char kEdgeProgrammatic = 1;

struct GraphLink {
  GraphNode* node = nullptr;
  abi::EdgeData data = {};
};
bool operator==(const GraphLink& a, const GraphLink& b);

struct GraphNode {
  Graph* graph = nullptr;
  std::uint32_t gpu = 0;     // that does it
  std::uint64_t number = 0;  // of all nodes, in the order of creation
  NodePayload payload;
  std::vector<GraphLink> before = {};
  std::vector<GraphLink> after = {};
  std::uint64_t original = 0;  // the number of the node that this one was cloned from; 0: none
};

}  // namespace warpsim::cuda
