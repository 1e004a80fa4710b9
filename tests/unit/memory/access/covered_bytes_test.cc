#include "memory/access/covered_bytes.h"

#include <catch2/catch.hpp>

namespace warpsim {

TEST_CASE("Covered bytes: of a sector those between the ends of the range") {
  CHECK(bytes_covered(0x100, 0x80, 0x200) == 0xffffffff);
  CHECK(bytes_covered(0x100, 0x104, 0x106) == 0x30);
  CHECK(bytes_covered(0x100, 0x11f, 0x200) == 0x80000000);
  CHECK(bytes_covered(0x100, 0x80, 0x101) == 1);
  CHECK(bytes_covered(0x100, 0x120, 0x200) == 0);
  CHECK(bytes_covered(0x100, 0x80, 0x100) == 0);
}

TEST_CASE("Covered bytes: a request has the sectors of the range that are in its line, a read without bytes") {
  MemRequest request;
  request.line = 0x100;
  request.op = MemOp::kWrite;
  request_bytes(request, 0x13c, 0x300);
  CHECK(request.sector_mask == 14);
  CHECK(request.byte_mask == std::array<std::uint32_t, 4>{0, 0xf0000000, ~0U, ~0U});
  MemRequest read;
  read.line = 0x100;
  request_bytes(read, 0x80, 0x121);
  CHECK(read.sector_mask == 3);
  CHECK(read.byte_mask == std::array<std::uint32_t, 4>{});
}

}  // namespace warpsim
