#include "frontend/lowering/lowered_block.h"

#include <algorithm>
#include <bit>

namespace warpsim {

namespace {

constexpr std::size_t kLoweredPiece = 1024;
// Addresses and operations that no trace holds. Small numbers of addresses are the distance between lanes of an
// access without conflicts, numbers from kFirstSlot on are entries of own addresses.
constexpr std::uint32_t kOwn = 0x80000000U;
constexpr std::uint32_t kFirstSlot = 32;

bool is_copy(const AsyncOperation& operation) {
  return operation.kind == AsyncOperation::Kind::kCopyIn || operation.kind == AsyncOperation::Kind::kCopyOut ||
         operation.kind == AsyncOperation::Kind::kReduceOut;
}

}  // namespace

LoweredBlock::LoweredBlock(std::unique_ptr<BlockSource> recorded, std::shared_ptr<const LoweredProgram> lowered,
                           std::shared_ptr<LoweringFindings> findings)
    : recorded_(std::move(recorded)),
      lowered_(std::move(lowered)),
      findings_(std::move(findings)),
      warps_(recorded_->warp_count()) {}

void LoweredBlock::refill(WarpStream& stream, Cycle now) {
  Warp& warp = warps_[stream.warp];
  warp.piece.clear();
  free_slots_.insert(free_slots_.end(), warp.slots.begin(), warp.slots.end());
  warp.slots.clear();
  while (warp.piece.size() < kLoweredPiece) {
    if (warp.recorded.next == warp.recorded.end) {
      // A source that executes at issue is asked again when all instructions have issued.
      if (!warp.piece.empty()) {
        break;
      }
      if (!warp.recorded.finished) {
        warp.recorded.warp = stream.warp;
        recorded_->refill(warp.recorded, now);
      }
      if (warp.recorded.next == warp.recorded.end) {
        break;
      }
    }
    append(*warp.recorded.next++, warp);
  }
  stream.next = warp.piece.data();
  stream.end = stream.next + warp.piece.size();
  stream.finished = warp.recorded.finished && warp.recorded.next == warp.recorded.end;
  findings_->add(counts_);
  counts_ = {};
}

Cycle LoweredBlock::known_at(const WarpStream& stream) const {
  return recorded_->known_at(warps_[stream.warp].recorded);
}

LaneAddresses LoweredBlock::addresses(const WarpInstruction& instruction) const {
  if ((instruction.addresses & kOwn) == 0 || instruction.addresses == WarpInstruction::kNoAddresses) {
    return recorded_->addresses(instruction);
  }
  const std::uint32_t number = instruction.addresses & ~kOwn;
  if (number < kFirstSlot) {
    return {.kind = LaneAddresses::Kind::kStrided, .stride = number};
  }
  return own_addresses_[number - kFirstSlot];
}

const AsyncOperation* LoweredBlock::operations(const WarpInstruction& instruction) const {
  if ((instruction.operation & kOwn) == 0) {
    return recorded_->operations(instruction);
  }
  return &reports_[instruction.operation & ~kOwn];
}

void LoweredBlock::append(const WarpInstruction& recorded, Warp& warp) {
  const LoweredProgram::Place& place = lowered_->places[recorded.index];
  const std::size_t before = warp.piece.size();
  if (!place.asynchronous) {
    append_steps(recorded, place, warp);
  } else if (!append_asynchronous(recorded, place, warp)) {
    warp.piece.push_back({.index = place.first, .active = recorded.active});
  }
  ++counts_.executed;
  counts_.replaced += place.counted ? 1 : 0;
  counts_.issued += warp.piece.size() - before;
}

void LoweredBlock::append_steps(const WarpInstruction& recorded, const LoweredProgram::Place& place, Warp& warp) const {
  for (std::uint32_t i = 0; i < place.count; ++i) {
    WarpInstruction written = recorded;
    written.index = place.first + i;
    if (static_cast<std::int32_t>(i) != place.memory) {
      written.addresses = lowered_->roles[written.index].access == StepAccess::kShared
                              ? kOwn | lowered_->program->instructions[written.index].bytes_per_lane
                              : WarpInstruction::kNoAddresses;
    }
    if (place.replaced) {
      written.operation = 0;
    }
    warp.piece.push_back(written);
  }
}

// Returns false if no operation is known.
bool LoweredBlock::append_asynchronous(const WarpInstruction& recorded, const LoweredProgram::Place& place,
                                       Warp& warp) {
  if (recorded.active == 0) {
    return false;
  }
  const AsyncOperation* operation = recorded.operation == 0 ? nullptr : recorded_->operations(recorded);
  if (operation == nullptr) {
    ++counts_.unknown;
    return false;
  }
  if (operation->kind == AsyncOperation::Kind::kIgnore) {
    return false;
  }
  if (!is_copy(*operation)) {
    if (findings_->cluster_dropped) {
      ++counts_.barrier_operations_left_out;
      return false;
    }
    append_at_barrier(recorded, place, *operation, warp);
    return true;
  }
  const std::size_t before = warp.piece.size();
  for (;; ++operation) {
    // A copy to several blocks: each block would make its own.
    const int times = std::max(1, std::popcount(operation->blocks));
    for (int i = 0; i < times && operation->bytes > 0; ++i) {
      append_copy(recorded, place, *operation, warp);
    }
    counts_.unknown += operation->bytes > 0 ? 0 : 1;
    if (operation->last) {
      return warp.piece.size() != before;
    }
  }
}

void LoweredBlock::append_at_barrier(const WarpInstruction& recorded, const LoweredProgram::Place& place,
                                     const AsyncOperation& operation, Warp& warp) {
  ++counts_.barrier_operations;
  for (std::uint32_t index = place.first + 1; index < place.first + place.count; ++index) {
    WarpInstruction written{.index = index, .active = recorded.active};
    if (lowered_->roles[index].operates) {
      written.addresses = own_addresses(operation.barrier, 0, warp);
      written.operation = recorded.operation;
    }
    warp.piece.push_back(written);
  }
}

void LoweredBlock::append_copy(const WarpInstruction& recorded, const LoweredProgram::Place& place,
                               const AsyncOperation& copy, Warp& warp) {
  ++counts_.copies;
  counts_.copied_bytes += static_cast<std::uint32_t>(copy.bytes);
  append_parts(place, copy, warp);
  const bool reports = copy.kind == AsyncOperation::Kind::kCopyIn && !findings_->cluster_dropped;
  for (std::uint32_t index = place.first + 1; index < place.first + place.count; ++index) {
    const LoweredProgram::Role& role = lowered_->roles[index];
    if (role.copies) {
      continue;
    }
    WarpInstruction written{.index = index, .active = recorded.active & (~recorded.active + 1)};  // one lane
    if (role.operates) {
      written.addresses = own_addresses(copy.barrier, 0, warp);
      written.operation = reports ? kOwn | report_of(copy) : 0;
    }
    warp.piece.push_back(written);
  }
}

// The copy's loads and stores; the last ones only have lanes for the remaining bytes.
void LoweredBlock::append_parts(const LoweredProgram::Place& place, const AsyncOperation& copy, Warp& warp) {
  const auto bytes = static_cast<std::uint32_t>(copy.bytes);
  std::uint32_t shared_done = 0;
  std::uint32_t global_done = 0;
  while (std::max(shared_done, global_done) < bytes) {
    for (std::uint32_t index = place.first + 1; index < place.first + place.count; ++index) {
      const LoweredProgram::Role& role = lowered_->roles[index];
      const bool global = role.access == StepAccess::kGlobal;
      std::uint32_t& done = global ? global_done : shared_done;
      if (!role.copies || done >= bytes) {
        continue;
      }
      const std::uint32_t width = lowered_->program->instructions[index].bytes_per_lane;
      const std::uint32_t lanes = std::min(kWarpSize, (bytes - done + width - 1) / width);
      const Address base = global ? copy.global : copy.shared;
      warp.piece.push_back({.index = index,
                            .active = kAllLanes >> (kWarpSize - lanes),
                            .addresses = own_addresses(base + done, width, warp)});
      done += lanes * width;
    }
  }
}

std::uint32_t LoweredBlock::own_addresses(Address base, std::int64_t stride, Warp& warp) {
  std::uint32_t slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(own_addresses_.size());
    own_addresses_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  own_addresses_[slot] = {.kind = LaneAddresses::Kind::kStrided, .base = base, .stride = stride};
  warp.slots.push_back(slot);
  return kOwn | (kFirstSlot + slot);
}

// Reports that the copy's bytes have been written.
std::uint32_t LoweredBlock::report_of(const AsyncOperation& copy) {
  const auto [found, added] =
      known_reports_.try_emplace({copy.barrier, copy.bytes}, static_cast<std::uint32_t>(reports_.size()));
  if (added) {
    reports_.push_back({.kind = AsyncOperation::Kind::kComplete, .barrier = copy.barrier, .bytes = copy.bytes});
  }
  return found->second;
}

}  // namespace warpsim
