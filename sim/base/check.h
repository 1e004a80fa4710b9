// SIM_CHECK guards invariants of the simulator itself. It is on in every build, throws InternalError and is never
// reachable by user input: bad input is reported earlier as a UserError (base/error.h).
#pragma once

#include <stdexcept>
#include <string>

namespace warpsim {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line, const std::string& message);

}  // namespace warpsim

#define SIM_CHECK(condition, message)                                     \
  do {                                                                    \
    if (!(condition)) [[unlikely]] {                                      \
      ::warpsim::check_failed(#condition, __FILE__, __LINE__, (message)); \
    }                                                                     \
  } while (false)
