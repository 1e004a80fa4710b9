// Programmatic dependent launches: producer and consumer in a stream, by an event, and in a captured graph.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlocks = 8;
constexpr int kThreads = 128;
constexpr int kCount = kBlocks * kThreads;

static int failures = 0;

void check(bool good, int line) {
  if (!good) {
    std::printf("line %d is wrong\n", line);
    ++failures;
  }
}
#define CHECK(condition) check((condition), __LINE__)
#define GOOD(call) check(static_cast<int>(call) == 0, __LINE__)

__global__ void produce(int* data, int value) {
  cudaTriggerProgrammaticLaunchCompletion();
  for (int i = 0; i < 200; ++i) {
    asm volatile("" ::: "memory");
    __nanosleep(20);
  }
  data[blockIdx.x * kThreads + threadIdx.x] = value;
}

// Another block's word, so that nothing but the wait orders the accesses.
__global__ void consume(const int* data, int* sum) {
  cudaTriggerProgrammaticLaunchCompletion();
  const int own = blockIdx.x * kThreads + threadIdx.x;
  const int other = (own + 3 * kThreads) % kCount;
  cudaGridDependencySynchronize();
  sum[own] = data[other] + own;
}

// Half of a warp waits; the other half has nothing to read.
__global__ void consume_half(const int* data, int* sum) {
  const int own = blockIdx.x * kThreads + threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    cudaGridDependencySynchronize();
    sum[own] = data[own] * 2;
  }
}

// The trigger is only executed if the argument says so. Counts threads at their end.
__global__ void trigger_if(int condition, int* ended) {
  if (condition != 0) {
    cudaTriggerProgrammaticLaunchCompletion();
  }
  for (int i = 0; i < 50; ++i) {
    __nanosleep(20);
  }
  atomicAdd(ended, 1);
}
__global__ void note_start(int* ended, int* fewest) {
  atomicMin(fewest, atomicAdd(ended, 0));
}

template <class... Parameters, class... Arguments>
void launch(cudaStream_t stream, const cudaLaunchAttribute& attribute, void (*kernel)(Parameters...),
            Arguments... arguments) {
  cudaLaunchAttribute own = attribute;
  cudaLaunchConfig_t config = {};
  config.gridDim = kBlocks;
  config.blockDim = kThreads;
  config.stream = stream;
  config.attrs = &own;
  config.numAttrs = 1;
  GOOD(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

struct Data {
  int* first = nullptr;
  int* second = nullptr;
  int* third = nullptr;
  Data() {
    for (int** data : {&first, &second, &third}) {
      GOOD(cudaMalloc(data, kCount * sizeof(int)));
      GOOD(cudaMemset(*data, 0, kCount * sizeof(int)));
    }
    GOOD(cudaDeviceSynchronize());
  }
  void expect(int value, int line) {
    std::vector<int> sums(kCount);
    std::vector<int> halves(kCount);
    GOOD(cudaMemcpy(sums.data(), second, kCount * sizeof(int), cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(halves.data(), third, kCount * sizeof(int), cudaMemcpyDeviceToHost));
    bool good = true;
    for (int i = 0; i < kCount; ++i) {
      good = good && sums[i] == value + i && halves[i] == (i % 2 == 0 ? 2 * (value + i) : 0);
    }
    check(good, line);
  }
};

int main() {
  cudaStream_t stream = nullptr;
  cudaStream_t other = nullptr;
  GOOD(cudaStreamCreate(&stream));
  GOOD(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaLaunchAttribute dependent = {};
  dependent.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  dependent.val.programmaticStreamSerializationAllowed = 1;
  const auto put = [&](const Data& data, int value) {
    produce<<<kBlocks, kThreads, 0, stream>>>(data.first, value);
    launch(stream, dependent, consume, data.first, data.second);
    launch(stream, dependent, consume_half, data.second, data.third);
  };
  Data in_stream;
  put(in_stream, 7);
  GOOD(cudaStreamSynchronize(stream));
  in_stream.expect(7, __LINE__);

  Data in_graph;
  cudaGraph_t graph = nullptr;
  GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  put(in_graph, 9);
  GOOD(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  GOOD(cudaGraphInstantiate(&exec, graph, 0));
  GOOD(cudaGraphLaunch(exec, stream));
  GOOD(cudaGraphLaunch(exec, stream));
  GOOD(cudaStreamSynchronize(stream));
  in_graph.expect(9, __LINE__);

  Data by_event;
  cudaEvent_t event = nullptr;
  GOOD(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  cudaLaunchAttribute recorded = {};
  recorded.id = cudaLaunchAttributeProgrammaticEvent;
  recorded.val.programmaticEvent.event = event;
  launch(stream, recorded, produce, by_event.first, 11);
  GOOD(cudaStreamWaitEvent(other, event, 0));
  consume<<<kBlocks, kThreads, 0, other>>>(by_event.first, by_event.second);
  launch(other, dependent, consume_half, by_event.second, by_event.third);
  GOOD(cudaDeviceSynchronize());
  by_event.expect(11, __LINE__);
  // A kernel that does not trigger lets the next one begin when all of its blocks have ended.
  int* counts = nullptr;
  GOOD(cudaMalloc(&counts, 2 * sizeof(int)));
  GOOD(cudaMemset(counts, 0, sizeof(int)));
  GOOD(cudaMemset(counts + 1, 0x7f, sizeof(int)));
  GOOD(cudaDeviceSynchronize());
  trigger_if<<<kBlocks, kThreads, 0, stream>>>(0, counts);
  launch(stream, dependent, note_start, counts, counts + 1);
  int read[2] = {};
  GOOD(cudaMemcpyAsync(read, counts, sizeof(read), cudaMemcpyDeviceToHost, stream));
  GOOD(cudaStreamSynchronize(stream));
  CHECK(read[0] == kCount && read[1] == kCount);
  if (failures == 0) {
    std::printf("PASS\n");
  }
  return failures == 0 ? 0 : 1;
}
