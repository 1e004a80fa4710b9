// Checks that a program for `warpsim exec` makes of itself.
#pragma once

#include <cstdio>

namespace warpsim::test {

inline int failures = 0;

inline void check(bool good, const char* what) {
  if (!good) {
    std::printf("failed: %s\n", what);
    ++failures;
  }
}

// A call must succeed.
inline void must(int code, const char* what) {
  check(code == 0, what);
}

// The last line of the program, and its exit code.
inline int report_checks() {
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}

}  // namespace warpsim::test
