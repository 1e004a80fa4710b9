// Graphs that kernels launch, and nodes that kernels change.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

static int failures = 0;

void check(bool good, int line) {
  if (!good) {
    std::printf("line %d is wrong\n", line);
    ++failures;
  }
}
#define CHECK(condition) check((condition), __LINE__)
#define GOOD(call) check(static_cast<int>(call) == 0, __LINE__)

constexpr int kCount = 256;

__device__ int values[kCount];
__device__ int rounds;
__device__ int errors[4];
__device__ cudaGraphExec_t others[2];
__device__ cudaGraphDeviceNode_t node;

// Halves the larger values; the last block to end launches the graph again while there are some.
__device__ int blocks_done;
__device__ int some_left;
__global__ void reduce_values(int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > limit) {
    values[i] /= 2;
    if (values[i] > limit) {
      atomicOr(&some_left, 1);
    }
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&blocks_done, 1) == static_cast<int>(gridDim.x) - 1) {
    ++rounds;
    blocks_done = 0;
    if (atomicExch(&some_left, 0) != 0) {
      errors[0] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    }
  }
}

__global__ void add_to_values(int amount) {
  atomicAdd(&values[blockIdx.x * blockDim.x + threadIdx.x], amount);
}

__global__ void launch_others() {
  errors[threadIdx.x] = cudaGraphLaunch(others[threadIdx.x], cudaStreamGraphFireAndForget);
}

__global__ void change_node(int amount, int blocks) {
  errors[0] = cudaGraphKernelNodeSetParam(node, 0, amount);
  errors[1] = cudaGraphKernelNodeSetGridDim(node, dim3(blocks));
  errors[2] = cudaGraphKernelNodeSetEnabled(node, blocks > 1);
}

template <class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t before, void (*kernel)(Arguments...), int blocks,
                           int threads, Arguments... arguments) {
  void* pointers[] = {&arguments..., nullptr};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = dim3(blocks);
  parameters.blockDim = dim3(threads);
  parameters.kernelParams = pointers;
  cudaGraphNode_t made = nullptr;
  GOOD(cudaGraphAddKernelNode(&made, graph, &before, before == nullptr ? 0 : 1, &parameters));
  return made;
}

void fill(int value) {
  const std::vector<int> all(kCount, value);
  GOOD(cudaMemcpyToSymbol(values, all.data(), sizeof(int) * kCount));
  const int minus[4] = {-1, -1, -1, -1};
  GOOD(cudaMemcpyToSymbol(errors, minus, sizeof minus));
}

std::vector<int> read() {
  std::vector<int> all(kCount);
  GOOD(cudaMemcpyFromSymbol(all.data(), values, sizeof(int) * kCount));
  return all;
}

int error(int at) {
  int code = 0;
  GOOD(cudaMemcpyFromSymbol(&code, errors, sizeof code, at * sizeof code));
  return code;
}

cudaGraphExec_t for_kernels(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  GOOD(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
  GOOD(cudaGraphUpload(exec, nullptr));
  return exec;
}

cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  GOOD(cudaGraphCreate(&graph, 0));
  return graph;
}

int main() {
  // A loop on the device.
  cudaGraph_t graph = new_graph();
  add_kernel(graph, nullptr, reduce_values, 4, 64, 10);
  cudaGraphExec_t exec = for_kernels(graph);
  fill(1000);
  GOOD(cudaGraphLaunch(exec, nullptr));
  int counted = 0;
  GOOD(cudaMemcpyFromSymbol(&counted, rounds, sizeof counted));
  CHECK(counted == 7);
  CHECK(read() == std::vector<int>(kCount, 7));
  CHECK(error(0) == 0);

  // Two graphs at once; what the host does next sees both.
  for (int i = 0; i < 2; ++i) {
    graph = new_graph();
    cudaGraphNode_t first = add_kernel(graph, nullptr, add_to_values, 4, 64, 1);
    add_kernel(graph, first, add_to_values, 4, 64, 10 + i);
    exec = for_kernels(graph);
    GOOD(cudaMemcpyToSymbol(others, &exec, sizeof exec, i * sizeof exec));
  }
  graph = new_graph();
  add_kernel(graph, nullptr, launch_others, 1, 2);
  GOOD(cudaGraphInstantiate(&exec, graph, 0));
  fill(0);
  GOOD(cudaGraphLaunch(exec, nullptr));
  CHECK(read() == std::vector<int>(kCount, 23));
  CHECK(error(0) == 0);
  CHECK(error(1) == 0);

  // A node changes the next one.
  for (const int blocks : {1, 2, 4}) {
    graph = new_graph();
    cudaGraphNode_t changes = add_kernel(graph, nullptr, change_node, 1, 1, 5, blocks);
    cudaGraphNode_t changed = add_kernel(graph, changes, add_to_values, 3, 64, 1);
    cudaLaunchAttributeValue value = {};
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    GOOD(cudaGraphKernelNodeSetAttribute(changed, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
    GOOD(cudaMemcpyToSymbol(node, &value.deviceUpdatableKernelNode.devNode, sizeof(void*)));
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    fill(0);
    GOOD(cudaGraphLaunch(exec, nullptr));
    const std::vector<int> all = read();
    CHECK(all[0] == (blocks > 1 ? 5 : 0));
    CHECK(all[127] == (blocks > 1 ? 5 : 0));
    CHECK(all[128] == (blocks > 2 ? 5 : 0));
    CHECK(error(0) == 0 && error(1) == 0 && error(2) == 0);
  }
  std::printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures == 0 ? 0 : 1;
}
