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

}  // namespace
}  // namespace warpsim::cuda
