// What programs load as a tool of NVTX, by the variable NVTX_INJECTION64_PATH.
#pragma once

#include "cuda/profiling/nvtx_abi.h"

// NOLINTBEGIN(readability-identifier-naming): the name is NVTX's
extern "C" {
// NVTX calls it once for each copy of NVTX in the program, before the first function of NVTX. Returns 1 if the
// functions of ranges are set; 0: the program does not have NVTX's tables.
[[gnu::visibility("default")]] int InitializeInjectionNvtx2(warpsim::cuda::nvtx::TableOf table_of);
}
// NOLINTEND(readability-identifier-naming)
