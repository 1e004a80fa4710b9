// The first failure of a reader that several threads share, one at a time: whoever reads after it gets the same one,
// and not what the rest looks like from the middle of what is wrong.
#pragma once

#include <exception>
#include <utility>

namespace warpsim {

class KeptFailure {
 public:
  // Returns what read() returns, which throws for a failure. The caller holds the reader's lock.
  template <typename Read>
  auto keep(Read&& read) {
    if (failure_ != nullptr) {
      std::rethrow_exception(failure_);
    }
    try {
      return std::forward<Read>(read)();
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }

 private:
  std::exception_ptr failure_;
};

}  // namespace warpsim
