// Graphs with the toolkit's headers: streams that fork and join in a capture, updates, a loop and a switch on the device,
// memory and copies as nodes, by the runtime and by the driver.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 128;

__device__ int variable[4];

__global__ void add(int* data, int value) {
  data[threadIdx.x] += value;
}

__global__ void join(int* sum, const int* left, const int* right) {
  sum[threadIdx.x] = left[threadIdx.x] + right[threadIdx.x];
}

__global__ void count_down(cudaGraphConditionalHandle handle, int* left) {
  --*left;
  cudaGraphSetConditional(handle, *left > 0 ? 1 : 0);
}

static int failures = 0;

void check(bool good, int line) {
  if (!good) {
    std::printf("line %d is wrong\n", line);
    ++failures;
  }
}
#define CHECK(condition) check((condition), __LINE__)
#define GOOD(call) check(static_cast<int>(call) == 0, __LINE__)

std::vector<int> read(const int* data, int count) {
  std::vector<int> words(count);
  GOOD(cudaMemcpy(words.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost));
  return words;
}

int* allocate(int count) {
  int* data = nullptr;
  GOOD(cudaMalloc(&data, count * sizeof(int)));
  GOOD(cudaMemset(data, 0, count * sizeof(int)));
  return data;
}

cudaGraph_t fork_and_join(cudaStream_t stream, int* sum, int* left, int* right, int value) {
  cudaStream_t other;
  cudaEvent_t forked;
  cudaEvent_t joined;
  GOOD(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  GOOD(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  GOOD(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
  GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, kThreads, 0, stream>>>(left, value);
  GOOD(cudaEventRecord(forked, stream));
  GOOD(cudaStreamWaitEvent(other, forked, 0));
  add<<<1, kThreads, 0, other>>>(right, 10 * value);
  GOOD(cudaEventRecord(joined, other));
  GOOD(cudaStreamWaitEvent(stream, joined, 0));
  join<<<1, kThreads, 0, stream>>>(sum, left, right);
  cudaGraph_t graph = nullptr;
  GOOD(cudaStreamEndCapture(stream, &graph));
  GOOD(cudaStreamDestroy(other));
  GOOD(cudaEventDestroy(forked));
  GOOD(cudaEventDestroy(joined));
  return graph;
}

void test_capture(cudaStream_t stream) {
  int* const sum = allocate(kThreads);
  int* const left = allocate(kThreads);
  int* const right = allocate(kThreads);
  cudaGraph_t graph = fork_and_join(stream, sum, left, right, 1);
  cudaGraphExec_t exec;
  GOOD(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) {
    GOOD(cudaGraphLaunch(exec, stream));
  }
  GOOD(cudaStreamSynchronize(stream));
  CHECK(read(sum, kThreads)[kThreads - 1] == 33);
  cudaGraph_t other = fork_and_join(stream, sum, left, right, 100);
  cudaGraphExecUpdateResultInfo update;
  GOOD(cudaGraphExecUpdate(exec, other, &update));
  GOOD(cudaGraphLaunch(exec, stream));
  GOOD(cudaStreamSynchronize(stream));
  CHECK(read(sum, kThreads)[0] == 33 + 1100);
  GOOD(cudaGraphExecDestroy(exec));
  GOOD(cudaGraphDestroy(graph));
  GOOD(cudaGraphDestroy(other));
}

void test_loop(cudaStream_t stream) {
  int* const sum = allocate(kThreads);
  int* left = allocate(1);
  cudaGraph_t graph;
  GOOD(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  GOOD(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node;
  GOOD(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
  GOOD(cudaStreamBeginCaptureToGraph(stream, loop.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                     cudaStreamCaptureModeRelaxed));
  add<<<1, kThreads, 0, stream>>>(sum, 1);
  count_down<<<1, 1, 0, stream>>>(handle, left);
  GOOD(cudaStreamEndCapture(stream, nullptr));
  cudaGraphExec_t exec;
  GOOD(cudaGraphInstantiate(&exec, graph, 0));
  int rounds = 5;
  GOOD(cudaMemcpy(left, &rounds, sizeof(rounds), cudaMemcpyHostToDevice));
  GOOD(cudaGraphLaunch(exec, stream));
  GOOD(cudaGraphLaunch(exec, stream));  // once more: the condition is 1 at the beginning
  GOOD(cudaStreamSynchronize(stream));
  CHECK(read(sum, 1)[0] == 6);
}

void test_nodes(cudaStream_t stream) {
  cudaGraph_t graph;
  GOOD(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.bytesize = 16;
  cudaGraphNode_t nodes[6];
  GOOD(cudaGraphAddMemAllocNode(&nodes[0], graph, nullptr, 0, &allocation));
  cudaMemsetParams fill = {allocation.dptr, 0, 0x01010101, 4, 4, 1};
  GOOD(cudaGraphAddMemsetNode(&nodes[1], graph, &nodes[0], 1, &fill));
  GOOD(cudaGraphAddMemcpyNodeToSymbol(&nodes[2], graph, &nodes[1], 1, variable, allocation.dptr, 16, 0,
                                      cudaMemcpyDeviceToDevice));
  int words[4] = {};
  GOOD(cudaGraphAddMemcpyNodeFromSymbol(&nodes[3], graph, &nodes[2], 1, words, variable, 16, 0,
                                        cudaMemcpyDeviceToHost));
  cudaHostNodeParams host = {[](void* data) { static_cast<int*>(data)[3] += 1; }, words};
  GOOD(cudaGraphAddHostNode(&nodes[4], graph, &nodes[3], 1, &host));
  GOOD(cudaGraphAddMemFreeNode(&nodes[5], graph, &nodes[4], 1, allocation.dptr));
  cudaGraphExec_t exec;
  GOOD(cudaGraphInstantiate(&exec, graph, 0));
  GOOD(cudaGraphLaunch(exec, stream));
  GOOD(cudaGraphLaunch(exec, stream));
  GOOD(cudaStreamSynchronize(stream));
  CHECK(words[0] == 0x01010101);
  CHECK(words[3] == 0x01010102);
}

void test_driver(CUstream stream) {
  int* const data = allocate(kThreads);
  int* argument = data;
  int value = 3;
  void* arguments[] = {&argument, &value};
  cudaFunction_t function;
  GOOD(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)));
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = function;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kThreads;
  kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  CUgraph graph;
  CUgraphNode node;
  GOOD(cuGraphCreate(&graph, 0));
  GOOD(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  CUgraphExec exec;
  GOOD(cuGraphInstantiate(&exec, graph, 0));
  value = 4;
  GOOD(cuGraphExecKernelNodeSetParams(exec, node, &kernel));
  GOOD(cuGraphLaunch(exec, stream));
  GOOD(cuStreamSynchronize(stream));
  CHECK(read(data, kThreads)[7] == 4);
  void* refused = nullptr;
  GOOD(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cudaMalloc(&refused, 16) == cudaErrorStreamCaptureUnsupported);
  CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

int main() {
  cudaStream_t stream;
  GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  test_capture(stream);
  test_loop(stream);
  test_nodes(stream);
  test_driver(stream);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
