#include "sass/relocation.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

namespace warpsim::sass {
namespace {

using Place = std::array<std::byte, 16>;

std::uint64_t half(const Place& place, std::size_t index) {
  std::uint64_t value = 0;
  std::memcpy(&value, place.data() + 8 * index, sizeof value);
  return value;
}

const RelocationType& type_of(std::uint32_t number) {
  const RelocationType* const type = find_relocation_type(number);
  REQUIRE(type != nullptr);
  return *type;
}

TEST_CASE("types are found by number, and those of earlier architectures are unknown") {
  CHECK(type_of(2).name == "R_CUDA_64");
  CHECK(type_of(0).name == "R_CUDA_NONE");
  CHECK(type_of(115).name == "R_CUDA_CONST_FIELD22_37");
  CHECK(find_relocation_type(5) == nullptr);
  CHECK(find_relocation_type(116) == nullptr);
  CHECK(find_relocation_type(0x10002) == nullptr);
}

TEST_CASE("the halves of an address are stored in the upper half of the lower word") {
  Place place{};
  CHECK(store_value(type_of(56), 0x1122334455667788, place));
  CHECK(half(place, 0) == 0x5566778800000000);
  CHECK(store_value(type_of(57), 0x1122334455667788, place));
  CHECK(half(place, 0) == 0x1122334400000000);
  CHECK(half(place, 1) == 0);
}

TEST_CASE("a branch target is stored in units of four bytes, across both words") {
  Place place{};
  place.fill(std::byte{0xff});
  CHECK(store_value(type_of(58), 4, place));
  CHECK(half(place, 0) == 0x7ffffffff);         // bits 33 to 0, and the address's lowest bit 34
  CHECK(half(place, 1) == 0xfffffffffffe0000);  // bits 80 to 64 are zero
  CHECK(stored_value(type_of(58), place) == 4);
  CHECK_FALSE(store_value(type_of(58), 6, place));  // not a multiple of 4
  CHECK_FALSE(store_value(type_of(58), 1ULL << 49U, place));
  CHECK(store_value(type_of(58), (1ULL << 49U) - 4, place));
}

TEST_CASE("an address in two fields has its lower bits in the lower one") {
  Place place{};
  CHECK(store_value(type_of(75), 0x3fc, place));
  CHECK(half(place, 0) == 0xff0000);
  CHECK(store_value(type_of(75), 0x400, place));
  CHECK(half(place, 0) == 1ULL << 34U);
  CHECK(store_value(type_of(75), 1ULL << 40U, place));
  CHECK(half(place, 0) == 0);
  CHECK(half(place, 1) == 1);
  CHECK(stored_value(type_of(75), place) == 1ULL << 40U);
}

TEST_CASE("a constant has its offset and its bank; negative offsets are signed") {
  // LDC R, c[0x2][R - 0x7ff4], as nvlink stores it.
  Place place{};
  CHECK(store_value(type_of(66), static_cast<std::uint64_t>(0xc - 0x8000), place));
  store_bank(2, place);
  CHECK(half(place, 0) == 0x00a0030000000000);
  CHECK_FALSE(store_value(type_of(66), 0x10000, place));
  CHECK(store_value(type_of(66), 0xffff, place));
  CHECK_FALSE(store_value(type_of(64), 6, place));
}

TEST_CASE("a byte of an address is stored alone") {
  std::array<std::byte, 1> place{};
  CHECK(store_value(type_of(79), 0x1122334455667788, place));
  CHECK(place[0] == std::byte{0x55});
  CHECK(type_of(79).bytes == 1);
}

TEST_CASE("a value of 32 bits may be unsigned or signed, and not larger") {
  std::array<std::byte, 4> place{};
  CHECK(store_value(type_of(1), 0xffffffff, place));
  CHECK(store_value(type_of(1), ~std::uint64_t{0}, place));
  CHECK_FALSE(store_value(type_of(1), 0x100000000, place));
  CHECK_FALSE(store_value(type_of(1), 0xffffffff00000000, place));
}

}  // namespace
}  // namespace warpsim::sass
