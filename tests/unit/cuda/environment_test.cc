#include "cuda/environment.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "base/error.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("environment: the number of threads is 1 unless the variable is set") {
  setenv(kGpuVariable, "gpu.yaml", 1);
  const auto threads_of = [](const char* value) {
    setenv(kThreadsVariable, value, 1);
    return read_environment().options.threads;
  };
  CHECK(threads_of("") == 1);
  CHECK(threads_of("1") == 1);
  CHECK(threads_of("256") == 256);
  CHECK_THROWS_WITH(threads_of("257"), "WARPSIM_THREADS='257': expected at most 256");
  CHECK_THROWS_WITH(threads_of("two"), "WARPSIM_THREADS='two': expected an integer of at least 1");
  unsetenv(kThreadsVariable);
  CHECK(read_environment().options.threads == 1);
  unsetenv(kGpuVariable);
  CHECK_THROWS_AS(read_environment(), UserError);
}

TEST_CASE("environment: CUDA_VISIBLE_DEVICES selects and orders the GPUs") {
  using Names = std::vector<std::string>;
  const Names gpus = {"a", "b", "c"};
  CHECK(visible_gpus(gpus, "1") == Names{"b"});
  CHECK(visible_gpus(gpus, "2, 0") == Names{"c", "a"});
  CHECK(visible_gpus(gpus, "0,7,1") == Names{"a"});
  CHECK(visible_gpus(gpus, "1,-1,0") == Names{"b"});
  for (const char* const none : {"", "-1", "NoDevFiles", "3", "1,1"}) {
    CHECK(visible_gpus(gpus, none).empty());
  }
  CHECK_THROWS_WITH(visible_gpus(gpus, "GPU-1234"), Catch::Contains("CUDA_VISIBLE_DEVICES='GPU-1234'"));
  setenv(kGpuVariable, "x\ny", 1);
  CHECK(read_environment().gpus == Names{"x", "y"});
  setenv(kVisibleVariable, "1", 1);
  CHECK(read_environment().gpus == Names{"y"});
  setenv(kVisibleVariable, "", 1);
  CHECK(read_environment().gpus.empty());
  unsetenv(kVisibleVariable);
  unsetenv(kGpuVariable);
}

}  // namespace
}  // namespace warpsim::cuda
