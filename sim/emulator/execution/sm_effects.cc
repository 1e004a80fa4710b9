#include "emulator/execution/sm_effects.h"

#include <cstring>
#include <utility>

#include "base/check.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/memory_access.h"

namespace warpsim {

void SmEffects::executed(Cycle now) {
  if (view_.is_clean()) {
    return;
  }
  if (const MemoryView::Writes writes = view_.take_writes(); writes.begin != writes.end) {
    records_.push_back({now, Kind::kWrites, writes});
  }
}

void SmEffects::put_off(PutOffWarps& block, std::uint32_t warp, Cycle now) {
  records_.push_back({now, Kind::kOperation, {}, warp, &block});
}

void SmEffects::put_off_update(WarpContext& warp, const Operation& operation, LaneMask lanes, Cycle now) {
  SIM_CHECK(operation.d == kNoPlace && operation.count == 1 && operation.bytes <= sizeof(std::uint64_t),
            "an update that cannot be put off without its warp");
  warp.effects = nullptr;
  const LanePointers pointers = resolve(warp, operation, lanes, operation.bytes, AccessKind::kUpdate);
  warp.effects = this;
  for_lanes(lanes, [&](std::uint32_t lane) { view_.put_off_update(pointers.lane[lane]); });

  if (used_updates_ == updates_.size()) {
    updates_.push_back(std::make_unique<Update>());
  }
  Update& update = *updates_[used_updates_];
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
  records_.push_back({now, Kind::kUpdate, {}, used_updates_++});
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
    case Kind::kUpdate: {
      Update& update = *updates_[now.index];
      update.warp.registers = update.operands.data();
      update.operation.run(update.warp, update.operation, update.lanes);
      return;
    }
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
