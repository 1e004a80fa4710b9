// The binders of the arithmetic family, grouped by purpose in operations_*.cc; operations_arithmetic.cc has their table
// and selects by type if an opcode has integer and floating-point forms.
#pragma once

#include <cstdint>

#include "emulator/operations/operation_builder.h"

namespace warpsim {

enum class Arithmetic : std::uint8_t { kAdd, kSub, kMul, kMad, kDiv, kAbs, kNeg, kMin, kMax };

// The type word has already been read.
void bind_integer(OperationBuilder& b, Arithmetic what, ptx::DataType type);
void bind_packed_integer(OperationBuilder& b, Arithmetic what, bool is_signed);  // .u16x2, .s16x2
void bind_carry(OperationBuilder& b, Arithmetic what, ptx::DataType type);       // add.cc and the like
void bind_single(OperationBuilder& b, Arithmetic what);                          // .f32
void bind_single_pair(OperationBuilder& b, Arithmetic what);                     // .f32x2
void bind_double(OperationBuilder& b, Arithmetic what);                          // .f64
void bind_single_sign(OperationBuilder& b, Arithmetic what);                     // abs, neg, min, max
void bind_double_sign(OperationBuilder& b, Arithmetic what);
void bind_half(OperationBuilder& b, Arithmetic what, ptx::DataType type);
void bind_mixed(OperationBuilder& b, Arithmetic what, ptx::DataType narrow);  // .f32.f16, .f32.bf16

enum class Approximation : std::uint8_t {
  kReciprocal,
  kSquareRoot,
  kReciprocalSquareRoot,
  kSine,
  kCosine,
  kLogarithm,
  kExponential,
  kTangent,  // hyperbolic
};
// The word .approx has already been read, the type not.
void bind_approximation(OperationBuilder& b, Approximation what);
void bind_half_approximation(OperationBuilder& b, Approximation what, ptx::DataType type);

// Integer.
void bind_mul24(OperationBuilder& b);
void bind_mad24(OperationBuilder& b);
void bind_sad(OperationBuilder& b);
void bind_rem(OperationBuilder& b);
void bind_dp4a(OperationBuilder& b);
void bind_dp2a(OperationBuilder& b);
void bind_addc(OperationBuilder& b);
void bind_subc(OperationBuilder& b);
void bind_madc(OperationBuilder& b);

// Bits.
void bind_popc(OperationBuilder& b);
void bind_clz(OperationBuilder& b);
void bind_bfind(OperationBuilder& b);
void bind_fns(OperationBuilder& b);
void bind_brev(OperationBuilder& b);
void bind_bfe(OperationBuilder& b);
void bind_bfi(OperationBuilder& b);
void bind_bmsk(OperationBuilder& b);
void bind_szext(OperationBuilder& b);
void bind_and(OperationBuilder& b);
void bind_or(OperationBuilder& b);
void bind_xor(OperationBuilder& b);
void bind_not(OperationBuilder& b);
void bind_cnot(OperationBuilder& b);
void bind_lop3(OperationBuilder& b);
void bind_shl(OperationBuilder& b);
void bind_shr(OperationBuilder& b);
void bind_shf(OperationBuilder& b);
void bind_prmt(OperationBuilder& b);

// Floating point.
void bind_testp(OperationBuilder& b);
void bind_copysign(OperationBuilder& b);
void bind_rcp(OperationBuilder& b);
void bind_sqrt(OperationBuilder& b);
void bind_rsqrt(OperationBuilder& b);
void bind_sin(OperationBuilder& b);
void bind_cos(OperationBuilder& b);
void bind_lg2(OperationBuilder& b);
void bind_ex2(OperationBuilder& b);
void bind_tanh(OperationBuilder& b);
// div.approx and div.full; the word has already been read.
void bind_approximate_division(OperationBuilder& b, bool full);

// Comparison.
void bind_set(OperationBuilder& b);
void bind_setp(OperationBuilder& b);
void bind_slct(OperationBuilder& b);
void bind_selp(OperationBuilder& b);

// Conversion.
void bind_cvt(OperationBuilder& b);

// Video.
void bind_vadd(OperationBuilder& b);
void bind_vsub(OperationBuilder& b);
void bind_vabsdiff(OperationBuilder& b);
void bind_vmin(OperationBuilder& b);
void bind_vmax(OperationBuilder& b);
void bind_vshl(OperationBuilder& b);
void bind_vshr(OperationBuilder& b);
void bind_vmad(OperationBuilder& b);
void bind_vset(OperationBuilder& b);
void bind_vadd2(OperationBuilder& b);
void bind_vsub2(OperationBuilder& b);
void bind_vavrg2(OperationBuilder& b);
void bind_vabsdiff2(OperationBuilder& b);
void bind_vmin2(OperationBuilder& b);
void bind_vmax2(OperationBuilder& b);
void bind_vset2(OperationBuilder& b);
void bind_vadd4(OperationBuilder& b);
void bind_vsub4(OperationBuilder& b);
void bind_vavrg4(OperationBuilder& b);
void bind_vabsdiff4(OperationBuilder& b);
void bind_vmin4(OperationBuilder& b);
void bind_vmax4(OperationBuilder& b);
void bind_vset4(OperationBuilder& b);

}  // namespace warpsim
