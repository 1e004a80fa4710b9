// Checks in addition to those of addresses, which are always on.
#pragma once

#include <string>

namespace warpsim {

struct CheckOptions {
  bool uninitialised = true;  // reads of uninitialised shared memory
  bool races = false;         // unordered accesses (race_check.h)
};

// Words separated by commas: "races", "uninitialised", "all", "none"; the last two must stand alone. Other checks are
// off. Throws UsageError; `what` names the option or variable.
CheckOptions check_options_of(const std::string& words, const std::string& what);
// The words for the options.
std::string text_of(const CheckOptions& options);

}  // namespace warpsim
