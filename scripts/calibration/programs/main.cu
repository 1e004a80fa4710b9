// Runs probes by name and prints their values.
//
//   probes [--repetitions N] [--warm-up MILLISECONDS] [--empty-l2] [PROBE...]   all probes without a name
//   probes --device                                                             properties, "name,value"
//   probes --list                                                               the names of the probes
//
// --warm-up raises the clock of a GPU before each probe, --empty-l2 removes what its driver has left in L2.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "probe.h"

using namespace calibration;

namespace {

struct NamedProbe {
  const char* name;
  void (*run)(const Device&, Results&);
};

constexpr NamedProbe kProbes[] = {
    {"instruction_latency", probe_instruction_latency},
    {"instruction_rate", probe_instruction_rate},
    {"shared", probe_shared},
    {"l1", probe_l1},
    {"constant", probe_constant},
    {"code", probe_code},
    {"barriers", probe_barriers},
    {"l2_latency", probe_l2_latency},
    {"l2_rate_of_sm", probe_l2_rate_of_sm},
    {"l2_rate", probe_l2_rate},
    {"l2_capacity", probe_l2_capacity},
    {"atomics", probe_atomics},
    {"dram_latency", probe_dram_latency},
    {"dram_read", probe_dram_read},
    {"dram_write", probe_dram_write},
    {"dram_copy", probe_dram_copy},
    {"launch", probe_launch},
    {"blocks", probe_blocks},
    {"sides", probe_sides},
    {"clusters", probe_clusters},
};

const NamedProbe& find_probe(const char* name) {
  for (const NamedProbe& probe : kProbes) {
    if (std::strcmp(probe.name, name) == 0) {
      return probe;
    }
  }
  std::fprintf(stderr, "probes: no probe '%s'; --list prints their names\n", name);
  std::exit(2);
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  REQUIRE(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

void print_device() {
  cudaDeviceProp properties{};
  REQUIRE(cudaGetDeviceProperties(&properties, 0));
  int driver = 0;
  REQUIRE(cudaDriverGetVersion(&driver));
  std::printf("name,value\n");
  std::printf("name,%s\n", properties.name);
  std::printf("driver_version,%d\n", driver);
  std::printf("toolkit_version,%d\n", CUDART_VERSION);
  const auto print = [](const char* name, unsigned long long value) { std::printf("%s,%llu\n", name, value); };
  print("compute_capability_major", properties.major);
  print("compute_capability_minor", properties.minor);
  print("sms", properties.multiProcessorCount);
  print("memory_bytes", properties.totalGlobalMem);
  print("l2_bytes", properties.l2CacheSize);
  print("core_khz", attribute(cudaDevAttrClockRate));
  print("memory_khz", attribute(cudaDevAttrMemoryClockRate));
  print("memory_bus_bits", attribute(cudaDevAttrGlobalMemoryBusWidth));
  print("threads_per_sm", properties.maxThreadsPerMultiProcessor);
  print("threads_per_block", properties.maxThreadsPerBlock);
  print("blocks_per_sm", attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
  print("registers_per_sm", properties.regsPerMultiprocessor);
  print("registers_per_block", properties.regsPerBlock);
  print("shared_bytes_per_sm", properties.sharedMemPerMultiprocessor);
  print("shared_bytes_per_block", attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  print("shared_bytes_per_block_default", properties.sharedMemPerBlock);
  print("shared_reserved_per_block_bytes", properties.reservedSharedMemPerBlock);
}

// Rounds of dependent multiplications on all SMs: a GPU raises its clock under load.
__global__ void spin(unsigned* out, int rounds) {
  unsigned x = threadIdx.x + blockIdx.x;
  for (int i = 0; i < rounds; ++i) {
    x = x * 1664525U + 1013904223U;
  }
  if (x == 42U) {
    *out = x;
  }
}

void warm_up(const Device& device, int milliseconds) {
  if (milliseconds <= 0) {
    return;
  }
  const Memory<unsigned> out(1);
  constexpr int kRoundsPerMillisecond = 300000;  // four to six cycles each, at 1.2 to 2 GHz
  for (int i = 0; i < milliseconds; ++i) {
    spin<<<device.sms, 256>>>(out.get(), kRoundsPerMillisecond);
  }
  finish();
}

}  // namespace

int main(int argc, char** argv) {
  int repetitions = 1;
  int warm_up_milliseconds = 0;
  bool empties_l2 = false;
  std::vector<NamedProbe> selected;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--list") {
      for (const NamedProbe& probe : kProbes) {
        std::printf("%s\n", probe.name);
      }
      return 0;
    }
    if (argument == "--device") {
      print_device();
      return 0;
    }
    if (argument == "--empty-l2") {
      empties_l2 = true;
      continue;
    }
    if ((argument == "--repetitions" || argument == "--warm-up") && i + 1 < argc) {
      const int value = std::atoi(argv[++i]);
      (argument == "--repetitions" ? repetitions : warm_up_milliseconds) = value;
      continue;
    }
    selected.push_back(find_probe(argv[i]));
  }
  if (selected.empty()) {
    selected.assign(std::begin(kProbes), std::end(kProbes));
  }
  Device device = query_device();
  device.empties_l2 = empties_l2;
  Results results;
  for (const NamedProbe& probe : selected) {
    warm_up(device, warm_up_milliseconds);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      probe.run(device, results);
    }
  }
  results.print();
  return 0;
}
