// Runs a kernel of a PTX file as those did who measured it: some launches first, then several in a row between two
// events. Prints the time of one in microseconds. Arrays a, b and c of zeros; the kernel takes them and two sizes.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "cuda/driver/driver_api.h"

namespace {

constexpr int kWarmUp = 1;
constexpr int kMeasured = 2;

void require(const char* what, int code) {
  if (code != 0) {
    std::fprintf(stderr, "back_to_back: %s failed: CUDA error %d\n", what, code);
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 13) {
    std::fputs(
        "usage: back_to_back PTX KERNEL GRID_X GRID_Y BLOCK_X BLOCK_Y SHARED_BYTES A_ELEMENTS B_ELEMENTS C_ELEMENTS N "
        "M\n",
        stderr);
    return 2;
  }
  std::array<unsigned, 10> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<unsigned>(std::strtoul(argv[i + 3], nullptr, 10));
  }
  const auto [grid_x, grid_y, block_x, block_y, shared_bytes, of_a, of_b, of_c, n, m] = values;
  void* context = nullptr;
  ModuleHandle module = nullptr;
  KernelHandle kernel = nullptr;
  require("start", cuInit(0));
  require("creating a context", cuCtxCreate_v2(&context, 0, 0));
  require("loading the PTX", cuModuleLoad(&module, argv[1]));
  require("finding the kernel", cuModuleGetFunction(&kernel, module, argv[2]));
  const std::array<unsigned, 3> elements{of_a, of_b, of_c};
  std::array<std::uint64_t, 3> arrays{};
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    require("allocation", cuMemAlloc_v2(&arrays[i], elements[i] * sizeof(float)));
    require("clearing", cuMemsetD8_v2(arrays[i], 0, elements[i] * sizeof(float)));
  }
  std::array<unsigned, 2> sizes{n, m};
  std::array<void*, 5> arguments{&arrays[0], &arrays[1], &arrays[2], &sizes[0], &sizes[1]};
  std::array<EventHandle, 4> events{};
  for (EventHandle& event : events) {
    require("creating an event", cuEventCreate(&event, 0));
  }
  const auto& [empty_begin, empty_end, begin, end] = events;
  for (int i = 0; i < kWarmUp + kMeasured; ++i) {
    if (i == kWarmUp) {
      require("warming up", cuCtxSynchronize());
      require("recording an event", cuEventRecord(empty_begin, nullptr));
      require("recording an event", cuEventRecord(empty_end, nullptr));
      require("waiting for the events", cuCtxSynchronize());
      require("recording an event", cuEventRecord(begin, nullptr));
    }
    require("launch", cuLaunchKernel(kernel, grid_x, grid_y, 1, block_x, block_y, 1, shared_bytes, nullptr,
                                     arguments.data(), nullptr));
  }
  require("recording an event", cuEventRecord(end, nullptr));
  require("the kernel", cuEventSynchronize(end));
  float milliseconds = 0;
  float of_events = 0;  // a small part of the time of a hundred launches, as they were measured, but not of two
  require("reading the events", cuEventElapsedTime(&milliseconds, begin, end));
  require("reading the events", cuEventElapsedTime(&of_events, empty_begin, empty_end));
  std::printf("%.3f\n", static_cast<double>(milliseconds - of_events) * 1000 / kMeasured);
  return 0;
}
