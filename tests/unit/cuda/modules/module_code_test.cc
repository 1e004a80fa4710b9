// The code that is chosen of relocatable modules, which have a fat binary for each unit.
#include "cuda/modules/module_code.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/code/fat_binary.h"
#include "cuda/handles.h"

namespace warpsim::cuda::module_code_tests {
namespace {

// A container with one entry, not compressed (fat_binary.h): kind 1 is PTX, 2 machine code.
std::vector<std::byte> container_of(std::uint16_t kind, std::uint32_t target, const std::string& payload) {
  constexpr std::size_t kHeader = 16;
  constexpr std::size_t kEntry = 64;
  std::vector<std::byte> bytes(kHeader + kEntry + payload.size());
  const auto put = [&bytes](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  put(0, kFatBinaryMagic);
  put(4, std::uint16_t{1});
  put(6, std::uint16_t{kHeader});
  put(8, std::uint64_t{kEntry + payload.size()});
  put(kHeader, kind);
  put(kHeader + 4, std::uint32_t{kEntry});
  put(kHeader + 8, std::uint64_t{payload.size()});
  put(kHeader + 28, target);
  std::memcpy(bytes.data() + kHeader + kEntry, payload.data(), payload.size());
  return bytes;
}

struct Program {
  std::vector<std::byte> first = container_of(1, 80, "// first");
  std::vector<std::byte> second;
  Module module;
  explicit Program(std::vector<std::byte> other) : second(std::move(other)) {
    module.embedded = first.data();
    module.units = {first.data(), second.data()};
  }
  std::vector<std::string> texts() const { return code_for(module, {.capability = 90}).ptx; }
};

TEST_CASE("the texts of all units are linked") {
  CHECK(Program(container_of(1, 90, "// second")).texts() == std::vector<std::string>{"// first", "// second"});
}

TEST_CASE("a unit without PTX for the GPU is an error") {
  CHECK_THROWS_AS(Program(container_of(1, 121, "// second")).texts(), NoUsablePtx);
  CHECK_THROWS_AS(Program(container_of(2, 100, "some code")).texts(), NoUsablePtx);
}

TEST_CASE("the unit of the device runtime is left out, with and without PTX for the GPU") {
  const std::string library = "cudaGetParameterBuffer calls cnpGetParameterBuffer";
  for (const std::uint32_t target : {80U, 121U}) {
    CHECK(Program(container_of(1, target, library)).texts() == std::vector<std::string>{"// first"});
    CHECK(Program(container_of(2, target, library)).texts() == std::vector<std::string>{"// first"});
  }
}

}  // namespace
}  // namespace warpsim::cuda::module_code_tests
