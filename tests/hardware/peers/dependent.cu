// Programmatic dependent launch: when the second kernel starts and when its wait returns, in a stream and in a graph.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x)                                                      \
  do {                                                                \
    cudaError_t e_ = (x);                                             \
    if (e_ != cudaSuccess) {                                          \
      std::printf("error,%d,%s\n", __LINE__, cudaGetErrorString(e_)); \
      std::exit(1);                                                   \
    }                                                                 \
  } while (0)
struct Times {
  unsigned long long trigger, end, start, waited, first;
};
__device__ inline unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
__device__ inline void spin_ns(unsigned long long ns) {
  const unsigned long long s = now();
  while (now() - s < ns) {
  }
}
__global__ void first(Times* t, unsigned before, unsigned after, bool trigger) {
  if (threadIdx.x == 0)
    atomicMin(&t->first, now());
  spin_ns(before);
  if (trigger) {
    if (threadIdx.x == 0)
      atomicMax(&t->trigger, now());
    __syncthreads();
    cudaTriggerProgrammaticLaunchCompletion();
  }
  spin_ns(after);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(&t->end, now());
}
__global__ void second(Times* t, bool wait) {
  const unsigned long long start = now();
  if (wait)
    cudaGridDependencySynchronize();
  const unsigned long long waited = now();
  if (threadIdx.x == 0) {
    atomicMin(&t->start, start);
    atomicMin(&t->waited, waited);
  }
}
int main() {
  Times* t;
  CHECK(cudaMalloc(&t, sizeof(Times)));
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  std::printf("scene,what,value,unit\n");
  struct Scene {
    const char* name;
    int blocks1, blocks2, threads;
    bool attribute, trigger, wait;
  };
  const Scene scenes[] = {
      {"plain", 66, 66, 128, false, false, false},        {"no_trigger", 66, 66, 128, true, false, true},
      {"trigger", 66, 66, 128, true, true, true},         {"trigger.no_wait", 66, 66, 128, true, true, false},
      {"trigger.full", 132, 132, 1024, true, true, true}, {"trigger.one", 1, 1, 32, true, true, true},
      {"trigger.many", 1056, 66, 128, true, true, true},  {"no_trigger.one", 1, 1, 32, true, false, true},
      {"plain.one", 1, 1, 32, false, false, false}};
  for (int graph = 0; graph < 2; ++graph)
    for (const Scene& scene : scenes)
      for (unsigned after : {3000u, 20000u}) {
        std::vector<double> a, b, c, d;
        cudaGraphExec_t exec = nullptr;
        const auto launch = [&] {
          first<<<scene.blocks1, scene.threads, 0, s>>>(t, 8000, after, scene.trigger);
          cudaLaunchConfig_t config = {};
          config.gridDim = scene.blocks2;
          config.blockDim = scene.threads;
          config.stream = s;
          cudaLaunchAttribute attribute;
          attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
          attribute.val.programmaticStreamSerializationAllowed = 1;
          config.attrs = &attribute;
          config.numAttrs = scene.attribute ? 1 : 0;
          CHECK(cudaLaunchKernelEx(&config, second, t, scene.wait));
        };
        if (graph) {
          cudaGraph_t g;
          CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
          launch();
          CHECK(cudaStreamEndCapture(s, &g));
          CHECK(cudaGraphInstantiate(&exec, g, 0));
          CHECK(cudaGraphUpload(exec, s));
          CHECK(cudaStreamSynchronize(s));
        }
        for (int i = 0; i < 12; ++i) {
          Times init{0, 0, ~0ull, ~0ull, ~0ull}, r;
          CHECK(cudaMemcpy(t, &init, sizeof init, cudaMemcpyHostToDevice));
          if (graph)
            CHECK(cudaGraphLaunch(exec, s));
          else
            launch();
          CHECK(cudaStreamSynchronize(s));
          CHECK(cudaMemcpy(&r, t, sizeof r, cudaMemcpyDeviceToHost));
          if (i < 2)
            continue;
          a.push_back(double(r.start) - double(r.trigger));
          b.push_back(double(r.start) - double(r.end));
          c.push_back(double(r.waited) - double(r.end));
          d.push_back(double(r.start) - double(r.first));
        }
        const auto say = [&](const char* what, std::vector<double> v) {
          std::sort(v.begin(), v.end());
          std::printf("%s.%s.after_%u,%s,%.0f,ns (min %.0f max %.0f)\n", graph ? "graph" : "stream", scene.name, after,
                      what, v[v.size() / 2], v.front(), v.back());
        };
        if (scene.trigger)
          say("trigger_to_start", a);
        say("end_to_start", b);
        say("end_to_waited", c);
        say("begin_to_start", d);
        if (exec)
          cudaGraphExecDestroy(exec);
      }
}
