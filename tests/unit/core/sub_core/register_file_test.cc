#include "core/sub_core/register_file.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

using Operands = RegisterFile::Operands;

Operands from(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t reuse = 0) {
  Operands operands;
  operands.first = {a, b, c};
  operands.count = {1, 1, 1};
  operands.reuse_mask = reuse;
  return operands;
}

RegisterFileConfig two_banks() {
  return {};
}  // two banks, one port each, a window of three cycles

// Issues the same operands as early as the ports allow; returns the cycles that another instruction costs.
Cycle steady_state(RegisterFile& registers, const Operands& operands) {
  Cycle now = 0;
  Cycle halfway = 0;
  for (int i = 0; i < 200; ++i) {
    halfway = i == 100 ? now : halfway;
    now += 1 + registers.read(0, operands, now);
  }
  return (now - halfway) / 100;
}

TEST_CASE("Three operands of one bank cost two bubbles per instruction") {
  RegisterFile registers(two_banks());
  // Three reads of bank 0 at one per cycle: an instruction every three cycles instead of every cycle.
  CHECK(steady_state(registers, from(0, 2, 4)) == 3);
}

TEST_CASE("Two operands of one bank and one of the other cost one bubble per instruction") {
  RegisterFile registers(two_banks());
  CHECK(steady_state(registers, from(0, 2, 1)) == 2);
}

TEST_CASE("The reading window hides the conflict of a single instruction") {
  RegisterFile registers(two_banks());
  CHECK(registers.read(0, from(0, 2, 4), 10) == 0);
  // The next one, a cycle later, finds bank 0 occupied until 13 and ends at 16 instead of 14.
  CHECK(registers.read(0, from(0, 2, 4), 11) == 2);
}

TEST_CASE("Pairs of registers take as many cycles to read as the bank with most of them") {
  RegisterFile registers(two_banks());
  Operands pairs;
  pairs.first = {0, 2, 4};
  pairs.count = {2, 2, 2};
  pairs.reuse_mask = 0x5;
  registers.read(0, pairs, 10);
  CHECK(registers.read_cycles() == 3);
  registers.read(0, pairs, 20);  // R0, R1, R4 and R5 are kept
  CHECK(registers.read_cycles() == 1);
  registers.read(0, from(0, 2, 4), 30);  // single registers do not hold the pipe
  CHECK(registers.read_cycles() == 0);
}

TEST_CASE("Instructions far apart do not disturb each other") {
  RegisterFile registers(two_banks());
  CHECK(registers.read(0, from(0, 2, 4), 10) == 0);
  CHECK(registers.read(0, from(0, 2, 4), 13) == 0);
}

TEST_CASE("A second port halves the time, and more banks spread the registers") {
  RegisterFileConfig config = two_banks();
  config.read_ports_per_bank = 2;
  RegisterFile two_ports(config);
  CHECK(steady_state(two_ports, from(0, 2, 4)) == 2);
  config.read_ports_per_bank = 1;
  config.banks = 4;
  RegisterFile four_banks(config);
  CHECK(steady_state(four_banks, from(0, 1, 2)) == 1);
}

TEST_CASE("Operands of several registers read one per cycle from each bank") {
  RegisterFile registers(two_banks());
  Operands pairs;
  pairs.first = {0, 2, 4};
  pairs.count = {2, 2, 2};
  // Three registers of each bank.
  CHECK(steady_state(registers, pairs) == 3);
}

TEST_CASE("A register kept in the register cache is read without a port") {
  RegisterFile registers(two_banks());
  registers.read(0, from(0, 2, 4, 0x1), 0);
  CHECK(registers.cached_reads() == 0);
  registers.read(0, from(0, 2, 4, 0x1), 10);
  CHECK(registers.cached_reads() == 1);
  // Slots 0 and 1 kept: one read of bank 0 is left for each instruction.
  RegisterFile kept(two_banks());
  CHECK(steady_state(kept, from(0, 2, 4, 0x3)) == 1);
}

TEST_CASE("A read without the reuse flag discards the cached register") {
  RegisterFile registers(two_banks());
  registers.read(0, from(0, 1, 3, 0x1), 0);
  registers.read(0, from(0, 1, 3), 10);  // hits, and keeps nothing
  CHECK(registers.cached_reads() == 1);
  registers.read(0, from(0, 1, 3), 20);
  CHECK(registers.cached_reads() == 1);
}

TEST_CASE("A cached register only serves its own warp, operand slot and number") {
  RegisterFile registers(two_banks());
  registers.read(0, from(0, 1, 3, 0x1), 0);
  registers.read(0, from(1, 0, 3, 0x1), 10);  // R0 in another slot
  CHECK(registers.cached_reads() == 0);
  registers.read(0, from(0, 1, 3, 0x1), 20);
  CHECK(registers.cached_reads() == 1);  // bank 0, slot 0 still held R0
  registers.read(1, from(0, 1, 3), 30);
  CHECK(registers.cached_reads() == 1);
}

TEST_CASE("Without the register cache flags have no effect") {
  RegisterFileConfig config = two_banks();
  config.reuse_cache = false;
  RegisterFile registers(config);
  CHECK(steady_state(registers, from(0, 2, 4, 0x3)) == 3);
  CHECK(registers.cached_reads() == 0);
}

TEST_CASE("An ideal register file never delays an instruction") {
  RegisterFileConfig config = two_banks();
  config.ideal = true;
  RegisterFile registers(config);
  CHECK(steady_state(registers, from(0, 2, 4)) == 1);
}

TEST_CASE("Unused operand slots read nothing") {
  RegisterFile registers(two_banks());
  CHECK(registers.read(0, from(0, 2, 4), 10) == 0);
  CHECK(registers.read(0, Operands{}, 11) == 0);
  CHECK(registers.read(0, from(0, 2, 4), 12) == 1);  // as without the instruction in between
}

TEST_CASE("Prepared operands are read like others, with and without register cache") {
  RegisterFile plain(two_banks());
  RegisterFile prepared(two_banks());
  std::uint64_t state = 1;
  Cycle now = 0;
  for (int i = 0; i < 5000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto digit = [&](int shift, std::uint64_t limit) {
      return static_cast<std::uint8_t>((state >> shift) % limit);
    };
    Operands operands = from(digit(20, 16), digit(26, 16), digit(32, 16), digit(38, 4) == 0 ? digit(40, 8) : 0);
    operands.count = {digit(44, 3), digit(48, 3), 1};
    Operands ready = operands;
    RegisterFile::prepare(ready, 2);
    const std::uint32_t warp = digit(52, 2);
    const std::uint32_t held = plain.read(warp, operands, now);
    REQUIRE(prepared.read(warp, ready, now) == held);
    REQUIRE(prepared.read_cycles() == plain.read_cycles());
    now += 1 + held;
  }
  CHECK(plain.cached_reads() > 100);
  CHECK(prepared.cached_reads() == plain.cached_reads());
}

}  // namespace
}  // namespace warpsim
