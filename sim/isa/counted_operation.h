// What an executed instruction adds to the counts of floating-point and tensor operations, by precision.
//
// Modelled: Nsight Compute's smsp__sass_thread_inst_executed_op_*_pred_on (one per lane, by opcode) and
// sm__ops_path_tensor_src_* (two operations per multiply-add, by operand and result type; a sparse product counts the
// multiply-adds that the hardware does). A packed half instruction is one thread instruction with two values.
// Not counted: comparisons, minimum and maximum, conversions, transcendental functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpsim {

// The opcode of Nsight Compute's name, or kOther.
enum class ThreadOperation : std::uint8_t {
  kOther,
  kDadd,
  kDmul,
  kDfma,
  kFadd,
  kFmul,
  kFfma,
  kHadd,
  kHmul,
  kHfma,
};
inline constexpr std::uint32_t kThreadOperationCount = 10;

ThreadOperation thread_operation(std::string_view opcode);

// Types of the operands and, where more than one is possible, of the result.
enum class TensorPath : std::uint8_t {
  kFp64,
  kTf32ToFp32,
  kBf16ToFp32,
  kFp16ToFp32,
  kFp16ToFp16,
  kFp8,
  kInt8,
  kInt4,
  kInt1,
  kNone,  // no matrix product
};
inline constexpr std::uint32_t kTensorPathCount = 9;  // without kNone

TensorPath tensor_path(std::string_view opcode);

}  // namespace warpsim
