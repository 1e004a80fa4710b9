// What cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col write: maps with one field changed at a time and with random
// fields. Output: a line for each map with its fields and its 32 words.
#include <cuda.h>

#include <cstdio>

#include "../cuda_check.h"

namespace {

struct Map {
  bool columns = false;
  unsigned type = 6;
  unsigned rank = 4;
  unsigned long long address = 0x7f0000000000ULL;
  unsigned long long size[5] = {64, 32, 16, 8, 4};
  unsigned long long stride[4] = {128, 4096, 65536, 524288};
  unsigned box[5] = {8, 4, 2, 1, 1};
  unsigned step[5] = {1, 1, 1, 1, 1};
  unsigned swizzle = 0;
  unsigned promotion = 0;
  unsigned fill = 0;
  unsigned channels = 32;
  unsigned pixels = 16;
  int lower[3] = {0, 0, 0};
  int upper[3] = {0, 0, 0};
};

void print(const Map& m) {
  CUtensorMap map = {};
  const auto type = static_cast<CUtensorMapDataType>(m.type);
  const auto swizzle = static_cast<CUtensorMapSwizzle>(m.swizzle);
  const auto promotion = static_cast<CUtensorMapL2promotion>(m.promotion);
  const auto fill = static_cast<CUtensorMapFloatOOBfill>(m.fill);
  const auto* const sizes = reinterpret_cast<const cuuint64_t*>(m.size);
  const auto* const strides = reinterpret_cast<const cuuint64_t*>(m.stride);
  const CUresult code =
      m.columns ? cuTensorMapEncodeIm2col(&map, type, m.rank, reinterpret_cast<void*>(m.address), sizes, strides,
                                          m.lower, m.upper, m.channels, m.pixels, m.step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                          swizzle, promotion, fill)
                : cuTensorMapEncodeTiled(&map, type, m.rank, reinterpret_cast<void*>(m.address), sizes, strides, m.box,
                                         m.step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion, fill);
  if (code != CUDA_SUCCESS) {
    return;
  }
  std::printf("%s %u %u %llx", m.columns ? "columns" : "tiled", m.type, m.rank, m.address);
  for (const unsigned long long v : m.size)
    std::printf(" %llu", v);
  for (const unsigned long long v : m.stride)
    std::printf(" %llu", v);
  for (const unsigned v : m.box)
    std::printf(" %u", v);
  for (const unsigned v : m.step)
    std::printf(" %u", v);
  std::printf(" %u %u %u %u %u", m.swizzle, m.promotion, m.fill, m.channels, m.pixels);
  for (const int v : m.lower)
    std::printf(" %d", v);
  for (const int v : m.upper)
    std::printf(" %d", v);
  const auto* const words = reinterpret_cast<const unsigned*>(&map);
  for (int i = 0; i < 32; ++i)
    std::printf(" %08x", words[i]);
  std::printf("\n");
}

unsigned random(unsigned below) {
  static unsigned state = 1;
  state = state * 1664525U + 1013904223U;
  return (state >> 8U) % below;
}

}  // namespace

int main() {
  CHECK(cudaFree(nullptr));
  for (unsigned rank = 1; rank <= 5; ++rank) {
    for (unsigned type = 0; type < 13; ++type) {
      Map m;
      m.rank = rank;
      m.type = type;
      m.stride[0] = 512;
      m.box[0] = 16;
      print(m);
    }
  }
  for (unsigned swizzle = 0; swizzle < 4; ++swizzle) {
    Map m;
    m.swizzle = swizzle;
    m.promotion = swizzle;
    m.fill = swizzle & 1U;
    print(m);
    m.columns = true;
    m.channels = 8U << swizzle;
    print(m);
  }
  for (unsigned rank = 3; rank <= 5; ++rank) {
    for (unsigned i = 0; i + 2 < rank; ++i) {
      for (const int v : {-128, -16, -5, -1, 3, 15, 127}) {
        Map m;
        m.columns = true;
        m.rank = rank;
        m.lower[i] = v;
        print(m);
        m.lower[i] = 0;
        m.upper[i] = v;
        print(m);
      }
    }
  }
  for (const unsigned pixels : {1U, 100U, 256U, 1024U}) {
    Map m;
    m.columns = true;
    m.pixels = pixels;
    print(m);
  }
  for (int i = 0; i < 100; ++i) {
    constexpr unsigned kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    Map m;
    m.type = random(13);
    m.rank = 1 + random(5);
    m.address = 0x700000000000ULL + random(1U << 24U) * 65536ULL + random(4096) * 16ULL;
    for (int k = 0; k < 5; ++k) {
      m.size[k] = 1 + random(1U << (4 + 5 * k));
      m.box[k] = 1 + random(4);
      m.step[k] = k == 0 ? 1 : 1 + random(8);
    }
    m.box[0] = 16 / kBytes[m.type] * (1 + random(2));
    for (int k = 0; k < 4; ++k) {
      m.stride[k] = 16ULL * (1 + random(1U << 23U)) << random(9);
    }
    m.swizzle = random(4);
    m.promotion = random(4);
    m.fill = m.type >= 6 ? random(2) : 0;
    print(m);
  }
  return 0;
}
