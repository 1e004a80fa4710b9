// Graphs that kernels launch, and nodes that kernels change: which errors calls give, what they take.
//
//   nvcc -arch=sm_90 -rdc=true device_graphs.cu -o device_graphs -lcudadevrt && ./run.sh ./device_graphs > h100.csv
//
// Prints name,unit,value. `code.` lines are CUDA's error numbers.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../cuda_check.h"

using Clock = unsigned long long;

__device__ Clock globaltimer() {
  Clock time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

constexpr int kTimes = 512;
__device__ Clock times[kTimes];
__device__ int codes[kTimes];
__device__ int counter;
__device__ Clock current;

__global__ void stamp(int at, int add) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    times[at] = globaltimer();
    atomicAdd(&counter, add);
  }
}

// A kernel that changes its slot by its number of blocks.
__global__ void count_blocks(int add) {
  if (threadIdx.x == 0) {
    atomicAdd(&counter, add);
  }
}

struct Execs {
  cudaGraphExec_t graph[160];
};
__device__ Execs execs;

enum Stream { kFire, kTail, kSibling, kNull, kOne };

__device__ cudaStream_t stream_of(int stream) {
  switch (stream) {
    case kFire:
      return cudaStreamGraphFireAndForget;
    case kTail:
      return cudaStreamGraphTailLaunch;
    case kSibling:
      return cudaStreamGraphFireAndForgetAsSibling;
    case kNull:
      return nullptr;
    default:
      return (cudaStream_t)0x1;
  }
}

// Launches execs `from`, `from` + `step`, ... by the threads of a block, each `per_thread`; waits `wait_ns` at the end.
__global__ void launcher(int from, int step, int per_thread, int stream, int wait_ns) {
  const Clock begin = globaltimer();
  for (int i = 0; i < per_thread; ++i) {
    const int n = threadIdx.x * per_thread + i;
    codes[n] = cudaGraphLaunch(execs.graph[from + step * n], stream_of(stream));
  }
  const Clock called = globaltimer();
  while (globaltimer() < called + wait_ns) {
  }
  if (threadIdx.x == 0) {
    times[0] = begin;
    times[1] = called;
    times[2] = globaltimer();
    current = reinterpret_cast<Clock>(cudaGetCurrentGraphExec());
  }
}

__global__ void again(int most) {
  times[10 + counter] = globaltimer();
  if (++counter < most) {
    codes[counter] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
  }
}

__global__ void again_twice() {
  if (counter++ == 0) {
    codes[0] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    codes[1] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
  }
}

__global__ void again_at_once() {
  if (counter++ == 0) {
    codes[0] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphFireAndForget);
  }
}

__device__ cudaGraphDeviceNode_t nodes[4];

__global__ void change(int what) {
  const Clock begin = globaltimer();
  if (what == 0) {
    codes[0] = cudaGraphKernelNodeSetParam(nodes[0], 0, 1000);
  } else if (what == 1) {
    codes[0] = cudaGraphKernelNodeSetGridDim(nodes[0], dim3(5, 1, 1));
  } else if (what == 2) {
    codes[0] = cudaGraphKernelNodeSetEnabled(nodes[0], false);
  } else if (what == 3) {
    codes[0] = cudaGraphKernelNodeSetEnabled(nodes[0], true);
  } else if (what == 4) {
    alignas(8) char memory[3 * sizeof(cudaGraphKernelNodeUpdate)] = {};
    auto* const updates = reinterpret_cast<cudaGraphKernelNodeUpdate*>(memory);
    const int value = 7;
    updates[0].node = nodes[0];
    updates[0].field = cudaGraphKernelNodeFieldParam;
    updates[0].updateData.param.pValue = &value;
    updates[0].updateData.param.offset = 0;
    updates[0].updateData.param.size = 4;
    updates[1].node = nodes[0];
    updates[1].field = cudaGraphKernelNodeFieldGridDim;
    updates[1].updateData.gridDim = {2, 1, 1};
    updates[2].node = nodes[0];
    updates[2].field = cudaGraphKernelNodeFieldEnabled;
    updates[2].updateData.isEnabled = 1;
    codes[0] = cudaGraphKernelNodeUpdatesApply(updates, 3);
  } else if (what == 5) {
    codes[0] = cudaGraphKernelNodeSetParam(nodes[0], 4, 1);  // behind the parameters
  } else if (what == 6) {
    codes[0] = cudaGraphKernelNodeSetGridDim(nodes[0], dim3(0, 1, 1));
  } else if (what == 7) {
    alignas(8) char memory[sizeof(cudaGraphKernelNodeUpdate)] = {};
    auto* const update = reinterpret_cast<cudaGraphKernelNodeUpdate*>(memory);
    update->node = nodes[0];
    codes[0] = cudaGraphKernelNodeUpdatesApply(update, 1);
  } else if (what == 8) {
    codes[0] = cudaGraphKernelNodeUpdatesApply(nullptr, 0);
  }
  times[0] = begin;
  times[1] = globaltimer();
}

namespace {

template <class T>
T read(const T& symbol) {
  T value;
  CHECK(cudaMemcpyFromSymbol(&value, symbol, sizeof value));
  return value;
}

void reset() {
  CHECK(cudaDeviceSynchronize());
  const int zero = 0;
  CHECK(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
  std::vector<int> minus(kTimes, -1);
  CHECK(cudaMemcpyToSymbol(codes, minus.data(), sizeof(int) * kTimes));
  std::vector<Clock> none(kTimes, 0);
  CHECK(cudaMemcpyToSymbol(times, none.data(), sizeof(Clock) * kTimes));
}

int code(int at) {
  int all[kTimes];
  CHECK(cudaMemcpyFromSymbol(all, codes, sizeof all));
  return all[at];
}
std::vector<Clock> all_times() {
  std::vector<Clock> all(kTimes);
  CHECK(cudaMemcpyFromSymbol(all.data(), times, sizeof(Clock) * kTimes));
  return all;
}
int counted() {
  int value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  return value;
}

void print(const char* name, const char* unit, double value) {
  std::printf("%s,%s,%.6g\n", name, unit, value);
}
void print_code(const char* name, int value) {
  std::printf("code.%s,,%d\n", name, value);
}
double us(Clock from, Clock to) {
  return (static_cast<double>(to) - static_cast<double>(from)) / 1e3;
}

template <class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& before, void (*kernel)(Arguments...),
                           int blocks, int threads, Arguments... arguments) {
  void* pointers[] = {&arguments..., nullptr};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = dim3(blocks);
  parameters.blockDim = dim3(threads);
  parameters.kernelParams = pointers;
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &parameters));
  return node;
}

cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  return graph;
}

cudaGraphExec_t device_exec(cudaGraph_t graph, bool upload = true) {
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
  if (upload) {
    CHECK(cudaGraphUpload(exec, nullptr));
    CHECK(cudaDeviceSynchronize());
  }
  return exec;
}

void set_exec(int at, cudaGraphExec_t exec) {
  CHECK(cudaMemcpyToSymbol(execs, &exec, sizeof exec, sizeof exec * at));
}

cudaGraphExec_t stamp_exec(int at, bool upload = true) {
  const cudaGraph_t graph = new_graph();
  add_kernel(graph, {}, stamp, 1, 32, at, 1);
  return device_exec(graph, upload);
}

cudaGraphExec_t launcher_exec(int from, int step, int threads, int per_thread, int stream, int wait_ns,
                              cudaGraph_t* made = nullptr) {
  const cudaGraph_t graph = new_graph();
  add_kernel(graph, {}, launcher, 1, threads, from, step, per_thread, stream, wait_ns);
  if (made != nullptr) {
    *made = graph;
  }
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

int run(cudaGraphExec_t exec) {
  const int launched = cudaGraphLaunch(exec, nullptr);
  const int waited = cudaDeviceSynchronize();
  return launched != 0 ? launched : waited;
}

const char* const kStreams[] = {"fire", "tail", "sibling", "null", "one"};

void errors(int number) {
  char name[80];
  set_exec(0, stamp_exec(20));
  const int stream = number % 5;
  // From a kernel that is in no graph.
  if (number < 5) {
    reset();
    launcher<<<1, 1>>>(0, 1, 1, stream, 20000);
    const int waited = cudaDeviceSynchronize();
    std::snprintf(name, sizeof name, "outside.%s", kStreams[stream]);
    print_code(name, code(0));
    std::snprintf(name, sizeof name, "outside.%s.synchronise", kStreams[stream]);
    print_code(name, waited);
    std::snprintf(name, sizeof name, "outside.%s.ran", kStreams[stream]);
    print_code(name, counted());
    print_code("outside.current.is.null", read(current) == 0 ? 1 : 0);
  }
  if (number >= 5 && number < 10) {
    reset();
    const int waited = run(launcher_exec(0, 1, 1, 1, stream, 20000));
    std::snprintf(name, sizeof name, "inside.%s", kStreams[stream]);
    print_code(name, code(0));
    std::snprintf(name, sizeof name, "inside.%s.synchronise", kStreams[stream]);
    print_code(name, waited);
    std::snprintf(name, sizeof name, "inside.%s.ran", kStreams[stream]);
    print_code(name, counted());
    print_code("inside.current.is.null", read(current) == 0 ? 1 : 0);
  }
  // The same graph while it may still run.
  if (number >= 10 && number < 13) {
    reset();
    run(launcher_exec(0, 0, 1, 2, stream, 20000));
    std::snprintf(name, sizeof name, "twice.%s", kStreams[stream]);
    print_code(name, code(0));
    print_code(name, code(1));
    print_code("twice.ran", counted());
  }
  set_exec(1, stamp_exec(21, false));
  if (number >= 15 && number < 17) {
    reset();
    const int waited = run(launcher_exec(1, 1, 1, 1, stream, 20000));
    std::snprintf(name, sizeof name, "not.uploaded.%s", kStreams[stream]);
    print_code(name, code(0));
    print_code("not.uploaded.synchronise", waited);
    print_code("not.uploaded.ran", counted());
  }
  if (number == 20) {
    const cudaGraph_t graph = new_graph();
    add_kernel(graph, {}, stamp, 1, 32, 22, 1);
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    set_exec(2, exec);
    reset();
    const int waited = run(launcher_exec(2, 1, 1, 1, kFire, 20000));
    print_code("no.flag.fire", code(0));
    print_code("no.flag.synchronise", waited);
    print_code("no.flag.ran", counted());
  }
  set_exec(3, nullptr);
  if (number == 21) {
    reset();
    const int waited = run(launcher_exec(3, 1, 1, 1, kFire, 20000));
    print_code("null.exec", code(0));
    print_code("null.exec.synchronise", waited);
  }
  if (number == 22) {
    const cudaGraph_t graph = new_graph();
    add_kernel(graph, {}, again_twice, 1, 1);
    reset();
    const int waited = run(device_exec(graph));
    print_code("self.tail.first", code(0));
    print_code("self.tail.second", code(1));
    print_code("self.tail.ran", counted());
    print_code("self.tail.synchronise", waited);
  }
  if (number == 23) {
    const cudaGraph_t graph = new_graph();
    add_kernel(graph, {}, again_at_once, 1, 1);
    reset();
    const int waited = run(device_exec(graph));
    print_code("self.fire", code(0));
    print_code("self.fire.ran", counted());
    print_code("self.fire.synchronise", waited);
  }
}

void limits(int stream) {
  for (int i = 0; i < 160; ++i) {
    set_exec(i, stamp_exec(20));
  }
  {
    reset();
    run(launcher_exec(0, 1, 1, 150, stream, 20000));
    int first = 150;
    for (int i = 149; i >= 0; --i) {
      if (code(i) != 0) {
        first = i;
      }
    }
    char name[80];
    std::snprintf(name, sizeof name, "most.%s", kStreams[stream]);
    print(name, "launches", first);
    print_code(name, first < 150 ? code(first) : 0);
    print_code("most.ran", counted());
  }
}

// `which`: how many launches, by threads of a warp or by one thread.
void times_of(int stream, int which) {
  char name[80];
  for (int i = 0; i < 32; ++i) {
    set_exec(i, stamp_exec(20 + i));
  }
  const bool one = which >= 4;
  constexpr int kThreads[] = {1, 2, 4, 32, 1, 2, 4, 32};
  const int threads = kThreads[which];
  {
    {
      const cudaGraphExec_t exec =
          launcher_exec(0, 1, one ? 1 : threads, one ? threads : 1, stream, stream == kTail ? 0 : 100000);
      for (int round = 0; round < 3; ++round) {
        reset();
        run(exec);
      }
      const std::vector<Clock> t = all_times();
      const Clock first = *std::min_element(t.begin() + 20, t.begin() + 20 + threads);
      const Clock last = *std::max_element(t.begin() + 20, t.begin() + 20 + threads);
      std::snprintf(name, sizeof name, "%s.%s%d.call", kStreams[stream], one ? "thread." : "", threads);
      print(name, "us", us(t[0], t[1]));
      std::snprintf(name, sizeof name, "%s.%s%d.first", kStreams[stream], one ? "thread." : "", threads);
      print(name, "us", us(stream == kTail ? t[2] : t[0], first));
      std::snprintf(name, sizeof name, "%s.%s%d.last", kStreams[stream], one ? "thread." : "", threads);
      print(name, "us", us(stream == kTail ? t[2] : t[0], last));
    }
  }
}

// Graphs of more nodes: a line, and branches.
void shapes() {
  char name[80];
  for (const int length : {1, 4, 16}) {
    for (const bool line : {true, false}) {
      const cudaGraph_t graph = new_graph();
      std::vector<cudaGraphNode_t> before;
      for (int i = 0; i < length; ++i) {
        const cudaGraphNode_t node = add_kernel(graph, before, stamp, 1, 32, 20 + i, 1);
        if (line) {
          before = {node};
        }
      }
      set_exec(0, device_exec(graph));
      for (const int stream : {kFire, kTail}) {
        const cudaGraphExec_t exec = launcher_exec(0, 1, 1, 1, stream, stream == kTail ? 0 : 100000);
        for (int round = 0; round < 3; ++round) {
          reset();
          run(exec);
        }
        const std::vector<Clock> t = all_times();
        const Clock last = *std::max_element(t.begin() + 20, t.begin() + 20 + length);
        std::snprintf(name, sizeof name, "%s.%s%d.call", kStreams[stream], line ? "line" : "branches", length);
        print(name, "us", us(t[0], t[1]));
        std::snprintf(name, sizeof name, "%s.%s%d.first", kStreams[stream], line ? "line" : "branches", length);
        print(name, "us",
              us(stream == kTail ? t[2] : t[0], *std::min_element(t.begin() + 20, t.begin() + 20 + length)));
        std::snprintf(name, sizeof name, "%s.%s%d.last", kStreams[stream], line ? "line" : "branches", length);
        print(name, "us", us(stream == kTail ? t[2] : t[0], last));
      }
    }
  }
}

void self() {
  {
    const cudaGraph_t graph = new_graph();
    add_kernel(graph, {}, again, 1, 1, 16);
    const cudaGraphExec_t exec = device_exec(graph);
    for (int round = 0; round < 3; ++round) {
      reset();
      run(exec);
    }
    const std::vector<Clock> t = all_times();
    print("self.tail.each", "us", us(t[10], t[25]) / 15);
  }
}

// What starts first: the launched graph, the next node, the next work of the stream.
void order(int stream) {
  char name[80];
  set_exec(1, stamp_exec(21));
  {
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t first = add_kernel(graph, {}, launcher, 1, 1, 1, 1, 1, stream, 0);
    add_kernel(graph, {first}, stamp, 1, 32, 60, 1);
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 0; round < 3; ++round) {
      reset();
      CHECK(cudaGraphLaunch(exec, nullptr));
      stamp<<<1, 32>>>(61, 1);
      CHECK(cudaDeviceSynchronize());
    }
    const std::vector<Clock> t = all_times();
    std::snprintf(name, sizeof name, "order.%s.launched.minus.next.node", kStreams[stream]);
    print(name, "us", us(t[60], t[21]));
    std::snprintf(name, sizeof name, "order.%s.next.in.stream.minus.launched", kStreams[stream]);
    print(name, "us", us(t[21], t[61]));
  }
}

cudaGraphNode_t updatable(cudaGraph_t graph, int blocks, const std::vector<cudaGraphNode_t>& before = {}) {
  const cudaGraphNode_t node = add_kernel(graph, before, count_blocks, blocks, 32, 1);
  cudaKernelNodeAttrValue value = {};
  value.deviceUpdatableKernelNode.deviceUpdatable = 1;
  const int set = cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value);
  if (set != 0) {
    print_code("updatable.set", set);
  }
  CHECK(cudaMemcpyToSymbol(nodes, &value.deviceUpdatableKernelNode.devNode, sizeof(void*)));
  return node;
}

void updates() {
  char name[80];
  for (int what = 0; what <= 8; ++what) {
    // The change by a node of the same graph.
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t changes = add_kernel(graph, {}, change, 1, 1, what);
    updatable(graph, 3, {changes});
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    reset();
    const int waited = run(exec);
    const std::vector<Clock> t = all_times();
    std::snprintf(name, sizeof name, "change.%d", what);
    print_code(name, code(0));
    print_code("change.synchronise", waited);
    print_code("change.counted", counted());
    print(name, "us", us(t[0], t[1]));
    reset();
    run(exec);
    print_code("change.counted.again", counted());
    if (what == 0) {
      cudaGraphExec_t second = nullptr;
      print_code("updatable.second.instantiation", cudaGraphInstantiate(&second, graph, 0));
      cudaGraphExecUpdateResultInfo info = {};
      print_code("updatable.update", cudaGraphExecUpdate(exec, graph, &info));
      print_code("updatable.update.result", info.result);
    }
  }
  {
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t node = updatable(graph, 3);
    cudaKernelNodeAttrValue value = {};
    value.deviceUpdatableKernelNode.deviceUpdatable = 0;
    print_code("updatable.off",
               cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
    value = {};
    print_code("updatable.get",
               cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
    print_code("updatable.get.value", value.deviceUpdatableKernelNode.deviceUpdatable);
    print_code("updatable.get.has.node", value.deviceUpdatableKernelNode.devNode != nullptr);
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    print_code("updatable.twice",
               cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
    value.deviceUpdatableKernelNode.deviceUpdatable = 2;
    print_code("updatable.two",
               cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
    const cudaGraphNode_t other = add_kernel(graph, {}, count_blocks, 1, 32, 1);
    print_code("updatable.copy.to", cudaGraphKernelNodeCopyAttributes(other, node));
    print_code("updatable.copy.from", cudaGraphKernelNodeCopyAttributes(node, other));
    print_code("updatable.destroy", cudaGraphDestroyNode(node));
    cudaGraph_t clone = nullptr;
    print_code("updatable.clone", cudaGraphClone(&clone, graph));
    cudaGraphNode_t child = nullptr;
    print_code("updatable.child", cudaGraphAddChildGraphNode(&child, new_graph(), nullptr, 0, graph));
    cudaGraphExec_t exec = nullptr;
    print_code("updatable.device.launch", cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    // A launch outside of a capture.
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    attribute.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    print_code("updatable.launch", cudaLaunchKernelEx(&config, count_blocks, 1));
    cudaGetLastError();
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    config.stream = stream;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    attribute.val.deviceUpdatableKernelNode.devNode = nullptr;
    print_code("updatable.capture", cudaLaunchKernelEx(&config, count_blocks, 1));
    print_code("updatable.capture.has.node", attribute.val.deviceUpdatableKernelNode.devNode != nullptr);
    cudaGraph_t captured = nullptr;
    print_code("updatable.capture.end", cudaStreamEndCapture(stream, &captured));
    cudaGetLastError();
  }
}

void on_host(void*) {}

int instantiate(cudaGraph_t graph, unsigned long long flags, const char* name) {
  cudaGraphInstantiateParams parameters = {};
  parameters.flags = flags;
  cudaGraphExec_t exec = nullptr;
  const int result = cudaGraphInstantiateWithParams(&exec, graph, &parameters);
  char text[80];
  print_code(name, result);
  std::snprintf(text, sizeof text, "%s.result", name);
  print_code(text, parameters.result_out);
  std::snprintf(text, sizeof text, "%s.has.node", name);
  print_code(text, parameters.errNode_out != nullptr);
  cudaGetLastError();
  return result;
}

void instantiation() {
  constexpr unsigned long long kDevice = cudaGraphInstantiateFlagDeviceLaunch;
  const auto with_kernel = [] {
    const cudaGraph_t graph = new_graph();
    add_kernel(graph, {}, stamp, 1, 32, 20, 1);
    return graph;
  };
  instantiate(new_graph(), kDevice, "instantiate.nothing");
  cudaGraphNode_t node = nullptr;
  cudaGraph_t graph = with_kernel();
  instantiate(graph, kDevice | cudaGraphInstantiateFlagAutoFreeOnLaunch, "instantiate.auto.free");
  instantiate(graph, kDevice | cudaGraphInstantiateFlagUseNodePriority, "instantiate.priority");
  instantiate(graph, kDevice | cudaGraphInstantiateFlagUpload, "instantiate.upload");
  CHECK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  instantiate(graph, kDevice, "instantiate.empty.node");
  graph = with_kernel();
  cudaHostNodeParams host = {on_host, nullptr};
  CHECK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host));
  instantiate(graph, kDevice, "instantiate.host.node");
  graph = with_kernel();
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
  instantiate(graph, kDevice, "instantiate.event.node");
  graph = with_kernel();
  const cudaGraph_t inside = with_kernel();
  CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, inside));
  instantiate(graph, kDevice, "instantiate.child");
  graph = with_kernel();
  cudaMemAllocNodeParams allocation = {};
  allocation.bytesize = 1024;
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &allocation));
  instantiate(graph, kDevice, "instantiate.allocation");
  void* device = nullptr;
  void* pinned = nullptr;
  static char pageable[1024];
  CHECK(cudaMalloc(&device, 4096));
  CHECK(cudaMallocHost(&pinned, 4096));
  graph = with_kernel();
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pageable, 1024, cudaMemcpyHostToDevice));
  instantiate(graph, kDevice, "instantiate.copy.pageable");
  graph = with_kernel();
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pinned, 1024, cudaMemcpyHostToDevice));
  instantiate(graph, kDevice, "instantiate.copy.pinned");
  graph = new_graph();
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, static_cast<char*>(device) + 2048, 1024,
                                 cudaMemcpyDeviceToDevice));
  instantiate(graph, kDevice, "instantiate.copy.device");
  graph = new_graph();
  cudaMemsetParams fill = {};
  fill.dst = device;
  fill.elementSize = 1;
  fill.width = 1024;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  instantiate(graph, kDevice, "instantiate.fill");
  graph = with_kernel();
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
  cudaGraphNodeParams conditional = {};
  conditional.type = cudaGraphNodeTypeConditional;
  conditional.conditional.handle = handle;
  conditional.conditional.type = cudaGraphCondTypeIf;
  conditional.conditional.size = 1;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  instantiate(graph, kDevice, "instantiate.conditional");

  // The host and the device.
  set_exec(0, stamp_exec(20));
  cudaGraphExec_t slow = launcher_exec(0, 1, 1, 1, kFire, 200000);
  reset();
  CHECK(cudaGraphLaunch(slow, nullptr));
  cudaStream_t other;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  Execs all = read(execs);
  print_code("host.launch.while.device.runs.it", cudaGraphLaunch(all.graph[0], other));
  CHECK(cudaDeviceSynchronize());
  print_code("host.launch.ran", counted());
  // An update of an uploaded graph.
  graph = new_graph();
  add_kernel(graph, {}, stamp, 1, 32, 20, 100);
  cudaGraphExecUpdateResultInfo info = {};
  print_code("update", cudaGraphExecUpdate(all.graph[0], graph, &info));
  reset();
  run(launcher_exec(0, 1, 1, 1, kFire, 20000));
  print_code("update.not.uploaded", code(0));
  print_code("update.not.uploaded.counted", counted());
  CHECK(cudaGraphUpload(all.graph[0], nullptr));
  reset();
  run(launcher_exec(0, 1, 1, 1, kFire, 20000));
  print_code("update.uploaded", code(0));
  print_code("update.uploaded.counted", counted());
  // A launch by the host uploads, too.
  set_exec(0, stamp_exec(20, false));
  all = read(execs);
  CHECK(cudaGraphLaunch(all.graph[0], nullptr));
  reset();
  run(launcher_exec(0, 1, 1, 1, kFire, 20000));
  print_code("launched.before", code(0));
  print_code("launched.before.counted", counted());
}

}  // namespace

// Some of what is tried here never ends on hardware: each scene is a process of its own.
int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string scene = count > 1 ? arguments[1] : "";
  const int number = count > 2 ? std::atoi(arguments[2]) : 0;
  if (scene == "times") {
    times_of(number % 3, number / 3);
  } else if (scene == "shapes") {
    shapes();
  } else if (scene == "self") {
    self();
  } else if (scene == "order") {
    order(number);
  } else if (scene == "instantiation") {
    instantiation();
  } else if (scene == "updates") {
    updates();
  } else if (scene == "limits") {
    limits(number);
  } else if (scene == "errors") {
    errors(number);
  }
}
