// Which priorities streams can have on a GPU.
#include <catch2/catch.hpp>
#include <string>

#include "cuda/calls.h"
#include "cuda/device/device_properties.h"
#include "cuda/driver/driver_api.h"
#include "cuda/modules/program_objects.h"
#include "cuda/runtime/runtime_api.h"

namespace warpsim::cuda {
namespace {

constexpr int kPrioritiesSupported = 78;

TEST_CASE("stream priorities: the range is that of the GPU, and others become the nearest of it") {
  struct Gpu {
    const char* name;
    int greatest;
  };
  for (const Gpu& gpu : {Gpu{"gtx480", 0}, Gpu{"k40", -1}, Gpu{"gtx1080", -2}, Gpu{"h200", -5}}) {
    INFO(gpu.name);
    process_context().use_device(
        make_device(WARPSIM_SOURCE_DIR "/configs/" + std::string(gpu.name) + ".yaml", {.functional_only = true}));
    int least = -9;
    int greatest = -9;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == kSuccess);
    CHECK(least == 0);
    CHECK(greatest == gpu.greatest);
    int of_driver = -9;
    CHECK(cuCtxGetStreamPriorityRange(nullptr, &of_driver) == kSuccess);
    CHECK(of_driver == gpu.greatest);
    CHECK(first_priority(process_context().device().config()) == gpu.greatest);
    int supported = -1;
    CHECK(cudaDeviceGetAttribute(&supported, kPrioritiesSupported, 0) == kSuccess);
    CHECK(supported == (gpu.greatest < 0 ? 1 : 0));
    StreamHandle stream = nullptr;
    int priority = 1;
    REQUIRE(cudaStreamCreateWithPriority(&stream, 1, -100) == kSuccess);
    CHECK(cudaStreamGetPriority(stream, &priority) == kSuccess);
    CHECK(priority == gpu.greatest);
    REQUIRE(cudaStreamCreateWithPriority(&stream, 1, 3) == kSuccess);
    CHECK(cudaStreamGetPriority(stream, &priority) == kSuccess);
    CHECK(priority == 0);
    process_context().use_device(nullptr);
  }
}

}  // namespace
}  // namespace warpsim::cuda
