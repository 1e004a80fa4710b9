// Calls of the device runtime about graphs.
#include "emulator/execution/device_graphs.h"
#include "emulator/execution/device_runtime_call.h"

namespace warpsim::device_runtime {

namespace {

using Field = DeviceNodeChange::Field;

// cudaStreamGraphTailLaunch and others.
bool stream_of(std::uint64_t handle, GraphStream& stream) {
  constexpr std::uint64_t kTail = 0x0100'0000'0000'0000;
  constexpr std::uint64_t kFireAndForget = 0x0200'0000'0000'0000;
  constexpr std::uint64_t kSibling = 0x0300'0000'0000'0000;
  stream = handle == kTail            ? GraphStream::kTail
           : handle == kFireAndForget ? GraphStream::kFireAndForget
                                      : GraphStream::kSibling;
  return handle == kTail || handle == kFireAndForget || handle == kSibling;
}

// cudaGraphKernelNodeUpdate
struct Update {
  std::uint64_t node;
  std::int32_t field;
  std::int32_t padding;
  union {
    std::uint32_t grid[3];
    struct {
      Address value;
      std::uint64_t offset;
      std::uint64_t bytes;
    } parameter;
    std::uint32_t enabled;
  };
};
static_assert(sizeof(Update) == 40);
constexpr std::int32_t kGridField = 1;
constexpr std::int32_t kParameterField = 2;
constexpr std::int32_t kEnabledField = 3;

// A kernel has at most so many bytes of parameters (CUDA C++ programming guide, 12.1 and later).
constexpr std::uint64_t kMostParameterBytes = 32764;

int change_parameter(DeviceRuntimeCall& call, std::uint64_t node, std::uint64_t offset, Address value,
                     std::uint64_t bytes) {
  if (bytes > kMostParameterBytes) {
    return kDeviceInvalidValue;
  }
  DeviceNodeChange change{.node = node, .field = Field::kParameter, .offset = offset};
  change.value.resize(bytes);
  call.load(value, change.value.data(), bytes);
  return call.launches().graphs().change_node(call.thread(), change);
}

int apply(DeviceRuntimeCall& call, const Update& update) {
  DeviceGraphs& graphs = call.launches().graphs();
  switch (update.field) {
    case kGridField: {
      const auto& [x, y, z] = update.grid;
      return graphs.change_node(call.thread(), {.node = update.node, .field = Field::kGrid, .grid = {x, y, z}});
    }
    case kParameterField:
      return change_parameter(call, update.node, update.parameter.offset, update.parameter.value,
                              update.parameter.bytes);
    case kEnabledField:
      return graphs.change_node(call.thread(),
                                {.node = update.node, .field = Field::kEnabled, .enabled = update.enabled != 0});
    default:
      return kDeviceInvalidValue;
  }
}

}  // namespace

// Outside of a graph, an H100 ends the thread within the call, and nothing says so.
void launch_graph(DeviceRuntimeCall& call) {
  DeviceGraphs& graphs = call.launches().graphs();
  if (const std::string reason = graphs.why_not_launched(call.thread()); !reason.empty()) {
    call.fail(FaultKind::kIllegalInstruction, "calls cudaGraphLaunch(), but " + reason);
  }
  GraphStream stream = GraphStream::kTail;
  if (!stream_of(call.argument<std::uint64_t>(1), stream)) {
    call.finish(kDeviceInvalidValue);
    return;
  }
  call.finish_work(graphs.launch_graph(call.thread(), call.argument<std::uint64_t>(0), stream));
}

void set_node_parameter(DeviceRuntimeCall& call) {
  call.finish_work(change_parameter(call, call.argument<std::uint64_t>(0), call.argument<std::uint64_t>(1),
                                    call.argument<Address>(2), call.argument<std::uint64_t>(3)));
}

void set_node_enabled(DeviceRuntimeCall& call) {
  constexpr std::uint32_t kBool = 0xff;
  call.finish_work(
      call.launches().graphs().change_node(call.thread(), {.node = call.argument<std::uint64_t>(0),
                                                           .field = Field::kEnabled,
                                                           .enabled = (call.argument<std::uint32_t>(1) & kBool) != 0}));
}

void set_node_grid(DeviceRuntimeCall& call) {
  struct Size {
    std::uint32_t x, y, z;
  };
  const auto size = call.argument<Size>(1);
  call.finish_work(call.launches().graphs().change_node(
      call.thread(),
      {.node = call.argument<std::uint64_t>(0), .field = Field::kGrid, .grid = {size.x, size.y, size.z}}));
}

// One after another; the first one that fails is the last one.
void apply_node_updates(DeviceRuntimeCall& call) {
  const Address updates = call.argument<Address>(0);
  const std::uint64_t count = call.argument<std::uint64_t>(1);
  int error = updates == 0 || count == 0 ? kDeviceInvalidValue : kDeviceSuccess;
  for (std::uint64_t i = 0; i < count && error == kDeviceSuccess; ++i) {
    Update update{};
    call.load(updates + i * sizeof update, &update, sizeof update);
    error = apply(call, update);
  }
  call.finish_work(error);
}

}  // namespace warpsim::device_runtime
