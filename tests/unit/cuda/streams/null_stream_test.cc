// The stream of calls without one.
#include "cuda/streams/null_stream.h"

#include <catch2/catch.hpp>
#include <thread>

#include "cuda/calls.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("null stream: the call after a second name takes the note, the next one does not") {
  CHECK_FALSE(null_stream_is_own());
  warpsimNullStreamIsOwn = true;
  {
    const NullStreamOfCall call;
    CHECK(null_stream_is_own());
    {
      const NullStreamOfCall nested;
      CHECK_FALSE(null_stream_is_own());
    }
    CHECK(null_stream_is_own());
  }
  CHECK_FALSE(null_stream_is_own());
  CHECK_FALSE(warpsimNullStreamIsOwn);
}

TEST_CASE("null stream: without a stream each thread has one, and the legacy stream keeps its handle") {
  test::CudaProgram program;
  Context& context = process_context();
  const Stream& legacy = context.stream(nullptr);
  const Stream* own = nullptr;
  const Stream* other = nullptr;
  const auto look = [&](const Stream*& found) {
    warpsimNullStreamIsOwn = true;
    const NullStreamOfCall call;
    found = &context.stream(nullptr);
    CHECK(&context.stream(reinterpret_cast<StreamHandle>(1)) == &legacy);  // NOLINT(performance-no-int-to-ptr)
    CHECK(&context.stream(reinterpret_cast<StreamHandle>(2)) == found);    // NOLINT(performance-no-int-to-ptr)
  };
  look(own);
  std::thread(look, std::ref(other)).join();
  CHECK(own != &legacy);
  CHECK(other != &legacy);
  CHECK(own != other);
}

}  // namespace
}  // namespace warpsim::cuda
