#include "isa/operand_widths.h"

#include <catch2/catch.hpp>
#include <string>

#include "isa/opcode_table.h"
#include "isa/tensor_shape.h"

namespace warpsim {
namespace {

OperandWidths widths_of(const std::string& opcode) {
  StaticInstruction instruction;
  classify(opcode, 90, instruction);
  return operand_widths(opcode, instruction);
}

}  // namespace

TEST_CASE("operand widths: 64-bit arithmetic uses register pairs", "[isa]") {
  CHECK(widths_of("DFMA").destination == 2);
  CHECK(widths_of("DFMA").sources[2] == 2);
  CHECK(widths_of("IMAD.WIDE.U32").destination == 2);
  CHECK(widths_of("IMAD.WIDE.U32").sources[0] == 1);
  CHECK(widths_of("IMAD.WIDE.U32").sources[2] == 2);
  CHECK(widths_of("IMAD.HI.U32").destination == 1);
  CHECK(widths_of("IMAD").destination == 1);
  CHECK(widths_of("CS2R").destination == 2);
  CHECK(widths_of("CS2R.32").destination == 1);
}

TEST_CASE("operand widths: conversions take pairs for their 64-bit side", "[isa]") {
  CHECK(widths_of("F2F.F64.F32").destination == 2);
  CHECK(widths_of("F2F.F64.F32").sources[0] == 1);
  CHECK(widths_of("F2F.F32.F64").destination == 1);
  CHECK(widths_of("F2F.F32.F64").sources[0] == 2);
  CHECK(widths_of("F2I.U64.TRUNC").destination == 2);
  CHECK(widths_of("F2I.F64.TRUNC").sources[0] == 2);
  CHECK(widths_of("F2I.F64.TRUNC").destination == 1);
  CHECK(widths_of("I2F.S64").sources[0] == 2);
  CHECK(widths_of("I2F.S64").destination == 1);
  CHECK(widths_of("I2F.F64.S64").destination == 2);
  CHECK(widths_of("FRND.F64.FLOOR").destination == 2);
  CHECK(widths_of("FRND.F64.FLOOR").sources[0] == 2);
}

TEST_CASE("operand widths: memory data follows the access", "[isa]") {
  CHECK(widths_of("LDG.E.128").destination == 4);
  CHECK(widths_of("LDG.E.U8").destination == 1);
  CHECK(widths_of("STG.E.64").sources[1] == 2);
  CHECK(widths_of("LDSM.16.M88.4").destination == 4);
  CHECK(widths_of("LDC.64").destination == 2);
}

TEST_CASE("tensor shape: fragments and multiply-adds of one warp", "[isa]") {
  // m16n8k16: A 16x16 halves = 256 x 16 bit / (32 lanes x 32 bit) = 4 registers, B 16x8 = 2, C/D 16x8 floats = 4.
  const auto hmma = tensor_shape(OpcodeText("HMMA.16816.F32"));
  REQUIRE(hmma);
  CHECK(hmma->macs == 16 * 8 * 16);
  CHECK(hmma->operand_bits == 16);
  CHECK(hmma->widths.destination == 4);
  CHECK(hmma->widths.sources == std::array<std::uint8_t, 4>{4, 2, 4, 1});
  CHECK(tensor_shape(OpcodeText("HMMA.16816.F16"))->widths.destination == 2);
  CHECK(tensor_shape(OpcodeText("HMMA.1688.F32.TF32"))->operand_bits == 32);
  CHECK(tensor_shape(OpcodeText("HMMA.1688.F32.TF32"))->widths.sources[0] == 4);
  CHECK(tensor_shape(OpcodeText("IMMA.16832.S8.S8"))->macs == 16 * 8 * 32);
  CHECK(tensor_shape(OpcodeText("IMMA.16832.S8.S8"))->operand_bits == 8);
  CHECK(tensor_shape(OpcodeText("IMMA.8816.S8.S8"))->macs == 8 * 8 * 16);
  // m8n8k4 doubles: A 8x4 x 64 bit / 1024 = 2 registers, D 8x8 = 4.
  CHECK(tensor_shape(OpcodeText("DMMA.8x8x4"))->widths.destination == 4);
  CHECK(tensor_shape(OpcodeText("DMMA.8x8x4"))->widths.sources[0] == 2);
  // Four warps share a warpgroup operation: 64 x 48 floats over 128 lanes are 24 registers each.
  CHECK(tensor_shape(OpcodeText("HGMMA.64x48x16.F32.BF16"))->widths.destination == 24);
  CHECK(tensor_shape(OpcodeText("HGMMA.64x48x16.F32.BF16"))->macs == 64 * 48 * 16 / 4);
  CHECK(tensor_shape(OpcodeText("HMMA.884.F32.F32.STEP0"))->macs == 8 * 8 * 4);
  CHECK_FALSE(tensor_shape(OpcodeText("HMMA.F32")));
}

}  // namespace warpsim
