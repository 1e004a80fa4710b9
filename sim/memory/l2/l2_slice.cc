#include "memory/l2/l2_slice.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace warpsim {

namespace {

std::unique_ptr<L2Prefetch> make_prefetch(const L2Config& config, const AddressMap& map, const L2Prefetch::Parts& parts,
                                          LaunchStatsNode& parent) {
  return config.prefetcher.chosen() ? std::make_unique<L2Prefetch>(config, map, parts, parent) : nullptr;
}

}  // namespace

L2Slice::L2Slice(const L2Config& config, const AddressMap& map, std::uint32_t partition, std::uint32_t number,
                 const Links& links, LaunchStatsNode& parent)
    : links_(links),
      stats_(parent, "l2_slice", number),
      array_(config, map, stats_),
      atomic_unit_(config, array_, stats_),
      replies_(config, *links.responses, links.fabric_replies),
      misses_(config, map, number, {links.dram_requests, links.dram_responses, links.fabric_out, links.fabric_answers},
              {array_, atomic_unit_, replies_, stats_}),
      copies_(map, number, links.fabric_out, array_),
      prefetch_(make_prefetch(config, map, {array_, misses_}, stats_)),
      requests_(config, map, partition, {links.requests, links.fabric_in},
                {array_, atomic_unit_, replies_, misses_, copies_, stats_, prefetch_.get()}) {
  stats_.add_gauge("queued", [this] { return requests_.waiting(); });
}

void L2Slice::connect(WakeHandle self) {
  links_.requests->connect_receiver(self);
  links_.responses->connect_sender(self);
  links_.dram_requests->connect_sender(self);
  links_.dram_responses->connect_receiver(self);
  if (links_.fabric_out != nullptr) {
    links_.fabric_out->connect_sender(self);
    links_.fabric_answers->connect_receiver(self);
    links_.fabric_in->connect_receiver(self);
    links_.fabric_replies->connect_sender(self);
  }
}

Cycle L2Slice::tick(Cycle now) {
  misses_.take_fills(now);
  copies_.send(now);
  Cycle next = requests_.take(now);
  const std::size_t held = waiting_to_leave();
  next = std::min(next, replies_.send(now));
  array_.send_writebacks(*links_.dram_requests, now);
  copies_.send(now);
  if (waiting_to_leave() < held && requests_.visible(now)) {
    next = now + 1;  // space was freed after a request may have been refused
  }
  return std::min({next, requests_.next_arrival(now), misses_.next_arrival(now)});
}

bool L2Slice::idle() const {
  return settled() && array_.writebacks() == 0;
}

bool L2Slice::settled() const {
  return requests_.waiting() == 0 && misses_.idle() && replies_.size() == 0 && copies_.waiting() == 0;
}

std::string L2Slice::describe_stall() const {
  if (idle()) {
    return {};
  }
  return std::to_string(links_.requests->size()) + " requests queued, " + std::to_string(misses_.outstanding()) +
         " outstanding lines, " + std::to_string(replies_.size()) + " replies, " + std::to_string(array_.writebacks()) +
         " write-backs and " + std::to_string(copies_.waiting()) + " removals of copies to send";
}

void L2Slice::invalidate() {
  SIM_CHECK(idle(), "an L2 slice is invalidated while it works");
  array_.clear();
}

}  // namespace warpsim
