#include "core/sub_core/operand_collectors.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

// Four banks of one port, two collectors.
RegisterFileConfig config() {
  RegisterFileConfig result;
  result.banks = 4;
  result.operand_collectors = 2;
  return result;
}

RegisterFile::Operands reads(std::uint8_t a, std::uint8_t b, std::uint8_t c) {
  RegisterFile::Operands operands;
  operands.first = {a, b, c};
  operands.count = {1, 1, 1};
  return operands;
}

TEST_CASE("Operands in different banks are collected in one cycle") {
  OperandCollectors collectors(config());
  CHECK(collectors.collect(0, reads(0, 1, 2), 10) == 0);
}

TEST_CASE("Each further operand of a bank takes a cycle") {
  OperandCollectors collectors(config());
  CHECK(collectors.collect(0, reads(0, 4, 1), 10) == 1);
  OperandCollectors others(config());
  CHECK(others.collect(0, reads(0, 4, 8), 10) == 2);
}

TEST_CASE("Two ports read two registers of a bank in a cycle") {
  RegisterFileConfig two_ports = config();
  two_ports.read_ports_per_bank = 2;
  OperandCollectors collectors(two_ports);
  CHECK(collectors.collect(0, reads(0, 4, 1), 10) == 0);
  CHECK(collectors.collect(0, reads(0, 4, 8), 11) == 1);
}

TEST_CASE("The same registers of neighbouring warps are in different banks") {
  OperandCollectors collectors(config());
  CHECK(collectors.collect(0, reads(0, 0, 0), 10) == 2);  // bank 0 until 13
  CHECK(collectors.collect(1, reads(0, 1, 2), 10) == 0);  // banks 1, 2 and 3
  CHECK(collectors.collect(1, reads(3, 3, 3), 11) == 4);  // bank 0 from 13 to 16
}

TEST_CASE("A collector is occupied until its operands have arrived, and no instruction starts without one") {
  OperandCollectors collectors(config());
  CHECK(collectors.free_at() == 0);
  collectors.collect(0, reads(0, 4, 8), 10);  // until 13
  CHECK(collectors.free_at() == 0);
  collectors.collect(0, reads(1, 2, 3), 10);  // until 11
  CHECK(collectors.free_at() == 11);
}

TEST_CASE("Without collectors nothing is collected") {
  CHECK_FALSE(OperandCollectors(RegisterFileConfig{}).present());
  RegisterFileConfig ideal = config();
  ideal.ideal = true;
  CHECK_FALSE(OperandCollectors(ideal).present());
}

}  // namespace
}  // namespace warpsim
