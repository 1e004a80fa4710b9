#include "support/listed_block.h"

#include <utility>

#include "isa/sass_decode.h"

namespace warpsim::test {
namespace {

class ListedReader final : public BlockReader {
 public:
  explicit ListedReader(ListedKernel kernel) : kernel_(std::move(kernel)) {}
  void read(std::uint64_t linear_index, BlockTrace& out) override { out = block_of(kernel_, linear_index); }

 private:
  ListedKernel kernel_;
};

}  // namespace

Path in_order(std::uint32_t first, std::uint32_t last) {
  Path path;
  for (std::uint32_t i = first; i <= last; ++i) {
    path.push_back({i, kAllLanes});
  }
  return path;
}

Path operator+(Path left, const Path& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::shared_ptr<const StaticProgram> listed_program(const std::vector<std::string>& lines) {
  auto program = std::make_shared<StaticProgram>();
  program->function = "listed";
  program->architecture = 90;
  program->has_listing = true;
  for (const std::string& line : lines) {
    StaticInstruction instruction;
    instruction.pc = static_cast<std::uint32_t>(program->instructions.size()) * program->instruction_bytes;
    decode_sass(line, program->architecture, program->opcodes, instruction);
    program->instructions.push_back(instruction);
    program->text.push_back(line);
  }
  return program;
}

ListedKernel listed_kernel(const std::vector<std::string>& lines, Dim3 grid, Dim3 cluster, std::uint32_t warps,
                           std::function<std::vector<Path>(std::uint64_t block)> paths) {
  ListedKernel kernel;
  kernel.launch.kernel = "listed";
  kernel.launch.grid = grid;
  kernel.launch.block = {warps * kWarpSize, 1, 1};
  kernel.launch.cluster = cluster;
  kernel.launch.registers_per_thread = 16;
  kernel.launch.program = listed_program(lines);
  kernel.paths = std::move(paths);
  return kernel;
}

BlockTrace block_of(const ListedKernel& kernel, std::uint64_t linear_index) {
  BlockTrace block;
  block.linear_index = linear_index;
  block.warp_begin.push_back(0);
  for (const Path& path : kernel.paths(linear_index)) {
    for (const Executed& executed : path) {
      WarpInstruction instruction;
      instruction.index = executed.index;
      instruction.active = executed.active;
      block.instructions.push_back(instruction);
    }
    block.warp_begin.push_back(static_cast<std::uint32_t>(block.instructions.size()));
  }
  return block;
}

std::unique_ptr<TraceKernelSource> source_of(const ListedKernel& kernel) {
  return std::make_unique<TraceKernelSource>(kernel.launch, std::make_unique<ListedReader>(kernel), true);
}

}  // namespace warpsim::test
