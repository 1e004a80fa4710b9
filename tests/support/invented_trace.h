// Invented kernels and blocks for tests of trace formats, and a place for their files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/workload/block_trace.h"

namespace warpsim::test {

// A directory that is removed with its content.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string path(const std::string& name) const { return root_ + "/" + name; }

 private:
  std::string root_;
};

struct InventedKernel {
  KernelLaunch launch;
  std::vector<BlockTrace> blocks;
};

// A program of `size` instructions; every third is a load, the others add. No disassembly.
std::shared_ptr<StaticProgram> invented_program(std::uint32_t size);

// A kernel that runs `program` on `blocks` blocks of `threads` threads; blocks must be added.
InventedKernel invented_kernel(std::shared_ptr<const StaticProgram> program, std::uint32_t blocks,
                               std::uint32_t threads);

// Blocks of random paths, masks and addresses of all kinds.
InventedKernel random_kernel(std::mt19937_64& random);

// Appends one instruction to the last warp of `block`, and ends that warp.
void add_instruction(BlockTrace& block, std::uint32_t index, LaneMask active);
void add_strided(BlockTrace& block, std::uint32_t index, LaneMask active, Address base, std::int64_t stride);
void add_list(BlockTrace& block, std::uint32_t index, LaneMask active, const std::vector<Address>& list);
void end_warp(BlockTrace& block);

// "" if both record the same, otherwise the first difference.
std::string difference(const BlockTrace& expected, const BlockTrace& actual);

// Writes the kernels into a .wtrace.
void write_wtrace(const std::string& path, const std::vector<InventedKernel>& kernels);

// The next kernel of `source`, which must be one.
std::unique_ptr<KernelSource> next_kernel(CommandSource& source);
// Reads all blocks of the next kernel in order and compares: "" or the first difference.
std::string difference_of_next(CommandSource& source, const InventedKernel& expected);

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& content);

}  // namespace warpsim::test
