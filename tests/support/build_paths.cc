#include "support/build_paths.h"

namespace warpsim::test {

const char* warpsim_binary() {
  return WARPSIM_BINARY;
}

const char* cuda_programs() {
  return WARPSIM_CUDA_PROGRAMS;
}

}  // namespace warpsim::test
