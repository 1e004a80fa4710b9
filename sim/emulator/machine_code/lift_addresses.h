// Words of PTX that accesses to memory and atomics of machine code have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

// Order and scope of an access, as PTX words.
inline std::string order_of(Lifter& l) {
  const std::string_view text = l.architecture() < 80 ? l.modifier_text("order_70") : l.modifier_text("order");
  if (!text.starts_with("STRONG") && !text.starts_with("MMIO")) {
    return "";
  }
  return text.find("SYS") != std::string_view::npos   ? ".relaxed.sys"
         : text.find("GPU") != std::string_view::npos ? ".relaxed.gpu"
                                                      : ".relaxed.cta";
}

// An address in a space of PTX; "": the generic one.
inline std::string address_in(Lifter& l, std::string_view space, std::size_t number) {
  return space == ".global" ? l.global_address(number)
         : space.empty()    ? l.wide_address(number)
                            : l.narrow_address(number);
}

}  // namespace warpsim
