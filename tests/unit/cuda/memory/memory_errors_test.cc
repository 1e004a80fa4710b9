#include "cuda/memory/memory_errors.h"

#include <catch2/catch.hpp>

#include "cuda/memory/memory_calls.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("memory errors: the message names what is at the address") {
  test::CudaProgram program;
  Context& context = process_context();
  DeviceMemory& memory = context.device().memory();
  const Address data = memory.allocate(100, 512, "table");
  CHECK_THAT(why_not(memory, data + 50, 60), Catch::Contains("end after their allocation: 100 bytes"));
  CHECK_THAT(why_not(memory, data + 50, 60), Catch::Contains("(table)"));
  memory.release(data);
  CHECK_THAT(why_not(memory, data, 1), Catch::Contains("in memory that was freed"));
  const Address reserved = memory.mapped().ranges().reserve(2 << 20U, 2 << 20U, 0)->begin;
  CHECK_THAT(why_not(memory, reserved + 1, 1), Catch::Contains("in a reserved range of 2097152 bytes"));
  CHECK_THAT(why_not(memory, 16, 1), Catch::Contains("in no allocation"));
}

TEST_CASE("memory errors: only the beginning of what the program has allocated can be freed") {
  test::CudaProgram program;
  Context& context = process_context();
  DeviceMemory& memory = context.device().memory();
  const Address data = memory.allocate(100);
  CHECK_NOTHROW(require_own(context, to_pointer(data)));
  CHECK_THROWS_WITH(require_own(context, to_pointer(data + 1)), Catch::Contains("1 bytes inside"));
  CHECK_THROWS_WITH(require_own(context, to_pointer(memory.allocate(100, 512, "table"))), Catch::Contains("table"));
  CHECK_THROWS_WITH(require_own(context, to_pointer(memory.allocate_of_pool(100, 1))), Catch::Contains("of a pool"));
}

}  // namespace
}  // namespace warpsim::cuda
