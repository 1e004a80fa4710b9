#include "frontend/accelsim/block_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/opcode_text.h"

namespace warpsim {
namespace {

// Memory that the core accesses by addresses of lanes.
bool needs_addresses(const StaticInstruction& instruction) {
  switch (instruction.kind) {
    case OpKind::kLoad:
    case OpKind::kStore:
    case OpKind::kAtomic:
    case OpKind::kReduction:
    case OpKind::kAsyncCopy:
    case OpKind::kLoadMatrix:
    case OpKind::kStoreMatrix:
      return instruction.space != MemorySpace::kNone;
    default:
      return false;
  }
}

}  // namespace

BlockDecoder::BlockDecoder(LineFormat format, std::shared_ptr<const StaticProgram> program, std::string program_name)
    : format_(format), program_(std::move(program)), program_name_(std::move(program_name)) {
  index_.add_program(*program_);
}

void BlockDecoder::begin_block(std::uint64_t linear_index, std::uint32_t warps, const TextPlace& place,
                               BlockTrace& out) {
  out.clear();
  place_ = &place;
  out.linear_index = linear_index;
  out_ = &out;
  recent_lists_ = {};
  warps_ = warps;
  segments_.clear();
}

void BlockDecoder::begin_warp(std::uint32_t warp) {
  segments_.push_back({warp, static_cast<std::uint32_t>(out_->instructions.size())});
}

void BlockDecoder::instruction(std::string_view text) {
  TraceLine line(*place_, text);
  const InstructionPrefix prefix = scan_prefix(line, format_);
  if (*line.position() != ' ') [[unlikely]] {
    line.fail("the line ends after the active mask; expected the number of destination registers");
  }
  line.move_to(line.position() + 1);
  const std::uint32_t found = index_.find(prefix.pc, line.position());
  const PcIndex::Entry* entry = nullptr;
  if (found != PcIndex::kNone) [[likely]] {
    entry = &index_.entry(found);
    line.move_to(line.position() + entry->signature.size());
  } else {
    entry = &slow_entry(line, prefix.pc);
  }
  WarpInstruction& out = out_->instructions.emplace_back();
  out.index = entry->instruction;
  out.active = prefix.active;
  if (entry->has_addresses) {
    out.addresses = addresses(line, prefix.active, entry->keeps_addresses);
  } else if (entry->keeps_addresses && prefix.active != 0) [[unlikely]] {
    line.fail(fmt::format("{} has active lanes but no addresses; expected an access width and addresses",
                          program_->opcodes[program_->instructions[entry->instruction].opcode]));
  }
  scan_tail(line, format_);
}

// First execution of an instruction: parses the text that later executions only compare.
const PcIndex::Entry& BlockDecoder::slow_entry(TraceLine& line, std::uint32_t pc) {
  const char* start = line.position();
  const InstructionBody body = scan_body(line);
  const std::uint32_t head = index_.first(pc);
  if (head == PcIndex::kNone) {
    line.fail(
        fmt::format("PC {:#06x} ({}) is not in {}; expected the code that was traced", pc, body.opcode, program_name_));
  }
  const OpcodeText recorded(body.opcode);
  std::uint32_t chosen = PcIndex::kNone;
  for (std::uint32_t i = head; i != PcIndex::kNone; i = index_.entry(i).next) {
    const StaticInstruction& candidate = program_->instructions[index_.entry(i).instruction];
    const OpcodeText listed(program_->opcodes[candidate.opcode]);
    if (listed.base() == recorded.base()) {
      chosen = i;
    }
  }
  if (chosen == PcIndex::kNone) {
    const StaticInstruction& listed = program_->instructions[index_.entry(head).instruction];
    line.fail(fmt::format("PC {:#06x} is {} in the trace but {} in {}; expected the same opcode", pc, body.opcode,
                          program_->opcodes[listed.opcode], program_name_));
  }
  // Keep the program's entry without signature for other spellings; store this one under its own signature.
  PcIndex::Entry entry;
  entry.signature.assign(start, static_cast<std::size_t>(line.position() - start));
  entry.instruction = index_.entry(chosen).instruction;
  entry.has_addresses = body.access_bytes > 0;
  entry.keeps_addresses = needs_addresses(program_->instructions[entry.instruction]);
  return index_.entry(index_.add(pc, std::move(entry)));
}

std::uint32_t BlockDecoder::addresses(TraceLine& line, LaneMask active, bool keep) {
  const std::uint32_t count = scan_addresses(line, active, lanes_);
  if (count == 0 || !keep) {
    return WarpInstruction::kNoAddresses;
  }
  const std::uint64_t stride = count > 1 ? lanes_[1] - lanes_[0] : 0;
  bool strided = true;
  for (std::uint32_t i = 2; i < count; ++i) {
    strided = strided && lanes_[i] - lanes_[i - 1] == stride;
  }
  if (strided) {
    return out_->addresses.add_strided(lanes_[0], static_cast<std::int64_t>(stride));
  }
  return add_list(count);
}

// Loops and warps of a block repeat the distances between their lanes.
std::uint32_t BlockDecoder::add_list(std::uint32_t count) {
  AddressPool& pool = out_->addresses;
  for (const RecentList& recent : recent_lists_) {
    if (recent.count != count) {
      continue;
    }
    const Address* const list = pool.at(recent.index).list;
    const Address moved = lanes_[0] - list[0];
    std::uint32_t equal = 1;
    while (equal < count && lanes_[equal] - list[equal] == moved) {
      ++equal;
    }
    if (equal == count) {
      return pool.add_moved(moved, recent.index);
    }
  }
  const std::uint32_t index = pool.add_list(lanes_.data(), count);
  recent_lists_[next_recent_++ % recent_lists_.size()] = {index, count};
  return index;
}

void BlockDecoder::end_block() {
  const bool ordered = std::ranges::is_sorted(segments_, {}, &Segment::warp);
  if (!ordered) {
    reorder_warps();
  }
  std::vector<std::uint32_t>& begin = out_->warp_begin;
  begin.assign(warps_ + 1, 0);
  std::size_t segment = 0;
  for (std::uint32_t warp = 0; warp <= warps_; ++warp) {
    while (segment < segments_.size() && segments_[segment].warp < warp) {
      ++segment;
    }
    begin[warp] =
        segment < segments_.size() ? segments_[segment].begin : static_cast<std::uint32_t>(out_->instructions.size());
  }
  out_ = nullptr;
}

// Sorts the instructions by warp.
void BlockDecoder::reorder_warps() {
  struct Part {
    Segment segment;
    std::uint32_t end = 0;
  };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const std::size_t end = i + 1 < segments_.size() ? segments_[i + 1].begin : out_->instructions.size();
    parts.push_back({segments_[i], static_cast<std::uint32_t>(end)});
  }
  std::ranges::sort(parts, {}, [](const Part& part) { return part.segment.warp; });
  std::vector<WarpInstruction> sorted;
  sorted.reserve(out_->instructions.size());
  segments_.clear();
  for (const Part& part : parts) {
    segments_.push_back({part.segment.warp, static_cast<std::uint32_t>(sorted.size())});
    sorted.insert(sorted.end(), out_->instructions.begin() + part.segment.begin, out_->instructions.begin() + part.end);
  }
  out_->instructions = std::move(sorted);
}

}  // namespace warpsim
