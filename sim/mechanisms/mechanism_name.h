// Names of mechanisms and of their keys and counters.
#pragma once

#include <string_view>

namespace warpsim {

// Lower-case letters, digits and underscores, a letter first.
inline bool is_mechanism_name(std::string_view name) {
  if (name.empty() || name.front() < 'a' || name.front() > 'z') {
    return false;
  }
  for (const char c : name) {
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_') {
      return false;
    }
  }
  return true;
}
inline bool is_mechanism_name(const char* name) {
  return name != nullptr && is_mechanism_name(std::string_view(name));
}

}  // namespace warpsim
