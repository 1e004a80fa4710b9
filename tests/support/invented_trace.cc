#include "support/invented_trace.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <variant>

#include "frontend/workload/block_copy.h"
#include "frontend/wtrace/wtrace_writer.h"
#include "isa/opcode_table.h"

namespace warpsim::test {
namespace {

std::uint64_t below(std::mt19937_64& random, std::uint64_t limit) {
  return random() % limit;
}

LaneMask random_mask(std::mt19937_64& random) {
  switch (below(random, 5)) {
    case 0:
      return 0;
    case 1:
      return LaneMask{1} << below(random, 32);
    case 2:
      return static_cast<LaneMask>(random());
    default:
      return kAllLanes;
  }
}

void add_random_access(std::mt19937_64& random, BlockTrace& block, std::uint32_t index, LaneMask mask) {
  const Address base = below(random, 20) == 0 ? random() : 0x7f0000000000 + below(random, 1024) * 4;
  const std::int64_t stride = std::array<std::int64_t, 5>{4, 8, 0, -16, 1}[below(random, 5)];
  switch (below(random, 4)) {
    case 0:
      add_instruction(block, index, mask);
      break;
    case 1:
      add_strided(block, index, mask, base, stride);
      break;
    default: {
      std::vector<Address> list;
      const bool regular = below(random, 2) == 0;
      for (int lane = 0; lane < std::popcount(mask); ++lane) {
        list.push_back(base + (regular ? static_cast<Address>(lane % 8 * 12) : random() >> below(random, 64)));
      }
      add_list(block, index, mask, list);
    }
  }
}

void add_random_warp(std::mt19937_64& random, BlockTrace& block, std::uint32_t program_size) {
  const std::uint64_t length = below(random, 4) == 0 ? 0 : below(random, 60);
  auto index = static_cast<std::uint32_t>(below(random, program_size));
  LaneMask flow = kAllLanes;
  for (std::uint64_t i = 0; i < length; ++i) {
    if (below(random, 6) == 0) {
      flow = random_mask(random);
    }
    const LaneMask mask = below(random, 4) == 0 ? random_mask(random) : flow;
    if (index % 3 == 0) {
      add_random_access(random, block, index, mask);
    } else {
      add_instruction(block, index, mask);
    }
    index = below(random, 5) == 0 ? static_cast<std::uint32_t>(below(random, program_size)) : index + 1;
    index %= program_size;
  }
  end_warp(block);
}

std::string difference_of_addresses(const LaneAddresses& expected, const LaneAddresses& actual, LaneMask active) {
  if (expected.kind != actual.kind) {
    return "kind of addresses";
  }
  if (expected.kind == LaneAddresses::Kind::kStrided) {
    return expected.base == actual.base && expected.stride == actual.stride ? "" : "base or stride";
  }
  if (expected.kind == LaneAddresses::Kind::kList) {
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(std::popcount(active)); ++i) {
      if (expected.of_lane(i) != actual.of_lane(i)) {
        return "address list";
      }
    }
  }
  if (expected.kind == LaneAddresses::Kind::kTexels &&
      (expected.stride != actual.stride ||
       !std::equal(expected.list, expected.list + expected.texels().count, actual.list))) {
    return "texels";
  }
  return "";
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "warpsim-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("no temporary directory");
  }
  root_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::shared_ptr<StaticProgram> invented_program(std::uint32_t size) {
  auto program = std::make_shared<StaticProgram>();
  program->function = "_Z8inventedv";
  program->architecture = 90;
  program->opcodes = {"LDG.E", "IADD3"};
  for (std::uint32_t i = 0; i < size; ++i) {
    StaticInstruction& instruction = program->instructions.emplace_back();
    instruction.pc = 16 * i;
    instruction.opcode = i % 3 == 0 ? 0 : 1;
    classify(program->opcodes[instruction.opcode], program->architecture, instruction);
    instruction.destinations[0] = {static_cast<std::uint8_t>(i % 200), 1};
  }
  return program;
}

InventedKernel invented_kernel(std::shared_ptr<const StaticProgram> program, std::uint32_t blocks,
                               std::uint32_t threads) {
  InventedKernel kernel;
  kernel.launch.kernel = program->function;
  kernel.launch.grid = {blocks, 1, 1};
  kernel.launch.block = {threads, 1, 1};
  kernel.launch.registers_per_thread = 32;
  kernel.launch.program = std::move(program);
  kernel.blocks.resize(blocks);
  for (std::uint32_t i = 0; i < blocks; ++i) {
    kernel.blocks[i].linear_index = i;
    kernel.blocks[i].warp_begin = {0};
  }
  return kernel;
}

InventedKernel random_kernel(std::mt19937_64& random) {
  const auto size = static_cast<std::uint32_t>(1 + below(random, 40));
  const auto threads = static_cast<std::uint32_t>(1 + below(random, 150));
  InventedKernel kernel =
      invented_kernel(invented_program(size), static_cast<std::uint32_t>(1 + below(random, 6)), threads);
  for (BlockTrace& block : kernel.blocks) {
    for (std::uint32_t warp = 0; warp < kernel.launch.warps_per_block(); ++warp) {
      add_random_warp(random, block, size);
    }
  }
  return kernel;
}

void add_instruction(BlockTrace& block, std::uint32_t index, LaneMask active) {
  block.instructions.push_back({index, active, WarpInstruction::kNoAddresses, 0});
}

void add_strided(BlockTrace& block, std::uint32_t index, LaneMask active, Address base, std::int64_t stride) {
  block.instructions.push_back({index, active, block.addresses.add_strided(base, stride), 0});
}

void add_list(BlockTrace& block, std::uint32_t index, LaneMask active, const std::vector<Address>& list) {
  const std::uint32_t at = block.addresses.add_list(list.data(), static_cast<std::uint32_t>(list.size()));
  block.instructions.push_back({index, active, at, 0});
}

void end_warp(BlockTrace& block) {
  block.warp_begin.push_back(static_cast<std::uint32_t>(block.instructions.size()));
}

std::string difference(const BlockTrace& expected, const BlockTrace& actual) {
  if (expected.linear_index != actual.linear_index || expected.warp_begin != actual.warp_begin ||
      expected.instructions.size() != actual.instructions.size()) {
    return fmt::format("block {} against {}, or their warps", expected.linear_index, actual.linear_index);
  }
  for (std::size_t i = 0; i < expected.instructions.size(); ++i) {
    const WarpInstruction& e = expected.instructions[i];
    const WarpInstruction& a = actual.instructions[i];
    const auto lanes = [](const BlockTrace& block, const WarpInstruction& instruction) {
      return instruction.addresses == WarpInstruction::kNoAddresses ? LaneAddresses{}
                                                                    : block.addresses.at(instruction.addresses);
    };
    std::string what = e.index == a.index && e.active == a.active ? "" : "index or mask";
    if (what.empty()) {
      what = difference_of_addresses(lanes(expected, e), lanes(actual, a), e.active);
    }
    if (!what.empty()) {
      return fmt::format("block {}, instruction {}: {}", expected.linear_index, i, what);
    }
  }
  return "";
}

void write_wtrace(const std::string& path, const std::vector<InventedKernel>& kernels) {
  WtraceWriter writer(path);
  for (const InventedKernel& kernel : kernels) {
    writer.begin_kernel(kernel.launch);
    for (const BlockTrace& block : kernel.blocks) {
      writer.add_block(block);
    }
    writer.end_kernel();
  }
  writer.finish();
}

std::unique_ptr<KernelSource> next_kernel(CommandSource& source) {
  std::optional<Command> command = source.next();
  if (!command || !std::holds_alternative<std::unique_ptr<KernelSource>>(*command)) {
    throw std::runtime_error("the next command is no kernel");
  }
  return std::move(std::get<std::unique_ptr<KernelSource>>(*command));
}

std::string difference_of_next(CommandSource& source, const InventedKernel& expected) {
  const std::unique_ptr<KernelSource> kernel = next_kernel(source);
  BlockTrace block;
  for (const BlockTrace& recorded : expected.blocks) {
    copy_block(*kernel, recorded.linear_index, block);
    const std::string what = difference(recorded, block);
    if (!what.empty()) {
      return what;
    }
  }
  return "";
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
}

}  // namespace warpsim::test
