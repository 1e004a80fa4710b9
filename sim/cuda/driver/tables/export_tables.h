// Tables of functions without names that NVIDIA's runtime and libraries ask the driver for (cuGetExportTable). With
// them a program may contain the runtime itself, which is what nvcc links by default.
//
// Known: the tables that the runtimes of the toolkits 11 to 13 ask for, with the entries that they call. Any other
// entry of these tables reports itself once and returns "not supported". Most tables begin with their size in bytes.
// Source: public knowledge (github.com/vosen/ZLUDA, dark_api); sizes and calls observed on an H100 with driver 580.
#pragma once

#include "cuda/abi/abi.h"

namespace warpsim::cuda {

// Null: no such table is known.
const void* export_table(const abi::Uuid& id);

}  // namespace warpsim::cuda
