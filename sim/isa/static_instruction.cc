#include "isa/static_instruction.h"

#include <cstddef>

namespace warpsim {

const char* to_string(Pipe pipe) {
  static constexpr std::array<const char*, kUnitCount> kNames{
      "none", "alu", "fma", "fmaheavy", "fp64", "xu", "tensor", "uniform", "cbu", "lsu", "adu", "tex", "tma", "fp16"};
  return kNames[static_cast<std::size_t>(pipe)];
}

const char* to_string(TimingClass timing) {
  static constexpr std::array<const char*, kTimingClassCount> kNames{"alu",
                                                                     "int_add",
                                                                     "logic",
                                                                     "shift",
                                                                     "compare",
                                                                     "bit_field",
                                                                     "bit_reverse",
                                                                     "absolute_difference",
                                                                     "video_difference",
                                                                     "video",
                                                                     "fp32",
                                                                     "int_multiply",
                                                                     "int_multiply_wide",
                                                                     "fp16",
                                                                     "fp64",
                                                                     "transcendental",
                                                                     "conversion",
                                                                     "conversion_narrow",
                                                                     "conversion_wide",
                                                                     "find_bit",
                                                                     "bit_count",
                                                                     "tensor",
                                                                     "uniform",
                                                                     "vote",
                                                                     "shuffle",
                                                                     "reduce_lanes",
                                                                     "match",
                                                                     "special_register",
                                                                     "branch",
                                                                     "memory",
                                                                     "constant_load",
                                                                     "barrier",
                                                                     "membar",
                                                                     "other"};
  return kNames[static_cast<std::size_t>(timing)];
}

}  // namespace warpsim
