#include "cuda/memory/host_memory.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "cuda/memory/memory_calls.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {

TEST_CASE("Host memory: a block is found by any of its bytes, and freed as a whole") {
  test::CudaProgram program;
  Context& context = process_context();
  auto* const data = static_cast<std::byte*>(allocate_host(context, 100, 4));
  CHECK(host_block(context, data + 99).second.bytes == 100);
  CHECK(host_block(context, data).second.flags == 4);
  CHECK_THROWS_AS(host_block(context, data + 100), CallError);
  CHECK_THROWS_AS(release_host(context, data + 1), CallError);
  release_host(context, data);
  CHECK_THROWS_AS(host_block(context, data), CallError);
}

TEST_CASE("Host memory: pinned memory is not staged, pageable memory is") {
  test::CudaProgram program;
  Context& context = process_context();
  auto* const pinned = static_cast<std::byte*>(allocate_host(context, 64, 0));
  std::vector<std::byte> pageable(64);
  CHECK_FALSE(linear_box(context, pinned, 64, Side::kHost).pageable);
  CHECK(linear_box(context, pageable.data(), 64, Side::kHost).pageable);
  register_host(context, pageable.data(), 64, 0);
  CHECK_FALSE(linear_box(context, pageable.data(), 64, Side::kEither).pageable);
  unregister_host(context, pageable.data());
  CHECK_THROWS_AS(unregister_host(context, pageable.data()), CallError);
  release_host(context, pinned);
}

}  // namespace warpsim::cuda
