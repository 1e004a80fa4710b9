// Checks beside those of addresses, which are always made.
#pragma once

#include <string>

namespace warpsim {

struct CheckOptions {
  bool uninitialised = true;  // reads of shared memory that nothing has written
  bool races = false;         // accesses that nothing orders (race_check.h)
};

// Words separated by commas: "races", "uninitialised", "all", "none"; the last two stand alone. What is not named is
// not checked. Throws UsageError; `what` names the option or variable.
CheckOptions check_options_of(const std::string& words, const std::string& what);
// The words of it.
std::string text_of(const CheckOptions& options);

}  // namespace warpsim
