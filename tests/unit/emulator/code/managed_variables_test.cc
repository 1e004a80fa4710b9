#include "emulator/code/managed_variables.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>

#include "emulator/code/module_image.h"
#include "emulator/memory/device_memory.h"
#include "ptx/parser.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kCapacity = std::uint64_t{64} << 20U;
constexpr Address kPlace = 0x6c01'0000'0000;

constexpr const char* kVariables = R"(.version 8.0
.target sm_60
.address_size 64
.visible .global .attribute(.managed) .align 4 .u32 counter = 5;
.visible .global .align 4 .u32 own = 6;
.visible .global .align 8 .u64 pointer = counter;
)";

std::unique_ptr<ModuleImage> load(DeviceMemory& memory, const std::shared_ptr<ManagedVariables>& managed) {
  return std::make_unique<ModuleImage>(ptx::parse_module(kVariables, "v.ptx"), memory, managed);
}

std::uint64_t value(const DeviceMemory& memory, Address address, std::size_t bytes) {
  std::uint64_t read = 0;
  std::memcpy(&read, memory.host(address, bytes), bytes);
  return read;
}

TEST_CASE("managed variables: images on two GPUs refer to one variable, which keeps its value") {
  DeviceMemory first(kCapacity, DeviceMemory::Placement::kWithGaps, kPlace);
  DeviceMemory second(kCapacity, first);
  auto managed = std::make_shared<ManagedVariables>();
  CHECK(managed->find("counter") == 0);
  std::unique_ptr<ModuleImage> on_first = load(first, managed);
  const Address counter = on_first->address_of(0);
  CHECK(managed->find("counter") == counter);
  CHECK(value(first, counter, 4) == 5);
  const std::uint32_t changed = 9;
  std::memcpy(first.host(counter, 4), &changed, 4);

  std::unique_ptr<ModuleImage> on_second = load(second, managed);
  CHECK(on_second->address_of(0) == counter);
  CHECK(value(second, counter, 4) == 9);  // not initialised again
  CHECK(on_second->address_of(1) != on_first->address_of(1));
  CHECK(value(second, on_second->address_of(1), 4) == 6);
  CHECK(value(second, on_second->address_of(2), 8) == counter);

  // It exists as long as one of the images.
  managed.reset();
  on_first.reset();
  CHECK(first.find(counter) != nullptr);
  on_second.reset();
  CHECK(first.find(counter) == nullptr);
}

TEST_CASE("managed variables: code on one GPU has its own") {
  DeviceMemory memory(kCapacity, DeviceMemory::Placement::kWithGaps, kPlace);
  std::unique_ptr<ModuleImage> image = load(memory, nullptr);
  const std::unique_ptr<ModuleImage> other = load(memory, std::make_shared<ManagedVariables>());
  const Address counter = image->address_of(0);
  CHECK(other->address_of(0) != counter);
  image.reset();
  CHECK(memory.find(counter) == nullptr);
}

}  // namespace
}  // namespace warpsim
