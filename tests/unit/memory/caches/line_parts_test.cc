#include "memory/caches/line_parts.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "support/machine.h"

namespace warpsim {
namespace {

std::vector<std::pair<Address, int>> parts_of(std::uint32_t bytes, Address line, std::uint8_t sectors) {
  std::vector<std::pair<Address, int>> parts;
  LineParts(bytes).for_each(line, sectors,
                            [&](Address part, std::uint8_t of_part) { parts.emplace_back(part, of_part); });
  return parts;
}

}  // namespace

TEST_CASE("Line parts: masks stay those of the whole line, addresses are those of the parts") {
  using Parts = std::vector<std::pair<Address, int>>;
  CHECK(parts_of(128, 0x1000, 0x6) == Parts{{0x1000, 0x6}});
  CHECK(parts_of(64, 0x1000, 0x6) == Parts{{0x1000, 0x2}, {0x1040, 0x4}});
  CHECK(parts_of(64, 0x1040, 0x4) == Parts{{0x1040, 0x4}});
  CHECK(parts_of(32, 0x1000, 0xb) == Parts{{0x1000, 0x1}, {0x1020, 0x2}, {0x1060, 0x8}});
  CHECK(parts_of(32, 0x1000, 0x0).empty());
}

TEST_CASE("Line parts: a part covers its sectors, and what is around sectors are whole parts") {
  CHECK(LineParts(128).covered(0x1000) == 0xf);
  CHECK(LineParts(64).covered(0x1040) == 0xc);
  CHECK(LineParts(32).covered(0x1060) == 0x8);
  CHECK(LineParts(128).around(0x4) == 0xf);
  CHECK(LineParts(64).around(0x4) == 0xc);
  CHECK(LineParts(64).around(0x6) == 0xf);
  CHECK(LineParts(32).around(0x5) == 0x5);
  CHECK(LineParts(128).around(0x0) == 0x0);
  CHECK_FALSE(LineParts(128).divided());
  CHECK(LineParts(64).divided());
}

TEST_CASE("Sizes of lines and fills are powers of two, and a fill is not larger than a line") {
  using test::tiny_config;
  CHECK_THROWS_WITH(tiny_config({"sm.l1.line_bytes=96"}), Catch::Contains("must be 32, 64 or 128"));
  CHECK_THROWS_WITH(tiny_config({"l2.line_bytes=256"}), Catch::Contains("l2.line_bytes"));
  CHECK_THROWS_WITH(tiny_config({"sm.l1.line_bytes=32", "sm.l1.fill_bytes=64"}),
                    Catch::Contains("sm.l1.fill_bytes") && Catch::Contains("must not exceed line_bytes"));
  CHECK_THROWS_WITH(tiny_config({"l2.line_bytes=64", "l2.fill_bytes=128"}),
                    Catch::Contains("l2.fill_bytes") && Catch::Contains("must not exceed line_bytes"));
  CHECK_THROWS_WITH(tiny_config({"l2.line_bytes=64", "l2.fill_bytes=32", "l2.compression=equal_sizes"}),
                    Catch::Contains("must be 128 with compression"));
}

}  // namespace warpsim
