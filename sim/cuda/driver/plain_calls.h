// Calls of the driver that only give a value, or only succeed.
#pragma once

#include "cuda/calls.h"

namespace warpsim::cuda {

template <class T>
int give(T* target, T value) {
  return driver_call([&](Context&) { result(target) = value; });
}

inline int accept() {
  return driver_call([](Context&) {});
}

}  // namespace warpsim::cuda
