// The hash that NVIDIA's runtime requests of the driver. Expected results of the third request: computed by a separate
// implementation of RFC 1319 and RFC 2104.
#include "cuda/driver/tables/runtime_handshake.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

namespace warpsim::cuda {
namespace {

using Answer = std::array<std::uint64_t, 2>;

HandshakeFacts facts(std::uint32_t version) {
  HandshakeFacts made{13000, version, 1234, 0x89abcdef, nullptr, nullptr, nullptr, 1700000000};
  made.runtime_table = reinterpret_cast<const void*>(0x1000);       // NOLINT(performance-no-int-to-ptr)
  made.handshake_table = reinterpret_cast<const void*>(0x2000);     // NOLINT(performance-no-int-to-ptr)
  made.handshake_function = reinterpret_cast<const void*>(0x3000);  // NOLINT(performance-no-int-to-ptr)
  return made;
}

TEST_CASE("handshake: the first two answers are constants") {
  CHECK(handshake(facts(13000), {}) == Answer{0x3341181c03cb675c, 0x8ed383aa1f4cd1e8});
  CHECK(handshake(facts(12081), {}) == Answer{0x1841181c03cb675c, 0x8ed383aa1f4cd1e8});
}

TEST_CASE("handshake: the third answer is a hash of process, addresses, time and GPUs") {
  CHECK(handshake(facts(13002), {}) == Answer{0x1b00557947e06c03, 0x03905e8ef397815a});
  HandshakeGpu gpu{{}, 0, 0x19, 0};
  std::strcpy(gpu.uuid.bytes, "NVIDIA H200");
  CHECK(handshake(facts(13002), std::vector<HandshakeGpu>{gpu}) == Answer{0xf613f0467273b5b5, 0x893f8108d27efd35});
}

}  // namespace
}  // namespace warpsim::cuda
