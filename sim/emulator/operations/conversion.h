// Shared by the files of the conversions (operations_convert*.cc).
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/numbers/float_rounding.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

// Rounding to an integer: .rni .rzi .rmi .rpi.
enum class Integral : std::uint8_t { kNone, kNearest, kZero, kDown, kUp };

struct ConversionModes {
  Integral integral = Integral::kNone;
  Rounding rounding = Rounding::kNearestEven;
  bool flushes = false;
  bool saturates = false;  // to [0, 1]
  bool relu = false;       // negative results become 0
  bool finite = false;     // too large values become the largest number
};
ConversionModes take_conversion_modes(OperationBuilder& b);

bool is_signed(ptx::DataType type);
// Width of the operand's register, which may be wider than the instruction's type.
ptx::DataType register_type(OperationBuilder& b, std::size_t number, ptx::DataType otherwise);

void bind_float_conversion(OperationBuilder& b, ptx::DataType to, ptx::DataType from, const ConversionModes& modes);
// Pairs, and formats without a register type: tf32, e4m3x2 and the like.
void bind_format_conversion(OperationBuilder& b, std::string_view to, std::string_view from,
                            const ConversionModes& modes);
// cvt.pack
void bind_pack(OperationBuilder& b);

}  // namespace warpsim
