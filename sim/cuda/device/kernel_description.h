// What CUDA's calls tell of a kernel.
#pragma once

#include "codegen/machine_code.h"
#include "core/blocks/occupancy.h"
#include "cuda/device/device.h"
#include "emulator/code/kernel_image.h"

namespace warpsim::cuda {

// The most registers of a thread, up to `most`, with which so many blocks of so many threads fit on an SM; with fewer a
// compiler keeps values in memory. 0: they do not fit with any.
std::uint32_t registers_that_fit(const OccupancyConfig& limits, std::uint32_t threads, std::uint32_t blocks,
                                 std::uint32_t most);

// `module`: as it was loaded. `limits`: of the GPU that runs it. Code that is generated has as many registers as the
// kernel's launch bounds allow (.maxntid, .reqntid, .minnctapersm, .maxnreg).
KernelInfo describe_kernel(const ptx::Module& module, const KernelImage& image, const MachineCode& code,
                           const OccupancyConfig& limits);

// Before a launch of blocks of so many threads. The number of registers of generated code is an estimate, which should
// not keep a block from running, since NVIDIA's compiler may need fewer: it is then reduced. Returns what the user
// should know of that, or nothing.
std::string fit_registers(KernelInfo& kernel, const OccupancyConfig& limits, std::uint64_t threads);

}  // namespace warpsim::cuda
