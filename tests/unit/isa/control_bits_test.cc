#include "isa/control_bits.h"

#include <catch2/catch.hpp>

namespace warpsim {

TEST_CASE("control bits: an sm_90 instruction that sets a write barrier", "[isa]") {
  // 0x000e2200: bits 41-44 = 1 (stall), 45 = 1 (no yield), 46-48 = 0 (write barrier 0), 49-51 = 7, wait 0.
  const ControlBits bits = decode_volta_control(0x000e220000000800);
  CHECK(bits.stall_cycles == 1);
  CHECK_FALSE(bits.yield);
  CHECK(bits.write_barrier == 0);
  CHECK(bits.read_barrier == kNoBarrier);
  CHECK(bits.wait_mask == 0);
  CHECK(bits.reuse_mask == 0);
}

TEST_CASE("control bits: wait mask, yield and reuse", "[isa]") {
  // IMAD R5, R4, R0.reuse, R3.reuse of a listing: reuse of slots B and C, stall 1, waits for nothing.
  const ControlBits reuse = decode_volta_control(0x180fe200078e0203);
  CHECK(reuse.reuse_mask == 0b0110);
  CHECK(reuse.stall_cycles == 1);
  CHECK(reuse.write_barrier == kNoBarrier);
  // 0x00cfea0003800000: 0xcfea0 >> ... stall 5, no yield, no barriers, waits for counters 2 and 3.
  const ControlBits wait = decode_volta_control(0x00cfea0003800000);
  CHECK(wait.stall_cycles == 5);
  CHECK(wait.wait_mask == 0b001100);
  // 0x000fcc000001ff00: stall 6 with the yield bit clear, so a yield is requested.
  const ControlBits yield = decode_volta_control(0x000fcc000001ff00);
  CHECK(yield.stall_cycles == 6);
  CHECK(yield.yield);
}

TEST_CASE("control bits: the three fields of a Maxwell control word", "[isa]") {
  // Field 0: stall 6, no yield, no barriers. Field 1: stall 1, write barrier 2. Field 2: waits for counter 2, reuse A.
  const std::uint64_t none = (7U << 5U) | (7U << 8U) | (1U << 4U);
  const std::uint64_t first = none | 6U;
  const std::uint64_t second = (2U << 5U) | (7U << 8U) | (1U << 4U) | 1U;
  const std::uint64_t third = none | (4U << 11U) | (1U << 17U);
  const std::uint64_t word = first | (second << 21U) | (third << 42U);
  CHECK(decode_maxwell_control(word, 0).stall_cycles == 6);
  CHECK(decode_maxwell_control(word, 0).write_barrier == kNoBarrier);
  CHECK(decode_maxwell_control(word, 1).write_barrier == 2);
  CHECK(decode_maxwell_control(word, 2).wait_mask == 4);
  CHECK(decode_maxwell_control(word, 2).reuse_mask == 1);
}

}  // namespace warpsim
