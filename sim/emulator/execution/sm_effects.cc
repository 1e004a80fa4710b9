#include "emulator/execution/sm_effects.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/memory_access.h"

namespace warpsim {

void SmEffects::executed(Cycle now, Cycle way) {
  if (view_.is_clean()) {
    return;
  }
  const MemoryView::Writes writes = view_.take_writes();
  if (writes.begin == writes.end) {
    return;
  }
  if (way == 0) {
    records_.push_back({now, Kind::kWrites, writes});
  } else {
    send({.cycle = now, .writes = view_.send(writes)}, way);
  }
}

void SmEffects::put_off(PutOffWarps& block, std::uint32_t warp, Cycle now, Cycle way) {
  if (way == 0) {
    records_.push_back({now, Kind::kOperation, {}, warp, &block});
  } else {
    send({.cycle = now, .block = &block, .warp = warp}, way);
  }
}

void SmEffects::send(FarRecord record, Cycle way) {
  record.arrival = record.cycle + way;
  auto found = std::ranges::find(ways_, way, &Way::cycles);
  if (found == ways_.end()) {
    ways_.emplace_back().cycles = way;
    found = ways_.end() - 1;
  }
  found->records.push_back(std::move(record));
}

void SmEffects::execute_arrived(std::size_t queue) {
  const FarRecord record = std::move(ways_[queue].records.front());
  ways_[queue].records.pop_front();
  for (const FarView::Write& write : record.writes) {
    view_.far().arrive(write);
  }
  for (const std::byte* const data : record.updated) {
    view_.far().arrive_update(data);
  }
  if (record.update != nullptr) {
    record.update->run();
  }
  if (record.block != nullptr) {
    record.block->execute_put_off(record.warp, record.cycle);
  }
}

void SmEffects::put_off_update(WarpContext& warp, const Operation& operation, const Issued& issued) {
  const LaneMask lanes = issued.lanes;
  SIM_CHECK(operation.d == kNoPlace && operation.count == 1 && operation.bytes <= sizeof(std::uint64_t),
            "an update that cannot be put off without its warp");
  warp.effects = nullptr;
  const LanePointers pointers = resolve(warp, operation, lanes, operation.bytes, AccessKind::kUpdate);
  warp.effects = this;
  std::unique_ptr<Update> kept;
  if (issued.way != 0) {
    kept = std::make_unique<Update>();
  } else if (used_updates_ == updates_.size()) {
    updates_.push_back(std::make_unique<Update>());
  }
  Update& update = kept != nullptr ? *kept : *updates_[used_updates_];
  update.operation = operation;
  update.lanes = lanes;
  update.warp = warp;
  update.warp.effects = nullptr;
  std::byte* next = update.operands.data();
  const auto keep = [&](OperandPlace& place, std::size_t lane_bytes) {
    if (place < 0) {
      return;  // a constant, or none
    }
    const std::size_t bytes = kWarpSize * lane_bytes;
    std::memcpy(next, warp.registers + place, bytes);
    place = static_cast<OperandPlace>(next - update.operands.data());
    next += bytes;
  };
  const std::size_t value_bytes = operation.bytes <= sizeof(std::uint32_t) ? sizeof(std::uint32_t) : operation.bytes;
  keep(update.operation.a, operation.a_high == kNoPlace ? operation.address_bits / 8U : sizeof(std::uint32_t));
  keep(update.operation.a_high, sizeof(std::uint32_t));
  keep(update.operation.b, value_bytes);
  keep(update.operation.c, value_bytes);
  if (kept == nullptr) {
    for_lanes(lanes, [&](std::uint32_t lane) { view_.put_off_update(pointers.lane[lane]); });
    records_.push_back({issued.now, Kind::kUpdate, {}, used_updates_++});
    return;
  }
  FarRecord record{.cycle = issued.now, .update = std::move(kept)};
  for_lanes(lanes, [&](std::uint32_t lane) {
    view_.far().begin_update(pointers.lane[lane]);
    record.updated.push_back(pointers.lane[lane]);
  });
  send(std::move(record), issued.way);
}

void SmEffects::warn(const LaunchContext& launch, std::uint32_t line, std::string text, Cycle now) {
  records_.push_back({now, Kind::kWarning, {}, static_cast<std::uint32_t>(warnings_.size())});
  warnings_.push_back({line, std::move(text), &launch});
}

void SmEffects::execute(std::size_t record) {
  const Record& now = records_[record];
  switch (now.kind) {
    case Kind::kWrites:
      view_.apply(now.writes);
      return;
    case Kind::kUpdate:
      updates_[now.index]->run();
      return;
    case Kind::kOperation:
      now.block->execute_put_off(now.index, now.cycle);
      return;
    case Kind::kWarning:
      const Warning& warning = warnings_[now.index];
      warning.launch->warn(warning.line, warning.text);
      return;
  }
}

std::uint64_t SmEffects::clear() {
  view_.clear();
  records_.clear();
  used_updates_ = 0;
  warnings_.clear();
  return std::exchange(spent_, 0);
}

}  // namespace warpsim
