#include "core/launch/system_calls_config.h"

namespace warpsim {

void describe(ConfigSection& section, SystemCallConfig& config) {
  constexpr double kMost = 1e9;
  section.real("call_cycles", config.call_cycles, 0, kMost,
               "a warp's call with one thread, without waiting for others");
  section.real("thread_cycles", config.thread_cycles, 0, kMost, "more for each further thread of the warp that calls");
  section.real("first_call_cycles", config.first_call_cycles, 0, kMost,
               "more for calls of a grid that begin before its first call has ended");
  section.real("serial_cycles", config.serial_cycles, 0, kMost,
               "the last part of a call, which only one warp of the GPU executes at a time");
}

void describe(ConfigSection& section, SystemCallsConfig& config) {
  section.nested("printf", config.printf, "printf() of kernels");
  section.nested("malloc", config.malloc, "malloc() of kernels; its serial part is never beside that of free()");
  section.nested("free", config.free, "free() of kernels");
}

}  // namespace warpsim
