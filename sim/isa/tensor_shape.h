// Shapes of matrix operations: the work and register fragments of "16816.F32" or "64x48x16.F32.BF16".
//
// Modelled: mma of Volta to Hopper (dense, sparse, integer, double) and warpgroup mma. Volta's HMMA.884 steps move a
// quarter (FP32 accumulators) or a half (FP16) of the 8x8x4 products of four quad pairs each. A warpgroup operation is
// executed by four warps; the numbers here are those of one.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/opcode_rows.h"
#include "isa/opcode_text.h"

namespace warpsim {

struct TensorShape {
  std::uint32_t macs = 0;         // multiply-adds that the hardware does for one warp (half of M*N*K when sparse)
  std::uint8_t operand_bits = 0;  // width of an element of A or B
  bool integer = false;           // products of integers or bits
  bool fp32_results = false;      // floating-point products accumulated in FP32
  std::uint16_t a_bytes = 0;      // bytes of A for one warp (half when sparse)
  std::uint16_t b_bytes = 0;      // bytes of B
  OperandWidths widths;           // registers of D, A, B, C
};

// Empty if the opcode names no shape.
std::optional<TensorShape> tensor_shape(const OpcodeText& opcode);

}  // namespace warpsim
