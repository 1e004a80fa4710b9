// What the driver does in which order when kernels sweep over managed memory: groups of page faults and transfers, as
// CUPTI reports them.
#include <cuda_runtime.h>
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(x)                                                                  \
  do {                                                                            \
    const auto e_ = (x);                                                          \
    if (e_ != 0) {                                                                \
      std::printf("error,%d,%d\n", __LINE__, (int)e_);                            \
      std::exit(1);                                                               \
    }                                                                             \
  } while (0)

__global__ void touch(char* p, size_t bytes, size_t stride, int write) {
  const size_t step = (size_t)gridDim.x * blockDim.x * stride;
  int sum = 0;
  for (size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * stride; i < bytes; i += step) {
    if (write) p[i] = 1;
    else sum += ((volatile char*)p)[i];
  }
  if (sum == 123456789) p[0] = 2;
}
// Each thread another place.
__global__ void scatter(char* p, size_t bytes, int rounds) {
  unsigned long long x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761ULL + 12345;
  for (int i = 0; i < rounds; ++i) {
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    p[(x >> 20) % bytes] = 1;
  }
}
static const char* g_scene = "";
static unsigned long long g_first = 0;
static char* g_base = nullptr;
static void CUPTIAPI request(uint8_t** buffer, size_t* size, size_t* records) {
  *size = 8 << 20;
  *buffer = (uint8_t*)aligned_alloc(8, *size);
  *records = 0;
}
static void CUPTIAPI complete(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) {
      const auto* r = (const CUpti_ActivityUnifiedMemoryCounter2*)record;
      if (g_first == 0) g_first = r->start;
      std::printf("%s,%d,%lld,%llu,%lld,%lld,%u\n", g_scene, (int)r->counterKind, (long long)(r->address - (unsigned long long)g_base),
                  (unsigned long long)r->value, (long long)(r->start - g_first), (long long)(r->end - r->start), (unsigned)r->flags);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto* k = (const CUpti_ActivityKernel4*)record;
      std::printf("%s,kernel,0,0,%lld,%lld,0\n", g_scene, (long long)(k->start - g_first), (long long)(k->end - k->start));
    }
  }
  free(buffer);
}
int main() {
  CHECK(cudaFree(nullptr));
  CHECK(cuptiActivityRegisterCallbacks(request, complete));
  CUpti_ActivityUnifiedMemoryCounterConfig config[3] = {};
  const CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
                                                          CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
                                                          CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT};
  for (int i = 0; i < 3; ++i) {
    config[i].scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
    config[i].kind = kinds[i];
    config[i].deviceId = 0;
    config[i].enable = 1;
  }
  CHECK(cuptiActivityConfigureUnifiedMemoryCounter(config, 3));
  CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
  CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  std::printf("scene,kind,offset,value,start_ns,duration_ns,flags\n");
  const size_t bytes = 16 << 20;
  const auto scene = [&](const char* name, bool host, auto launch) {
    g_scene = name;
    g_first = 0;
    CHECK(cudaMallocManaged(&g_base, bytes));
    if (host) std::memset(g_base, 1, bytes);
    launch();
    CHECK(cudaDeviceSynchronize());
    CHECK(cuptiActivityFlushAll(1));
    CHECK(cudaFree(g_base));
    CHECK(cuptiActivityFlushAll(1));
  };
  for (int round = 0; round < 2; ++round) {
    const bool last = round == 1;
    scene(last ? "sweep_new" : "warm", false, [&] { touch<<<132, 256>>>(g_base, bytes, 4, 1); });
    scene(last ? "sweep_host" : "warm", true, [&] { touch<<<132, 256>>>(g_base, bytes, 4, 0); });
    scene(last ? "sweep_few" : "warm", true, [&] { touch<<<8, 32>>>(g_base, bytes, 4, 0); });
    scene(last ? "sweep_many" : "warm", true, [&] { touch<<<1056, 1024>>>(g_base, bytes, 4, 0); });
    scene(last ? "scatter" : "warm", true, [&] { scatter<<<132, 256>>>(g_base, bytes, 4); });
    scene(last ? "scatter_one_block" : "warm", true, [&] { scatter<<<1, 256>>>(g_base, bytes, 4); });
  }
}
