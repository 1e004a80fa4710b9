// The behaviour of functions that are exported only for the loader.
#pragma once

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the names are CUDA's
extern "C" {
// Reports once that the function is not supported and returns the error's number.
int warpsimUnsupportedRuntime(const char* function);
int warpsimUnsupportedDriver(const char* function);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
