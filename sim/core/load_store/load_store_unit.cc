#include "core/load_store/load_store_unit.h"

#include <algorithm>

namespace warpsim {

LoadStoreUnit::LoadStoreUnit(const LoadStoreConfig& config, const DataCaches::Config& caches, std::uint32_t sub_cores,
                             std::uint16_t port, SmEvents& events, ConstantCaches& constants, AsyncUnit& async,
                             Link<MemRequest>& to_memory, LaunchStatsNode& parent)
    : port_(config, port, to_memory),
      queues_(config, sub_cores, events),
      textures_(config.textures, config.address_latency_cycles),
      passes_(config.pass_interval_cycles, config.pass_window_entries, config.shared_banks.pass_cycles),
      stats_(parent, "lsu"),
      returns_(config, caches.l1, passes_, events, stats_),
      shared_(config, {passes_, constants, async, textures_, events}, stats_),
      global_(config, caches, {passes_, port_, returns_, textures_, events}, stats_, parent) {
  stats_.add_gauge("queued", [this] { return queues_.size(); });
}

// The oldest of each queue may start if there is a free pass; the other one waits for it.
void LoadStoreUnit::start_waiting(Cycle now) {
  RingBuffer<QueuedAccess>& with_lines = queues_.with_lines();
  RingBuffer<QueuedAccess>& others = queues_.others();
  for (int tries = 0; tries < 2; ++tries) {
    if (!passes_.has_room(global_.busy() ? 1 : 0, now)) {
      return;
    }
    if (lines_go_first_ == (tries == 0)) {
      if (!with_lines.empty() && !global_.busy() && global_.free_at() <= now) {
        global_.start(with_lines.front(), now);
        with_lines.pop();
        lines_go_first_ = false;
      }
    } else if (!others.empty() && shared_.free_at() <= now) {
      shared_.start(others.front(), now);
      port_.write_started(others.front().instruction);
      others.pop();
      lines_go_first_ = true;
    }
  }
}

std::uint32_t LoadStoreUnit::tick(Cycle now) {
  changed_ = true;
  port_.send(global_.replaced_lines(), now);
  const std::uint32_t freed = queues_.read_registers(now);
  global_.work(now);
  if (!queues_.with_lines().empty() || !queues_.others().empty()) {
    start_waiting(now);
  }
  return freed;
}

void LoadStoreUnit::response(const MemResponse& response, Cycle now) {
  changed_ = true;
  port_.answered(response);
  if (response.op == MemOp::kRead || response.op == MemOp::kAtomic) {
    global_.data_arrived(response, now);
  }
}

Cycle LoadStoreUnit::next_work(Cycle now) const {
  if ((port_.has_requests() || global_.has_replaced_lines()) && !port_.refused()) {
    return now + 1;
  }
  Cycle next = std::min({global_.next_work(), queues_.next_ready(), port_.next_store()});
  const Cycle room_at = passes_.room_at(global_.busy() ? 1 : 0);
  if (!queues_.with_lines().empty() && !global_.busy()) {
    next = std::min(next, std::max(global_.free_at(), room_at));
  }
  if (!queues_.others().empty()) {
    next = std::min(next, std::max(shared_.free_at(), room_at));
  }
  return next == kNever ? kNever : std::max(next, now + 1);
}

bool LoadStoreUnit::idle() const {
  return port_.idle() && !global_.has_replaced_lines() && !global_.busy() && queues_.size() == 0;
}

}  // namespace warpsim
