#include "frontend/accelsim/trace_text.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "frontend/workload/block_copy.h"

namespace warpsim {
namespace {

using Buffer = fmt::memory_buffer;

template <typename... Arguments>
void print(Buffer& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

class TextFile {
 public:
  TextFile(const OutputFolder& folder, const std::string& name)
      : path_(folder.path() + "/" + name), file_(std::fopen((folder.temporary() + "/" + name).c_str(), "wbx")) {
    if (file_ == nullptr) {
      fail();
    }
  }
  ~TextFile() {
    if (file_ != nullptr) {
      std::fclose(file_);
    }
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  void write(const char* text, std::size_t size) {
    if (std::fwrite(text, 1, size, file_) != size) {
      fail();
    }
  }
  void close() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) {
      fail();
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw TraceError(
        fmt::format("{}: cannot be written: {}; expected a writable place with space", path_, std::strerror(errno)));
  }

  std::string path_;  // its final name
  std::FILE* file_;
};

void print_header(Buffer& out, const KernelLaunch& launch, std::uint32_t id, std::size_t function) {
  print(out, "-kernel name = {}\n-kernel id = {}\n", launch.kernel, id);
  print(out, "-grid dim = ({},{},{})\n", launch.grid.x, launch.grid.y, launch.grid.z);
  print(out, "-block dim = ({},{},{})\n", launch.block.x, launch.block.y, launch.block.z);
  print(out, "-shmem = {}\n-shmem reserve = 0\n-nregs = {}\n", launch.shared_bytes, launch.registers_per_thread);
  print(out, "-binary version = {}\n-cuda stream id = {}\n", launch.program->architecture, launch.stream);
  print(out, "-shmem base_addr = {:#018x}\n-local mem base_addr = {:#018x}\n", launch.shared_base, launch.local_base);
  print(out, "-accelsim tracer version = 5\n-enable lineinfo = 0\n");
  print(out, "-cluster dim = ({},{},{})\n", launch.cluster.x, launch.cluster.y, launch.cluster.z);
  print(out, "-local size = {}\n-function id = {}\n", launch.local_bytes_per_thread, function);
  print(out,
        "\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [address_mode] "
        "[mem_addresses] immediate\n\n");
}

// " mode addresses" of a memory instruction. Mode 1 is only possible for lanes without gaps.
void print_addresses(Buffer& out, const LaneAddresses& addresses, LaneMask active) {
  const int count = std::popcount(active);
  const bool strided = addresses.kind == LaneAddresses::Kind::kStrided;
  const LaneMask from_lane_0 = count == 0 ? 0 : active >> std::countr_zero(active);
  const bool gaps = (from_lane_0 & (from_lane_0 + 1)) != 0;
  if (count == 0) {
    print(out, " 1 0x0 0");
  } else if (strided && !gaps) {
    print(out, " 1 {:#x} {}", addresses.base, addresses.stride);
  } else {
    print(out, " 2 {:#x}", addresses.of_lane(0));
    for (std::uint32_t i = 1; i < static_cast<std::uint32_t>(count); ++i) {
      print(out, " {}", static_cast<std::int64_t>(addresses.of_lane(i) - addresses.of_lane(i - 1)));
    }
  }
}

void print_instruction(Buffer& out, const WarpInstruction& instruction, const StaticProgram& program,
                       const BlockTrace& block) {
  const StaticInstruction& is = program.instructions[instruction.index];
  print(out, "{:04x} {:08x} ", is.pc, instruction.active);
  if (is.destinations[0].count != 0) {
    print(out, "1 R{} ", is.destinations[0].first);
  } else {
    print(out, "0 ");
  }
  out.append(program.opcodes[is.opcode]);
  std::uint32_t sources = 0;
  for (const RegisterRange& range : is.sources) {
    sources += range.count != 0 ? 1 : 0;
  }
  print(out, " {}", sources);
  for (const RegisterRange& range : is.sources) {
    if (range.count != 0) {
      print(out, " R{}", range.first);
    }
  }
  const LaneAddresses addresses = instruction.addresses == WarpInstruction::kNoAddresses
                                      ? LaneAddresses{}
                                      : block.addresses.at(instruction.addresses);
  if (addresses.kind == LaneAddresses::Kind::kNone || addresses.kind == LaneAddresses::Kind::kTexels) {
    print(out, " 0 {}\n", is.immediate);  // the format has no words for texels
    return;
  }
  print(out, " {}", is.bytes_per_lane == 0 ? 4 : is.bytes_per_lane);
  print_addresses(out, addresses, instruction.active);
  print(out, " {}\n", is.immediate);
}

void print_block(Buffer& out, const BlockTrace& block, const KernelLaunch& launch) {
  const std::uint64_t row = block.linear_index / launch.grid.x;
  print(out, "#BEGIN_TB\n\nthread block = {},{},{}\n\n", block.linear_index % launch.grid.x, row % launch.grid.y,
        row / launch.grid.y);
  for (std::uint32_t warp = 0; warp < block.warp_count(); ++warp) {
    print(out, "warp = {}\ninsts = {}\n", warp, block.warp_begin[warp + 1] - block.warp_begin[warp]);
    for (std::uint32_t i = block.warp_begin[warp]; i < block.warp_begin[warp + 1]; ++i) {
      print_instruction(out, block.instructions[i], *launch.program, block);
    }
    print(out, "\n");
  }
  print(out, "#END_TB\n\n");
}

std::uint64_t control_field(const ControlBits& control) {
  return std::uint64_t{control.stall_cycles} | (control.yield ? 0U : 1U << 4U) |
         (std::uint64_t{control.write_barrier} << 5U) | (std::uint64_t{control.read_barrier} << 8U) |
         (std::uint64_t{control.wait_mask} << 11U) | (std::uint64_t{control.reuse_mask} << 17U);
}

// sm_50 to sm_62: the word before three instructions.
std::uint64_t group_control(const StaticProgram& program, std::size_t first) {
  std::uint64_t word = 0;
  for (std::size_t slot = 0; slot < 3 && first + slot < program.instructions.size(); ++slot) {
    word |= control_field(program.instructions[first + slot].control) << (21U * slot);
  }
  return word;
}

void print_listing(Buffer& out, const StaticProgram& program) {
  print(out, "# The encodings hold only the control bits; all other bits are zero.\n\n");
  print(out, "\tcode for sm_{}\n\n\t\tFunction : {}\n", program.architecture, program.function);
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const StaticInstruction& is = program.instructions[i];
    const bool has_upper_word = program.architecture >= 70;
    if (program.has_control && !has_upper_word && is.pc % 32 == 8) {
      print(out, "{:85}/* {:#018x} */\n", "", group_control(program, i));
    }
    print(out, "        /*{:04x}*/                   {:49} ;", is.pc, program.text[i]);
    if (program.has_control) {
      print(out, "  /* {:#018x} */", std::uint64_t{0});
    }
    print(out, "\n");
    if (program.has_control && has_upper_word) {
      print(out, "{:85}/* {:#018x} */\n", "", control_field(is.control) << 41U);
    }
  }
}

void write_file(const OutputFolder& folder, const std::string& name, const Buffer& content) {
  TextFile file(folder, name);
  file.write(content.data(), content.size());
  file.close();
}

}  // namespace

TraceTextWriter::TraceTextWriter(std::string directory) : folder_(std::move(directory)) {}

void TraceTextWriter::add_copy(const CopyToDevice& copy) {
  list_ += fmt::format("MemcpyHtoD,{:#018x},{}\n", copy.destination, copy.bytes);
}

std::size_t TraceTextWriter::function_of(const std::shared_ptr<const StaticProgram>& program) {
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    if (functions_[i] == program) {
      return i;
    }
  }
  const std::size_t number = functions_.size();
  functions_.push_back(program);
  if (program->has_listing && program->text.size() == program->instructions.size()) {
    Buffer listing;
    print_listing(listing, *program);
    write_file(folder_, fmt::format("func-{}.sass", number), listing);
  }
  return number;
}

void TraceTextWriter::add_kernel(KernelSource& kernel) {
  const KernelLaunch& launch = kernel.launch();
  const std::uint32_t id = ++kernels_;
  const std::string name = fmt::format("kernel-{}.traceg", id);
  TextFile file(folder_, name);
  Buffer text;
  print_header(text, launch, id, function_of(launch.program));
  BlockTrace block;
  for (std::uint64_t index = 0; index < launch.grid.count(); ++index) {
    copy_block(kernel, index, block);
    print_block(text, block, launch);
    file.write(text.data(), text.size());
    text.clear();
  }
  file.close();
  list_ += name + "\n";
}

void TraceTextWriter::finish() {
  TextFile list(folder_, "kernelslist.g");
  list.write(list_.data(), list_.size());
  list.close();
  folder_.publish();
}

}  // namespace warpsim
