// What a cubin tells of its origin.
#pragma once

#include <cstdint>

#include "sass/elf_image.h"

namespace warpsim::sass {

// Of ElfImage::os_abi.
inline constexpr std::uint8_t kOlderAbi = 0x33;  // up to CUDA 12
inline constexpr std::uint8_t kNewerAbi = 0x41;  // CUDA 13

// The architecture of the PTX from which code for `architecture` was compiled, 80 for compute_80; that of the code if
// the cubin does not tell. Evidence: cubins of ptxas 13.0 for PTX of sm_75 to sm_90; the place in the flags is that of
// LLVM's ELF definitions (EF_CUDA_VIRTUAL_SM).
std::uint32_t virtual_architecture(const ElfImage& image, std::uint32_t architecture);

}  // namespace warpsim::sass
