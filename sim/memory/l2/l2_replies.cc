#include "memory/l2/l2_replies.h"

#include "memory/l2/l2_atomic_unit.h"

namespace warpsim {

L2Replies::L2Replies(const L2Config& config, Link<SliceResponse>& to_crossbar, Link<SliceResponse>* to_fabric)
    : to_crossbar_(&to_crossbar),
      to_fabric_(to_fabric),
      data_port_(config.unlimited_bandwidth ? 0 : config.data_bytes_per_cycle),
      atomic_port_(L2AtomicUnit::kPartsOfCycle),
      atomic_sector_parts_(L2AtomicUnit::parts_of_cycles(config.atomic_reply_cycles)) {}

void L2Replies::add(const L2Waiter& waiter, std::uint8_t sectors, ServedBy served_by, Cycle ready) {
  Reply answer;
  answer.message.mem = {waiter.tag, waiter.source, waiter.op, sectors, served_by, waiter.seat};
  answer.message.near_slice = waiter.near_slice;
  answer.message.merged = waiter.merged;
  answer.message.compressed = waiter.compressed;
  const bool data = waiter.op == MemOp::kRead || waiter.op == MemOp::kAtomic;
  answer.bytes = data ? kSectorBytes * sector_count(sectors) : kAckBytes;
  answer.to_fabric = waiter.from_fabric;
  if (waiter.op == MemOp::kAtomic || waiter.op == MemOp::kReduction) {
    answer.ready = ready;
    atomic_replies_.push(answer);
  } else {
    (answer.to_fabric ? fabric_replies_ : replies_).push(answer);
  }
}

void L2Replies::pass_on(const SliceResponse& response) {
  Reply answer;
  answer.message = response;
  answer.bytes = kAckBytes;
  (response.mem.op == MemOp::kAtomic ? far_atomic_replies_ : replies_).push(answer);
}

void L2Replies::send_in_turn(Cycle now, Cycle& next) {
  bool crossbar = true;  // may take another one
  bool fabric = true;
  while (crossbar || fabric) {
    const bool to_fabric = fabric && (fabric_first_ || !crossbar);
    GrowQueue<Reply>& queue = to_fabric ? fabric_replies_ : replies_;
    const bool sent = !queue.empty() && send_first(queue, now, next);
    (to_fabric ? fabric : crossbar) = sent;
    fabric_first_ = sent ? !to_fabric : fabric_first_;
  }
}

bool L2Replies::send_first(GrowQueue<Reply>& queue, Cycle now, Cycle& next) {
  const Reply& answer = queue.front();
  const bool atomic = answer.message.mem.op == MemOp::kAtomic && !answer.to_fabric;
  const RateLimiter& port = atomic && !atomic_port_.ready(now) ? atomic_port_ : data_port_;
  if (answer.ready > now || !port.ready(now)) {
    next = std::min(next, std::max(answer.ready, port.ready_at()));
    return false;
  }
  Link<SliceResponse>& link = answer.to_fabric ? *to_fabric_ : *to_crossbar_;
  if (!link.can_send(now)) {
    return false;  // the link wakes the slice
  }
  data_port_.use(now, answer.bytes);
  if (atomic) {
    atomic_port_.use(now, std::uint64_t{sector_count(answer.message.mem.sector_mask)} * atomic_sector_parts_);
  }
  link.send(answer.message, now);
  queue.pop();
  return true;
}

}  // namespace warpsim
