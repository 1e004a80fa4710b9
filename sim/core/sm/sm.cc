#include "core/sm/sm.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "memory/code_window.h"

namespace warpsim {

Sm::Sm(std::uint32_t number, const SmConfig& config, const SmSetting& setting, LaunchTable& launches,
       const Links& links, LaunchStatsNode& parent)
    : number_(number),
      skip_(setting.skip),
      sub_cores_take_turns_(sub_cores_compete(config)),
      config_(config),
      launches_(&launches),
      links_(links),
      stats_(parent, "sm", number),
      instruction_cache_(config.instruction_cache, events_, *links.gpc_requests, stats_),
      constant_caches_(config.constant_caches, config.sub_cores, events_, *links.gpc_requests, stats_),
      barriers_(config.barriers, setting.block_slots, events_, stats_),
      warpgroups_(config.execution.warpgroup, setting.block_slots, events_, stats_),
      async_(config.asynchronous, setting.block_slots, static_cast<std::uint16_t>(number),
             {links.requests, links.to_cluster, links.from_cluster}, events_, stats_),
      grids_(setting.block_slots, events_),
      launch_waits_(events_),
      units_(config.execution),
      issue_slots_(config.sub_core.issue),
      lsu_(config.load_store, {config.l1, config.read_only_cache}, config.sub_cores, static_cast<std::uint16_t>(number),
           events_, constant_caches_, async_, *links.requests, stats_),
      suspension_(setting.save_bytes_per_cycle, {barriers_, grids_, async_, launch_waits_, sub_cores_}),
      blocks_(setting.block_slots),
      timeline_(number, setting.block_slots, sub_cores_) {
  const SubCoreNeighbours neighbours{
      events_,       lsu_, constant_caches_, instruction_cache_, barriers_,  warpgroups_, async_, grids_,
      launch_waits_, adu_, units_,           issue_slots_,       l1_events_, wakes_};
  for (std::uint32_t i = 0; i < config.sub_cores; ++i) {
    sub_cores_.push_back(std::make_unique<SubCore>(i, config.sub_core, config.execution, neighbours, stats_));
  }
  if (l1_events_.any()) {
    lsu_.listen_to_l1(l1_events_);
  }
}

void Sm::connect(WakeHandle self) {
  links_.assignments->connect_receiver(self, &mail_, kAssignmentMail);
  links_.completions->connect_sender(self);
  links_.requests->connect_sender(self);
  links_.responses->connect_receiver(self, &mail_, kResponseMail);
  links_.gpc_requests->connect_sender(self);
  links_.gpc_responses->connect_receiver(self, &mail_, kGpcMail);
  links_.to_cluster->connect_sender(self);
  links_.from_cluster->connect_receiver(self, &mail_, kClusterMail);
}

std::uint64_t Sm::instructions_executed(LaunchSeat seat) const {
  std::uint64_t total = 0;
  for (const auto& sub_core : sub_cores_) {
    total += sub_core->instructions_executed(seat);
  }
  return total;
}

void Sm::close_accounts(Cycle now) {
  for (const auto& sub_core : sub_cores_) {
    sub_core->close_accounts(now);
  }
  active_.close(now, [this](LaunchSeat seat, Cycle cycles) { stats_[seat].cycles_active += cycles; });
  for (std::uint32_t slot = 0; slot < blocks_.size(); ++slot) {
    if (blocks_[slot].resident) {
      timeline_.show_block(blocks_[slot], slot, now);
    }
  }
}

// --- blocks ---

void Sm::take_assignments(Cycle now) {
  while (links_.assignments->has_message(now)) {
    const BlockAssignment assignment = links_.assignments->front();
    links_.assignments->pop(now);
    ResidentBlock& block = blocks_[assignment.slot];
    SIM_CHECK(!block.resident, "a block was assigned to a slot in use");
    Launch& launch = (*launches_)[assignment.seat];
    set_up_l1(launch);
    if (assignment.returns) {
      block.next_warp_at = now + config_.block_start_cycles + suspension_.come_back(block, assignment);
    } else {
      begin_block(block, assignment, launch, now);
    }
    block.next_warp = 0;
    block.arrival = ++arrived_blocks_;
    timeline_.begin_block(block, now);
    block.resident = true;
    async_.start_block(assignment, block.warps_left, now);
    starting_.push_back(assignment.slot);
    lsu_.set_hot_spots(block.seat, block.hot_spots);
    ++resident_blocks_;
    active_.enter(block.seat, now);
  }
}

void Sm::begin_block(ResidentBlock& block, const BlockAssignment& assignment, const Launch& launch, Cycle now) {
  block.seat = assignment.seat;
  block.source = launch.source->start_block(assignment.linear_index, number_);
  block.warps_left = launch.source->launch().warps_per_block();
  block.warps_to_start = block.warps_left;
  block.cluster_blocks = assignment.cluster_size;
  block.cluster_rank = assignment.cluster_rank;
  block.next_warp_at = now + config_.block_start_cycles;
  block.linear_index = assignment.linear_index;
  block.hot_spots = launch.hot_spots != nullptr ? &launch.hot_spots->part(number_) : nullptr;
  block.to_resume.clear();
  grids_.start_block(assignment.slot);
  barriers_.start_block(assignment.slot, block.warps_left, block.seat);
  if (launch.table.has_warpgroup) {
    warpgroups_.start_block(assignment.slot, block.warps_left, block.seat);
  }
  ++stats_[block.seat].blocks_launched;
}

// --- blocks that leave and come back ---

void Sm::suspend_blocks(Cycle now) {
  for (const std::uint32_t slot : launch_waits_.blocks()) {
    ResidentBlock& block = blocks_[slot];
    const Launch& launch = (*launches_)[block.seat];
    if (std::ranges::find(starting_, slot) != starting_.end() || !suspension_.can_leave(block, slot, launch)) {
      continue;
    }
    timeline_.show_block(block, slot, now);
    ++stats_[block.seat].blocks_suspended;
    leave(block.seat, now);
    suspension_.leave(block, slot, launch, now);
  }
}

Cycle Sm::end_launch_wait(LaunchSeat seat, std::uint64_t block, std::uint32_t warp, Cycle at) {
  for (std::uint32_t slot = 0; slot < blocks_.size(); ++slot) {
    if (blocks_[slot].resident && blocks_[slot].seat == seat && blocks_[slot].linear_index == block) {
      launch_waits_.end(slot, warp, at);
      return at;
    }
  }
  return suspension_.call(seat, block, at);
}

bool Sm::awaits_launches(LaunchSeat seat) const {
  return suspension_.holds(seat) || std::ranges::any_of(launch_waits_.blocks(), [this, seat](std::uint32_t slot) {
           return blocks_[slot].seat == seat;
         });
}

// A block of the launch is gone.
void Sm::leave(LaunchSeat seat, Cycle now) {
  --resident_blocks_;
  stats_[seat].cycles_active += active_.leave(seat, now);
}

// --- starts of blocks ---

// The carve-out of a launch takes effect on an SM with its first block there that finds no other block; L1 is then
// empty. While other blocks are resident, the SM keeps its L1.
void Sm::set_up_l1(const Launch& launch) {
  if (resident_blocks_ == 0 && l1_of_ < launch.number) {
    l1_of_ = launch.number;
    lsu_.configure_l1(launch.occupancy.l1_bytes);
  }
}

// Blocks are set up one after another, each after the last warp of the previous one has started.
void Sm::start_warps(Cycle now) {
  while (!starting_.empty()) {
    const std::uint32_t slot = starting_.front();
    ResidentBlock& block = blocks_[slot];
    while (block.next_warp < block.warps_to_start && block.next_warp_at <= now) {
      start_warp(block, slot, now);
      block.next_warp_at = now + config_.warp_start_interval_cycles;
    }
    if (block.next_warp < block.warps_to_start) {
      return;
    }
    starting_.erase(starting_.begin());
    if (!starting_.empty()) {
      ResidentBlock& following = blocks_[starting_.front()];
      following.next_warp_at = std::max(following.next_warp_at, block.next_warp_at + config_.block_start_cycles);
    }
  }
}

void Sm::start_warp(ResidentBlock& block, std::uint32_t slot, Cycle now) {
  // Like the block scheduler's accounting: to the sub-core with the most free slots, the lowest at a tie.
  const auto roomiest = std::max_element(sub_cores_.begin(), sub_cores_.end(), [](const auto& a, const auto& b) {
    return a->free_slots() < b->free_slots();
  });
  SubCore& sub_core = **roomiest;
  const auto sub_core_number = static_cast<std::uint64_t>(roomiest - sub_cores_.begin());
  const Launch& launch = (*launches_)[block.seat];
  const KernelLaunch& kernel = launch.source->launch();
  const std::uint64_t warp_slot =
      (std::uint64_t{number_} * config_.sub_cores + sub_core_number) * config_.sub_core.warp_slots +
      sub_core.next_slot();
  const std::uint64_t local_bytes = (std::uint64_t{kernel.local_bytes_per_thread} + 3) / 4 * 4 * kWarpSize;

  WarpStart start;
  start.source = block.source.get();
  start.table = &launch.table;
  start.program = kernel.program.get();
  start.code = launch.code;
  start.hot_spots = block.hot_spots;
  start.windows = {kernel.shared_base, kernel.local_base, local_memory(block.seat) + warp_slot * local_bytes,
                   block.cluster_blocks, block.cluster_rank};
  start.warp_in_block = block.next_warp++;
  start.block_slot = slot;
  start.block_arrival = block.arrival;
  start.seat = block.seat;
  if (block.to_resume.empty()) {
    sub_core.start_warp(start, now);
    return;
  }
  const SuspendedWarp& from = block.to_resume[start.warp_in_block];
  start.warp_in_block = from.stream.warp;
  sub_core.resume_warp(start, from, now);
}

void Sm::retire(SubCore& sub_core, Cycle now) {
  for (const std::uint32_t slot : sub_core.exited()) {
    ResidentBlock& block = blocks_[slot];
    if (--block.warps_left != 0) {
      continue;
    }
    block.resident = false;
    timeline_.show_block(block, slot, now);
    async_.end_block(slot, now);
    block.source.reset();
    const bool triggered = grids_.has_triggered(slot);
    links_.completions->send(
        {block.seat, slot, triggered ? BlockDone::Kind::kDoneAfterTrigger : BlockDone::Kind::kDone}, now);
    leave(block.seat, now);
  }
  sub_core.clear_exited();
}

// Blocks that let dependent kernels begin. None of them has been reported as done.
void Sm::report_triggers(Cycle now) {
  for (const std::uint32_t slot : grids_.triggers()) {
    links_.completions->send({blocks_[slot].seat, slot, BlockDone::Kind::kTriggers}, now);
  }
  grids_.clear_triggers();
}

// --- one cycle ---

// Examines only links to which something was sent.
void Sm::take_mail(Cycle now) {
  next_mail_ = kNever;
  const auto look = [&](std::uint32_t bit, auto& link, auto&& take) {
    if ((mail_ >> bit & 1U) == 0) {
      return;
    }
    take();
    if (link.empty()) {
      mail_ &= ~(std::uint64_t{1} << bit);
    }
    next_mail_ = std::min(next_mail_, link.next_arrival());
  };
  look(kAssignmentMail, *links_.assignments, [&] { take_assignments(now); });
  look(kResponseMail, *links_.responses, [&] { take_responses(now); });
  look(kGpcMail, *links_.gpc_responses, [&] { take_gpc_responses(now); });
  look(kClusterMail, *links_.from_cluster, [&] { async_.take_messages(now); });
}

void Sm::take_responses(Cycle now) {
  while (links_.responses->has_message(now)) {
    const MemResponse& response = links_.responses->front();
    if ((response.tag & TmaEngine::kTag) != 0) {
      async_.response(response, now);
    } else {
      lsu_.response(response, now);
    }
    links_.responses->pop(now);
  }
}

void Sm::take_gpc_responses(Cycle now) {
  while (links_.gpc_responses->has_message(now)) {
    const GpcResponse response = links_.gpc_responses->front();
    links_.gpc_responses->pop(now);
    if (response.client == MemClient::kInstruction) {
      instruction_cache_.line_arrived(code_line_number(response.line), now);
    } else {
      constant_caches_.line_arrived(response.line, now);
    }
  }
}

void Sm::work_sub_cores(Cycle now) {
  if (sub_cores_take_turns_) {
    const std::size_t count = sub_cores_.size();
    const std::size_t first = now / config_.sub_core.issue.interval_cycles % count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t number = (first + i) % count;
      if (wakes_[number] <= now || !skip_) {
        work(*sub_cores_[number], now);
      }
    }
    return;
  }
  for (std::size_t i = 0; i < sub_cores_.size(); ++i) {
    if (wakes_[i] <= now || !skip_) {
      work(*sub_cores_[i], now);
    }
  }
}

void Sm::work(SubCore& sub_core, Cycle now) {
  sub_core.tick(now);
  if (!sub_core.exited().empty()) {
    retire(sub_core, now);
  }
}

Cycle Sm::tick(Cycle now) {
  take_mail(now);
  events_.drain(now, [&](const SmEvent& event) {
    if (event.kind == SmEvent::Kind::kCopyDelivered) {
      async_.copy_delivered(event.payload, now);
    } else {
      sub_cores_[event.sub_core]->handle(event, now);
    }
  });
  if (lsu_.is_due(now) || !skip_) {
    work_lsu(now);
  }
  async_.tick(now, lsu_.sent_at(now));
  if (!starting_.empty()) {
    start_warps(now);
  }
  work_sub_cores(now);
  if (!grids_.triggers().empty()) {
    report_triggers(now);
  }
  if (!launch_waits_.empty()) {
    suspend_blocks(now);
  }
  suspension_.send(*links_.completions, 2 * blocks_.size(), now);
  if (!instruction_cache_.idle()) {
    instruction_cache_.send_pending(now);
  }
  if (!constant_caches_.idle()) {
    constant_caches_.send_pending(now);
  }
  return next_wake(now);
}

void Sm::work_lsu(Cycle now) {
  for (std::uint32_t freed = lsu_.tick(now); freed != 0; freed &= freed - 1) {
    sub_cores_[static_cast<std::size_t>(std::countr_zero(freed))]->queue_freed(now);
  }
  for (const std::uint32_t warp : lsu_.writes().done()) {
    sub_cores_[warp / kMaxWarpsPerSubCore]->writes_acknowledged(warp % kMaxWarpsPerSubCore, now);
  }
  for (const std::uint32_t warp : lsu_.writes().arrived()) {
    sub_cores_[warp / kMaxWarpsPerSubCore]->writes_arrived(warp % kMaxWarpsPerSubCore, now);
  }
  lsu_.writes().clear_done();
}

Cycle Sm::next_wake(Cycle now) {
  Cycle wake = std::min({events_.next(), lsu_.wake(now), async_.next_work(now)});
  for (const Cycle sub_core : wakes_) {
    wake = std::min(wake, sub_core);
  }
  if (!starting_.empty()) {
    wake = std::min(wake, blocks_[starting_.front()].next_warp_at);
  }
  wake = std::min({wake, next_mail_, suspension_.next_send(now)});
  return wake == kNever ? kNever : std::max(wake, now + 1);
}

bool Sm::idle() const {
  return resident_blocks_ == 0 && suspension_.empty() && lsu_.idle() && async_.idle() && events_.empty();
}

std::string Sm::describe_stall() const {
  if (idle()) {
    return {};
  }
  std::string text = std::to_string(resident_blocks_) + " blocks, " + std::to_string(lsu_.outstanding()) +
                     " sectors awaited;" + suspension_.describe_stall();
  for (const auto& sub_core : sub_cores_) {
    text += sub_core->describe_stall();
  }
  return text;
}

}  // namespace warpsim
