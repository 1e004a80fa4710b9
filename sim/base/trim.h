// Text without the blanks around it.
#pragma once

#include <string_view>

namespace warpsim {

// `text` without spaces, tabs and carriage returns at both ends.
inline std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace warpsim
