// What a cubin states about a function: the records of its section .nv.info.<name>, and those of .nv.info.
//
// Read are the records that matter for launching and executing a kernel; the others are for debuggers and drivers and
// are skipped by their size. Numbers of attributes: cloudcores/CuAssembler, VivekPanyam/cudaparsers, redplait/denvdis;
// contents: cubins of nvcc 13 for kernels of known shape. An attribute that CUDA 13.0 does not write is an error,
// because the code may depend on it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sass/elf_image.h"

namespace warpsim::sass {

struct KernelParameter {
  std::uint32_t ordinal = 0;
  std::uint32_t offset = 0;  // bytes from the begin of the parameters
  std::uint32_t bytes = 0;
};

// An instruction that jumps to an address in a register, and where it can jump to; offsets in the function's section.
struct IndirectBranch {
  std::uint32_t offset = 0;
  std::vector<std::uint32_t> targets;
};

using Dimensions = std::array<std::uint32_t, 3>;

// Of the function that a section of code is named after.
struct FunctionInfo {
  std::uint32_t parameter_offset = 0;  // in constant bank 0
  std::uint32_t parameter_bytes = 0;
  std::vector<KernelParameter> parameters;     // by ordinal
  std::optional<Dimensions> max_threads;       // __launch_bounds__
  std::optional<Dimensions> required_threads;  // .reqntid
  std::optional<Dimensions> cluster;           // .reqnctapercluster; zeros: chosen by the launch
  bool explicit_cluster = false;
  std::optional<std::uint32_t> max_cluster_blocks;
  std::optional<std::uint32_t> barriers;  // named barriers of a block; absent before CUDA 13
  std::vector<std::uint32_t> exits;       // offsets of EXIT in the section
  std::vector<IndirectBranch> indirect_branches;
  std::vector<std::uint32_t> system_calls;  // offsets of calls of functions of the system
  std::vector<std::uint32_t> externals;     // symbols that are not defined in the program
};

// Of any function, by its symbol.
struct FunctionResources {
  std::optional<std::uint32_t> registers;
  std::uint32_t frame_bytes = 0;             // of this function alone
  std::optional<std::uint32_t> stack_bytes;  // that a thread needs at least, with the functions that it calls
  std::optional<std::uint32_t> max_stack_bytes;
};

// Of a section of type 0x70000000. Throw InvalidCubin.
FunctionInfo read_function_info(const ElfImage& image, const ElfSection& section);
std::map<std::uint32_t, FunctionResources> read_function_resources(const ElfImage& image, const ElfSection& section);

}  // namespace warpsim::sass
