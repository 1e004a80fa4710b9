#include "cuda/memory/host_faults.h"

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>

namespace warpsim::cuda {
namespace {

std::string line_of(const DeviceMemory* memory, Address address) {
  std::array<char, 512> text;
  return {text.data(), describe_host_fault(memory, address, text.data(), text.size())};
}

TEST_CASE("host faults: the line names the address and the allocation") {
  DeviceMemory memory(1 << 20);
  const Address data = memory.allocate(100);
  const Address table = memory.allocate(64, 512, "table");
  CHECK(line_of(&memory, data + 12) ==
        fmt::format("warpsim: the host program accesses device memory at {:#x}, 12 bytes into the allocation of 100 "
                    "bytes at {:#x}; copy it with cudaMemcpy or use managed memory\n",
                    data + 12, data));
  CHECK(line_of(&memory, table).find("64 bytes at " + fmt::format("{:#x} of table;", table)) != std::string::npos);
  memory.release(data);
  CHECK(line_of(&memory, data).find("in memory that was freed: 100 bytes at") != std::string::npos);
  CHECK(line_of(&memory, data + 200).find("which the host cannot access") != std::string::npos);
  CHECK(line_of(nullptr, data).find("which the host cannot access") != std::string::npos);
}

TEST_CASE("host faults: freed managed memory is named, to the end of its last page") {
  DeviceMemory memory(1 << 20);
  REQUIRE(memory.has_managed());
  const Address data = memory.allocate_managed(100, 512, "table");
  memory.release(data);
  const std::string rest = fmt::format("in memory that was freed: 100 bytes at {:#x} of table\n", data);
  CHECK(line_of(&memory, data + 8) ==
        fmt::format("warpsim: the host program accesses managed memory at {:#x}, ", data + 8) + rest);
  CHECK(line_of(&memory, data + 4095).ends_with(rest));
  CHECK_FALSE(line_of(&memory, data + 4096).ends_with(rest));
}

TEST_CASE("host faults: a line that is too long is truncated and terminated") {
  DeviceMemory memory(1 << 20);
  const Address data = memory.allocate(100, 512, std::string(600, 'x'));
  const std::string line = line_of(&memory, data);
  CHECK(line.size() == 512);
  CHECK(line.back() == '\n');
}

}  // namespace
}  // namespace warpsim::cuda
