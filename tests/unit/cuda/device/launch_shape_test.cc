// Which launches a GPU allows.
#include "cuda/device/launch_shape.h"

#include <catch2/catch.hpp>

#include "cuda/device/gpu_description.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("Launch shape: sizes and needs are checked against the GPU") {
  const GpuDescription gpu = describe_gpu(WARPSIM_SOURCE_DIR "/configs/h200.yaml", {});
  KernelInfo kernel;
  kernel.name = "k";
  kernel.registers = 32;
  kernel.most_threads_per_block = 512;
  std::uint32_t resident = 0;
  const auto outcome = [&](const Launch& launch) {
    return check_shape(gpu.config, 132, kernel, launch, resident).failure;
  };
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {256, 1, 1};
  launch.cluster = {1, 1, 1};
  CHECK(check_shape(gpu.config, 132, kernel, launch, resident));
  CHECK(resident == 132 * 8);  // 2,048 threads in each SM
  Launch other = launch;
  other.block = {513, 1, 1};
  CHECK(outcome(other) == Failure::kInvalidConfiguration);
  other = launch;
  other.grid = {1, 65536, 1};
  CHECK(outcome(other) == Failure::kInvalidConfiguration);
  other = launch;
  other.cluster = {3, 1, 1};
  CHECK(outcome(other) == Failure::kInvalidConfiguration);
  other = launch;
  other.dynamic_shared_bytes = 1U << 20U;
  CHECK(outcome(other) == Failure::kOutOfResources);
  other = launch;
  other.grid = {132 * 8 + 1, 1, 1};
  CHECK(outcome(other) == Failure::kNone);
  other.cooperative = true;
  CHECK(outcome(other) == Failure::kCooperativeTooLarge);
}

}  // namespace
}  // namespace warpsim::cuda
