// What all probes share: properties of the device, results by name, memory, and the clock of an SM.
//
// A probe is a function that launches kernels and adds values. The same program runs on the GPU and on a description of
// it
// (`warpsim exec`), so that a value means the same for both.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace calibration {

// Ends the program with an error if a call failed.
void require(cudaError_t error, const char* call);
#define REQUIRE(call) ::calibration::require((call), #call)

struct Device {
  int sms = 0;
  int capability = 0;  // major times 10 plus minor
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  bool empties_l2 = false;  // before reads of DRAM: a driver may have filled the memory. Simulated caches are empty
};

Device query_device();

// Values of all repetitions, in the order in which their names first appear.
class Results {
 public:
  void add(const std::string& name, const char* unit, double value);
  // "name,unit,median,min,max,runs" and one line for each name.
  void print() const;

 private:
  struct Series {
    std::string name;
    std::string unit;
    std::vector<double> values;
  };
  std::vector<Series> series_;
  std::map<std::string, std::size_t> index_;
};

// Memory of the device, uninitialised: no probe depends on its contents.
template <typename T>
class Memory {
 public:
  explicit Memory(std::size_t count) : count_(count) { REQUIRE(cudaMalloc(&data_, count * sizeof(T))); }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  T* get() const { return data_; }
  std::vector<T> copy() const {
    std::vector<T> host(count_);
    REQUIRE(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

// Waits for the launched kernels.
inline void finish() {
  REQUIRE(cudaGetLastError());
  REQUIRE(cudaDeviceSynchronize());
}

// `percent` of the values are not above the result.
double percentile(std::vector<double> values, double percent);
double mean(const std::vector<double>& values);

// Start and end of each part of a kernel, pairs of clocks of one SM.
struct Span {
  long long start;
  long long end;
};

// Cycles from the first start to the last end of `count` spans of one SM.
double cycles_of(const std::vector<Span>& spans, std::size_t first, std::size_t count);

__device__ __forceinline__ long long now() {
  long long time;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(time)::"memory");
  return time;
}

__device__ __forceinline__ unsigned sm_of_block() {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

__device__ __forceinline__ unsigned load_beyond_l1(const unsigned* address) {
  unsigned value;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

// Each adds the values of one part of the GPU. They are listed in main.cu.
void probe_instruction_latency(const Device&, Results&);
void probe_instruction_rate(const Device&, Results&);
void probe_shared(const Device&, Results&);
void probe_l1(const Device&, Results&);
void probe_constant(const Device&, Results&);
void probe_code(const Device&, Results&);
void probe_barriers(const Device&, Results&);
void probe_l2_latency(const Device&, Results&);
void probe_l2_rate_of_sm(const Device&, Results&);
void probe_l2_rate(const Device&, Results&);
void probe_l2_capacity(const Device&, Results&);
void probe_atomics(const Device&, Results&);
void probe_dram_latency(const Device&, Results&);
void probe_dram_read(const Device&, Results&);
void probe_dram_write(const Device&, Results&);
void probe_dram_copy(const Device&, Results&);
void probe_launch(const Device&, Results&);
void probe_blocks(const Device&, Results&);
void probe_sides(const Device&, Results&);
void probe_clusters(const Device&, Results&);

}  // namespace calibration
