// Costs of translation: first touches of addresses that were never used, reach of the level that all SMs share, entries of
// the first level, and the rate of misses by the SMs that miss. The same physical memory is mapped at many addresses, so
// that the data are in L2.
#include "chains.h"

void first_touches(const Physical& m, const char* name) {
  // Every time addresses that nobody has used.
  const uint64_t bytes = 2048 * kGiB;
  const uint64_t known = map(m, 16 * kGiB);
  for (uint64_t stride : {2 * kMiB, 8 * kMiB, 32 * kMiB, 128 * kMiB, 512 * kMiB, 2 * kGiB, 8 * kGiB, 32 * kGiB}) {
    const uint64_t range = std::min(bytes, std::max(64 * stride, kGiB));
    for (int turn = 0; turn < 3; ++turn) {
      const uint64_t va = map(m, range);
      const uint32_t n = 64;
      // The same lines under addresses that are known: their data to L2.
      Chain c{va, stride, 4096ull * (turn + 1), 128, n, 1, 64};
      for (uint32_t i = 0; i < n; ++i) {
        Chain one{known + (i * stride) % (16 * kGiB), 0, c.offset + i * 128, 0, 1, 1, 1};
        run(one, 7, 1, 1);
      }
      std::vector<uint32_t> each;
      // In this order: all cold, same SM, same first-level group, other GPC near, other GPC far, then again.
      int k = 0;
      for (uint32_t sm : {0u, 0u, 1u, 48u, 16u, 2u, 4u, 4u, 6u}) {
        run(c, sm, 0, n, &each);
        printf("first,%s,%llu,%d,%d,%u", name, (unsigned long long)(stride / kMiB), turn, k++, sm);
        for (uint32_t x : each) printf(",%u", x);
        printf("\n");
      }
      unmap(va, range);
    }
  }
  unmap(known, 16 * kGiB);
  fflush(stdout);
}

int main() {
  CHECK(cudaSetDevice(0));
  CHECK(cudaFree(nullptr));
  CHECK(cudaDeviceGetAttribute(&g_sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaFuncSetAttribute(follow, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  CHECK(cudaFuncSetAttribute(random_loads, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  CHECK(cudaMalloc(&g_each, 8192 * 4));
  CHECK(cudaMalloc(&g_cycles, 1024 * 4));
  CHECK(cudaMalloc(&g_mean, 8));
  CHECK(cudaMalloc(&g_out, 8));
  CHECK(cudaMalloc(&g_takes, 1024));
  for (int kind = 0; kind < 2; ++kind) {
    const char* name = kind == 0 ? "512m" : "2m_shuffled";
    const Physical m = create(16 * kGiB, kind == 0 ? 512 * kMiB : 2 * kMiB);
    {
      const uint64_t va = map(m, 16 * kGiB);
      CHECK(cudaMemset(reinterpret_cast<void*>(va), 0, 16 * kGiB));
      CHECK(cudaDeviceSynchronize());
      unmap(va, 16 * kGiB);
    }
    fprintf(stderr, "%s\n", name);
    if (kind == 0) first_touches(m, name);
    // Entries of the first levels: lines of one set of 64 offsets, the same for all.
    const uint64_t bytes = (kind == 0 ? 2048 : 256) * kGiB;
    const uint64_t va = map(m, bytes);
    fprintf(stderr, "mapped\n");
    for (uint64_t stride : {2 * kMiB, 4 * kMiB, 8 * kMiB, 16 * kMiB, 32 * kMiB, 64 * kMiB, 512 * kMiB}) {
      for (uint32_t n = 1; n <= 300; n = n < 40 ? n + 1 : n * 5 / 4) {
        if (n * stride > bytes / 2) break;
        double sum = 0, pair = 0;
        const int offsets = n < 40 ? 24 : 6;
        for (int o = 0; o < offsets; ++o) {
          const Chain c{va, stride, 8192ull * o, 128, n, 1, 64};
          const Chain d{va + bytes / 2, stride, 8192ull * o, 128, n, 1, 64};
          const uint32_t count = std::max(256u, 2 * n);
          sum += run(c, 0, 2 * n + 64, count) / offsets;
          pair += run(c, 0, d, 1, 2 * n + 64, count) / offsets;
        }
        printf("entries,%s,%llu,%u,%.1f,%.1f\n", name, (unsigned long long)(stride / kMiB), n, sum, pair);
      }
      fflush(stdout);
    }
    // Reach of the shared levels.
    for (uint64_t stride : {2 * kMiB, 8 * kMiB, 32 * kMiB, 64 * kMiB, 128 * kMiB, 512 * kMiB}) {
      for (uint32_t n = 512; n <= 1u << 20; n = n * 5 / 4) {
        if (n * stride > bytes) break;
        const Chain c{va, stride, 0, 128, n, coprime(n), 4096};
        const double near = run(c, 0, 2 * n, n), far = run(c, 4, 2 * n, n);
        printf("reach,%s,%llu,%u,%.1f,%.1f\n", name, (unsigned long long)(stride / kMiB), n, near, far);
      }
      fflush(stdout);
    }
    // Rates by who takes part: pages over more and more addresses.
    struct Set {
      const char* name;
      std::vector<int> sms;
    };
    std::vector<Set> sets;
    auto range = [&](int n, int step) {
      std::vector<int> v;
      for (int i = 0; i < n; ++i) v.push_back(i * step);
      return v;
    };
    sets.push_back({"sm_0", {0}});
    sets.push_back({"tpc_0", {0, 1}});
    sets.push_back({"cpc_0", {0, 1, 48, 49, 128, 129}});
    sets.push_back({"sm_4", {4}});
    sets.push_back({"tpc_4", {4, 5}});
    sets.push_back({"cpc_4", {4, 5, 52, 53, 94, 95}});
    sets.push_back({"cpc_20", {20, 21, 66, 67, 108, 109}});
    sets.push_back({"gpc_2_two_cpcs", {4, 5, 52, 53, 94, 95, 20, 21, 66, 67, 108, 109}});
    sets.push_back({"gpc_2", {4, 5, 20, 21, 36, 37, 52, 53, 66, 67, 80, 81, 94, 95, 108, 109}});
    sets.push_back({"cpcs_of_gpcs_2_3", {4, 5, 52, 53, 94, 95, 6, 7, 54, 55, 96, 97}});
    sets.push_back({"cpcs_of_gpcs_2_3_4_6", {4, 5, 52, 53, 94, 95, 6, 7, 54, 55, 96, 97, 8, 9, 56, 57, 98, 99, 12, 13, 60, 61, 102, 103}});
    sets.push_back({"first_16", range(16, 1)});
    sets.push_back({"first_48", range(48, 1)});
    sets.push_back({"every_second", range(g_sms / 2, 2)});
    sets.push_back({"all", range(g_sms, 1)});
    for (const Set& set : sets) {
      std::vector<uint8_t> takes(1024, 0);
      for (int s : set.sms) takes[s] = 1;
      CHECK(cudaMemcpy(g_takes, takes.data(), 1024, cudaMemcpyHostToDevice));
      for (uint64_t gib : {16ull, 64ull, 80ull, 96ull, 128ull, 256ull, 1024ull}) {
        if (gib * kGiB > bytes) continue;
        for (int warps : {1, 4, 32}) {
          const uint32_t pages = gib * 512;
          const Chain c{va, 2 * kMiB, 0, 256, pages, 1, 4096};
          random_loads<<<g_sms, 32 * warps, kShared>>>(c, g_takes, 128, g_out, g_cycles);
          random_loads<<<g_sms, 32 * warps, kShared>>>(c, g_takes, 128, g_out, g_cycles);
          CHECK(cudaDeviceSynchronize());
          std::vector<uint32_t> cycles(g_sms);
          CHECK(cudaMemcpy(cycles.data(), g_cycles, g_sms * 4, cudaMemcpyDeviceToHost));
          double mean = 0;
          for (int s : set.sms) mean += static_cast<double>(cycles[s]) / set.sms.size();
          printf("rate,%s,%s,%zu,%llu,%d,%.5f\n", name, set.name, set.sms.size(), (unsigned long long)gib, warps,
                 32.0 * warps * 128 * set.sms.size() / mean);
        }
      }
      fflush(stdout);
    }
    unmap(va, bytes);
    for (auto h : m.handles) CHECK(cuMemRelease(h));
  }
  return 0;
}
