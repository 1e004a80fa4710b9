#include "memory/remote/link_config.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

LinkConfig link() {
  LinkConfig config;
  config.request_header_bytes = 32;
  config.response_header_bytes = 16;
  config.atomic_packet_bytes = 64;
  return config;
}

MemRequest request(MemOp op, std::uint8_t sectors, std::uint32_t bytes_of_sector) {
  MemRequest made{.op = op, .sector_mask = sectors};
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    made.byte_mask[sector] = (sectors >> sector & 1U) != 0 ? bytes_of_sector : 0;
  }
  return made;
}

TEST_CASE("Packets: a read carries data back, a write there; an acknowledgement takes nothing") {
  CHECK(packet_bytes(link(), request(MemOp::kRead, 0xf, 0)) == 32);
  CHECK(packet_bytes(link(), request(MemOp::kWrite, 0x3, 0xffffffff)) == 32 + 64);
  CHECK(packet_bytes(link(), MemResponse{.op = MemOp::kRead, .sector_mask = 0x7}) == 16 + 96);
  CHECK(packet_bytes(link(), MemResponse{.op = MemOp::kAtomic, .sector_mask = 0x1}) == 16 + 32);
  CHECK(packet_bytes(link(), MemResponse{.op = MemOp::kWrite, .sector_mask = 0xf}) == 0);
  CHECK(packet_bytes(link(), MemResponse{.op = MemOp::kReduction, .sector_mask = 0xf}) == 0);
}

TEST_CASE("Packets: operands of a reduction go in as many packets as they need") {
  CHECK(packet_bytes(link(), request(MemOp::kReduction, 0x1, 0xf)) == 32 + 4);
  CHECK(packet_bytes(link(), request(MemOp::kReduction, 0x3, 0xffffffff)) == 32 + 64);
  CHECK(packet_bytes(link(), request(MemOp::kAtomic, 0xf, 0xffffffff)) == 2 * 32 + 128);
  LinkConfig single = link();
  single.atomic_packet_bytes = 4;
  CHECK(packet_bytes(single, request(MemOp::kReduction, 0xf, 0xffffffff)) == 32 * 32 + 128);
}

}  // namespace
}  // namespace warpsim
