// Addresses that the driver chose, from recorded programs on an H200.
#include "emulator/memory/driver_placement.h"

#include <catch2/catch.hpp>

using namespace warpsim;

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
constexpr Address kBegin = 0x7fc3'a600'0000;  // a segment before the first one with large allocations

DriverPlacement placement() {
  return {kBegin, 1024 * kMebibyte};
}

}  // namespace

TEST_CASE("driver placement: small allocations share blocks and do not cross them") {
  // A sparse matrix: two vectors of 65,540 and 65,536 bytes, two of 928,084, then two results.
  DriverPlacement driver = placement();
  CHECK(driver.take(65'540, 512) == 0x7fc3'a7e0'0000);
  CHECK(driver.take(928'084, 512) == 0x7fc3'a7e1'0200);
  CHECK(driver.take(928'084, 512) == 0x7fc3'a7ef'2c00);
  CHECK(driver.take(65'536, 512) == 0x7fc3'a7fd'5600);
  CHECK(driver.take(65'536, 512) == 0x7fc3'a7fe'5600);
  CHECK(driver.take(65'536, 512) == 0x7fc3'a800'0000);
}

TEST_CASE("driver placement: one mebibyte is small, more has blocks of its own") {
  DriverPlacement driver = placement();
  CHECK(driver.take(kMebibyte, 512) == 0x7fc3'a7e0'0000);
  CHECK(driver.take(kMebibyte, 512) == 0x7fc3'a7f0'0000);
  CHECK(driver.take(kMebibyte, 512) == 0x7fc3'a800'0000);
  CHECK(driver.take(kMebibyte + 1, 512) == 0x7fc3'a820'0000);
  CHECK(driver.take(4 * kMebibyte, 512) == 0x7fc3'a840'0000);
  // What is left of the block of the third one.
  CHECK(driver.take(1024, 512) == 0x7fc3'a810'0000);
}

TEST_CASE("driver placement: the last block of the first segment is too small for a large allocation") {
  DriverPlacement driver = placement();
  CHECK(driver.take(8 * kMebibyte, 512) == 0x7fc3'a800'0000);
  CHECK(driver.take(4, 512) == 0x7fc3'a7e0'0000);
  // 30 MiB do not fit after the first 8 of that segment.
  CHECK(driver.take(30 * kMebibyte, 512) == 0x7fc3'aa00'0000);
  CHECK(driver.take(40 * kMebibyte, 512) == 0x7fc3'ac00'0000);
}

TEST_CASE("driver placement: freed memory is taken again; a free block is free for any size") {
  DriverPlacement driver = placement();
  const Address first = *driver.take(512, 512);
  const Address second = *driver.take(600, 512);
  driver.give_back(first, 512);
  CHECK(driver.take(1024, 512) == second + 1024);
  CHECK(driver.take(100, 512) == first);
  driver.give_back(first, 100);
  driver.give_back(second + 1024, 1024);
  driver.give_back(second, 600);
  CHECK(driver.take(2 * kMebibyte, 512) == first);
  driver.give_back(first, 2 * kMebibyte);
  CHECK(driver.take(2 * kMebibyte, 512) == first);
}

TEST_CASE("driver placement: variables are in the first segment as long as they fit") {
  DriverPlacement driver = placement();
  CHECK(driver.take_for_variable(4, 256) == kBegin);
  CHECK(driver.take_for_variable(4, 1024) == kBegin + 1024);
  CHECK(driver.take(4, 512) == 0x7fc3'a7e0'0000);
  CHECK(driver.take_for_variable(31 * kMebibyte, 512) == 0x7fc3'a800'0000);
  driver.give_back(kBegin, 4);
  CHECK(driver.take_for_variable(4, 512) == kBegin);
}

TEST_CASE("driver placement: nothing is placed beyond the end") {
  DriverPlacement driver(kBegin, 34 * kMebibyte);
  CHECK(driver.take(4 * kMebibyte, 512) == std::nullopt);
  CHECK(driver.take(2 * kMebibyte, 512) == 0x7fc3'a7e0'0000);
  CHECK(driver.take(2 * kMebibyte, 512) == 0x7fc3'a800'0000);
  CHECK(driver.take(2 * kMebibyte, 512) == std::nullopt);
  // The rest of the process's own segment is the last resort.
  CHECK(driver.take(4, 512) == kBegin);
}
