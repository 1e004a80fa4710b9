// Names of the special registers whose values are constant for a thread (function_code.h). Changing ones (%clock) are
// operations of their own.
#pragma once

#include <optional>
#include <string_view>

#include "emulator/code/function_code.h"

namespace warpsim {

struct SpecialName {
  std::string_view name;  // without %
  SpecialRegister which;
  std::uint8_t component = 0;  // of %envreg: its number
};
std::optional<SpecialName> find_special_register(std::string_view name);

}  // namespace warpsim
