// The table of arithmetic instructions, and the choice by type among forms that share an opcode.
#include <array>

#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;

bool is_half(DataType type) {
  return type == DataType::kF16 || type == DataType::kF16x2 || type == DataType::kBf16 || type == DataType::kBf16x2;
}

template <Arithmetic kWhat>
void bind_by_type(OperationBuilder& b) {
  if (b.take("cc")) {
    bind_carry(b, kWhat, b.take_type());
    return;
  }
  for (const bool is_signed : {false, true}) {
    if (b.take(is_signed ? "s16x2" : "u16x2")) {
      bind_packed_integer(b, kWhat, is_signed);
      return;
    }
  }
  const DataType type = b.take_type();
  if (type == DataType::kF64) {
    bind_double(b, kWhat);
  } else if (type == DataType::kF32x2) {
    bind_single_pair(b, kWhat);
  } else if (is_half(type)) {
    bind_half(b, kWhat, type);
  } else if (type != DataType::kF32) {
    bind_integer(b, kWhat, type);
  } else if (b.take("f16")) {
    bind_mixed(b, kWhat, DataType::kF16);
  } else if (b.take("bf16")) {
    bind_mixed(b, kWhat, DataType::kBf16);
  } else {
    bind_single(b, kWhat);
  }
}

constexpr auto kArithmeticOperations = std::to_array<OpcodeBinder>({
    {"abs", bind_by_type<Arithmetic::kAbs>},
    {"add", bind_by_type<Arithmetic::kAdd>},
    {"addc", bind_addc},
    {"and", bind_and},
    {"bfe", bind_bfe},
    {"bfi", bind_bfi},
    {"bfind", bind_bfind},
    {"bmsk", bind_bmsk},
    {"brev", bind_brev},
    {"clz", bind_clz},
    {"cnot", bind_cnot},
    {"copysign", bind_copysign},
    {"cos", bind_cos},
    {"cvt", bind_cvt},
    {"div", bind_by_type<Arithmetic::kDiv>},
    {"dp2a", bind_dp2a},
    {"dp4a", bind_dp4a},
    {"ex2", bind_ex2},
    {"fma", bind_by_type<Arithmetic::kMad>},
    {"fns", bind_fns},
    {"lg2", bind_lg2},
    {"lop3", bind_lop3},
    {"mad", bind_by_type<Arithmetic::kMad>},
    {"mad24", bind_mad24},
    {"madc", bind_madc},
    {"max", bind_by_type<Arithmetic::kMax>},
    {"min", bind_by_type<Arithmetic::kMin>},
    {"mul", bind_by_type<Arithmetic::kMul>},
    {"mul24", bind_mul24},
    {"neg", bind_by_type<Arithmetic::kNeg>},
    {"not", bind_not},
    {"or", bind_or},
    {"popc", bind_popc},
    {"prmt", bind_prmt},
    {"rcp", bind_rcp},
    {"rem", bind_rem},
    {"rsqrt", bind_rsqrt},
    {"sad", bind_sad},
    {"selp", bind_selp},
    {"set", bind_set},
    {"setp", bind_setp},
    {"shf", bind_shf},
    {"shl", bind_shl},
    {"shr", bind_shr},
    {"sin", bind_sin},
    {"slct", bind_slct},
    {"sqrt", bind_sqrt},
    {"sub", bind_by_type<Arithmetic::kSub>},
    {"subc", bind_subc},
    {"szext", bind_szext},
    {"tanh", bind_tanh},
    {"testp", bind_testp},
    {"vabsdiff", bind_vabsdiff},
    {"vabsdiff2", bind_vabsdiff2},
    {"vabsdiff4", bind_vabsdiff4},
    {"vadd", bind_vadd},
    {"vadd2", bind_vadd2},
    {"vadd4", bind_vadd4},
    {"vavrg2", bind_vavrg2},
    {"vavrg4", bind_vavrg4},
    {"vmad", bind_vmad},
    {"vmax", bind_vmax},
    {"vmax2", bind_vmax2},
    {"vmax4", bind_vmax4},
    {"vmin", bind_vmin},
    {"vmin2", bind_vmin2},
    {"vmin4", bind_vmin4},
    {"vset", bind_vset},
    {"vset2", bind_vset2},
    {"vset4", bind_vset4},
    {"vshl", bind_vshl},
    {"vshr", bind_vshr},
    {"vsub", bind_vsub},
    {"vsub2", bind_vsub2},
    {"vsub4", bind_vsub4},
    {"xor", bind_xor},
});

}  // namespace

std::span<const OpcodeBinder> arithmetic_operations() {
  return kArithmeticOperations;
}

}  // namespace warpsim
