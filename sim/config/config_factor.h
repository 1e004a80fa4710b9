// Values that are factors of those below them: `--set dram.return_latency_cycles=x1.5`, or `x1.5` in a file that
// extends another one.
//
// A study that varies a latency or a rate names a factor, which means the same on each GPU. The product of an integer
// is rounded to the nearest integer.
#pragma once

#include "config/config_node.h"

namespace warpsim {

// Replaces the factor `over` by its product with the value `base` that it is laid on. Nothing happens if `over` is no
// factor ("x" and a decimal number, without quotes) or `base` no number: reading the value then reports it.
void apply_factor(const ConfigNode& base, ConfigNode& over);

}  // namespace warpsim
