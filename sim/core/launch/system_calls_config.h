// Time of functions of the driver that kernels call: printf, malloc and free.
#pragma once

#include "config/config_section.h"

namespace warpsim {

// In core cycles of a warp's call.
struct SystemCallConfig {
  double call_cycles = 0;        // with one thread
  double thread_cycles = 0;      // for each further thread
  double first_call_cycles = 0;  // more for calls of a grid before the first one has ended: their code is not in caches
  double serial_cycles = 0;      // of it, what only one warp of the GPU does at a time
};
void describe(ConfigSection& section, SystemCallConfig& config);

struct SystemCallsConfig {
  SystemCallConfig printf;
  SystemCallConfig malloc;
  SystemCallConfig free;
};
void describe(ConfigSection& section, SystemCallsConfig& config);

}  // namespace warpsim
