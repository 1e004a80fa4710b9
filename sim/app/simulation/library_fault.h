// An unexpected error of a run whose description uses mechanisms of libraries: it may be an error of theirs.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "config/config_tree.h"

namespace warpsim {

class LibraryFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// To be called where an exception is handled. Throws ConfigError for what a mechanism's counter throws; LibraryFault,
// with the names of the mechanisms, for an exception that nothing expects, if the values of the description have
// mechanisms of libraries; otherwise the same exception again.
[[noreturn]] void rethrow_with_libraries(const std::vector<ConfigValue>& description);

}  // namespace warpsim
