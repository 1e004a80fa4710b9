#include "cuda/calls.h"

namespace warpsim::cuda {

int& last_error() {
  static thread_local int error = kSuccess;
  return error;
}

}  // namespace warpsim::cuda
