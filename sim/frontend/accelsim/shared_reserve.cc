#include "frontend/accelsim/shared_reserve.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/error.h"
#include "frontend/accelsim/program_collector.h"
#include "frontend/accelsim/thread_block_scanner.h"
#include "frontend/accelsim/trace_line.h"
#include "isa/opcode_table.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kReserveBytes = 1024;
constexpr std::uint32_t kFirstArchitecture = 90;
constexpr std::uint32_t kBlocksLookedAt = 4;
// In a cluster the higher bits are the rank of the block that owns the memory.
constexpr Address kSharedWindowBytes = Address{1} << 24U;

// Handler of ThreadBlockScanner: keeps the extent of shared accesses.
class ExtentFinder {
 public:
  ExtentFinder(const InputStream& input, const AccelsimHeader& header)
      : input_(input),
        format_(line_format(header)),
        architecture_(header.architecture),
        generic_base_(header.launch.shared_base) {}

  void begin_warp(std::uint32_t /*warp*/) {}

  void instruction(std::string_view text) {
    TraceLine line(input_.place(), text);
    const InstructionPrefix prefix = scan_prefix(line, format_);
    const InstructionBody body = scan_body(line);
    if (body.access_bytes == 0) {
      return;
    }
    const Access& access = access_of(prefix.pc, body.opcode);
    if (access.space != MemorySpace::kShared && access.space != MemorySpace::kGeneric) {
      return;
    }
    const std::uint32_t count = scan_addresses(line, prefix.active, lanes_);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (access.space == MemorySpace::kShared) {
        extent_.add(lanes_[i] % kSharedWindowBytes, access.bytes);
      } else if (generic_base_ != 0 && lanes_[i] - generic_base_ < kSharedWindowBytes) {
        extent_.add(lanes_[i] - generic_base_, access.bytes);
      }
    }
  }

  const SharedExtent& extent() const { return extent_; }

 private:
  struct Access {
    MemorySpace space = MemorySpace::kNone;
    std::uint32_t bytes = 0;
  };

  const Access& access_of(std::uint32_t pc, std::string_view opcode) {
    const auto [entry, is_new] = accesses_.try_emplace(pc);
    if (is_new) {
      StaticInstruction instruction;
      classify(opcode, architecture_, instruction);
      // Asynchronous copies into shared memory are recorded with their global addresses only.
      if (instruction.kind != OpKind::kAsyncCopy) {
        entry->second = {instruction.space, instruction.bytes_per_lane};
      }
    }
    return entry->second;
  }

  const InputStream& input_;
  LineFormat format_;
  std::uint32_t architecture_;
  Address generic_base_;
  SharedExtent extent_;
  std::unordered_map<std::uint32_t, Access> accesses_;  // by PC
  std::array<Address, kWarpSize> lanes_{};
};

}  // namespace

void SharedExtent::add(Address address, std::uint32_t bytes) {
  begin = std::min(begin, address);
  end = std::max(end, address + bytes);
}

std::uint32_t shared_reserve(std::uint32_t stated, const SharedExtent& extent) {
  const bool included =
      stated > kReserveBytes && !extent.empty() && extent.begin >= kReserveBytes && extent.end <= stated;
  return included ? kReserveBytes : 0;
}

std::uint32_t find_shared_reserve(const std::string& path, const AccelsimHeader& header) {
  const std::uint32_t stated = header.launch.shared_bytes;
  if (header.architecture < kFirstArchitecture || stated <= kReserveBytes) {
    return 0;
  }
  InputStream input(path);
  ThreadBlockScanner scanner(input, read_accelsim_header(input));
  ExtentFinder finder(input, header);
  try {
    for (std::uint32_t i = 0; i < kBlocksLookedAt && finder.extent().end <= stated && scanner.next_block(); ++i) {
      scanner.read_warps(finder);
    }
  } catch (const TraceError&) {
    // The error is reported, with its place, when the block is read.
  }
  return shared_reserve(stated, finder.extent());
}

}  // namespace warpsim
