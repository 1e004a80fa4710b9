// One PTX instruction each, as a step of a chain: the result is the next source. `kName` is the name in values.
//
// `other` differs from step to step, so that the compiler cannot join two steps.
#pragma once

#include <cstdint>

namespace calibration {

#define CALIBRATION_OPERATION(STRUCT, NAME, TYPE, LEAST_CAPABILITY, ASM, CONSTRAINT)                    \
  struct STRUCT {                                                                                       \
    using Value = TYPE;                                                                                 \
    static constexpr const char* kName = NAME;                                                          \
    static constexpr int kLeastCapability = LEAST_CAPABILITY;                                           \
    static __device__ __forceinline__ void apply([[maybe_unused]] TYPE& x, [[maybe_unused]] TYPE other, \
                                                 [[maybe_unused]] TYPE addend) {                        \
      asm volatile(ASM : "+" CONSTRAINT(x) : CONSTRAINT(other), CONSTRAINT(addend));                    \
    }                                                                                                   \
  }

CALIBRATION_OPERATION(FmaF32, "fma_f32", float, 50, "fma.rn.f32 %0, %0, %1, %2;", "f");
CALIBRATION_OPERATION(AddS32, "add_s32", unsigned, 50, "add.s32 %0, %0, %1;", "r");
CALIBRATION_OPERATION(MadS32, "mad_s32", unsigned, 50, "mad.lo.s32 %0, %0, %1, %2;", "r");
CALIBRATION_OPERATION(LogicB32, "lop3_b32", unsigned, 50, "lop3.b32 %0, %0, %1, %2, 0x6a;", "r");
CALIBRATION_OPERATION(ShiftB32, "shf_b32", unsigned, 50, "shf.l.wrap.b32 %0, %0, %1, %2;", "r");
CALIBRATION_OPERATION(PermuteB32, "prmt_b32", unsigned, 50, "prmt.b32 %0, %0, %1, %2;", "r");
CALIBRATION_OPERATION(MinS32, "min_s32", unsigned, 50, "min.s32 %0, %0, %1;", "r");
CALIBRATION_OPERATION(FmaF64, "fma_f64", double, 50, "fma.rn.f64 %0, %0, %1, %2;", "d");
CALIBRATION_OPERATION(FmaF16, "fma_f16x2", unsigned, 53, "fma.rn.f16x2 %0, %0, %1, %2;", "r");
CALIBRATION_OPERATION(ExponentF32, "ex2_f32", float, 50, "ex2.approx.ftz.f32 %0, %0;", "f");
CALIBRATION_OPERATION(CountB32, "popc_b32", unsigned, 50, "popc.b32 %0, %0;", "r");
CALIBRATION_OPERATION(FindB32, "bfind_u32", unsigned, 50, "bfind.u32 %0, %0;", "r");
CALIBRATION_OPERATION(ReverseB32, "brev_b32", unsigned, 50, "brev.b32 %0, %0;", "r");
CALIBRATION_OPERATION(ShuffleB32, "shfl_b32", unsigned, 50, "shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;", "r");
CALIBRATION_OPERATION(ConvertS32, "cvt_f32_s32", unsigned, 50, "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f; }",
                      "r");
CALIBRATION_OPERATION(VoteB32, "ballot_b32", unsigned, 50,
                      "{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }", "r");
CALIBRATION_OPERATION(SelectS32, "setp_selp_s32", unsigned, 50,
                      "{ .reg .pred p; setp.lt.s32 p, %0, %1; selp.b32 %0, %2, %1, p; }", "r");
CALIBRATION_OPERATION(ReduceS32, "redux_s32", unsigned, 80, "redux.sync.min.s32 %0, %0, 0xffffffff;", "r");

#undef CALIBRATION_OPERATION

// A product of matrices of a warp: its accumulators are the chain.
struct MatrixM16N8K8 {
  static constexpr const char* kName = "mma_m16n8k8_f16_f32";
  static constexpr int kLeastCapability = 75;
  static __device__ __forceinline__ void apply(float (&d)[4], unsigned a) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a));
  }
};

struct MatrixM16N8K16 {
  static constexpr const char* kName = "mma_m16n8k16_f16_f32";
  static constexpr int kLeastCapability = 80;
  static __device__ __forceinline__ void apply(float (&d)[4], unsigned a) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a));
  }
};

}  // namespace calibration
