#include "core/blocks/block_scheduler.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/check.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kMilli = 1000;

// A number that no other resident cluster has.
std::uint64_t cluster_number(LaunchSeat seat, std::uint64_t cluster) {
  constexpr std::uint32_t kSeatShift = 40;
  return std::uint64_t{seat} << kSeatShift | cluster;
}

// Index, in its grid, of the n-th block to be launched: clusters follow one another, x first, and so do the blocks
// within a cluster.
std::uint64_t linear_index_of(std::uint64_t n, const Dim3& grid, const Dim3& cluster) {
  const std::uint64_t size = cluster.count();
  if (size == 1) {
    return n;
  }
  const std::uint64_t number = n / size;
  const std::uint64_t rank = n % size;
  const std::uint64_t clusters_x = grid.x / cluster.x;
  const std::uint64_t clusters_y = grid.y / cluster.y;
  const std::uint64_t x = number % clusters_x * cluster.x + rank % cluster.x;
  const std::uint64_t y = number / clusters_x % clusters_y * cluster.y + rank / cluster.x % cluster.y;
  const std::uint64_t z =
      number / (clusters_x * clusters_y) * cluster.z + rank / (std::uint64_t{cluster.x} * cluster.y);
  return x + grid.x * (y + grid.y * z);
}

std::uint64_t milli(double cycles) {
  return static_cast<std::uint64_t>(std::llround(cycles * kMilli));
}

}  // namespace

bool BlockScheduler::Pace::ready(Cycle now) const {
  return now * kMilli >= next_milli;
}

Cycle BlockScheduler::Pace::next() const {
  return (next_milli + kMilli - 1) / kMilli;
}

void BlockScheduler::Pace::step(Cycle now) {
  const std::uint64_t now_milli = now * kMilli;
  const bool in_step = next_milli + kMilli > now_milli;
  next_milli = (in_step ? next_milli : now_milli) + interval_milli;
}

void describe(ConfigSection& section, BlockSchedulerConfig& config) {
  section.integer("launch_overhead_cycles", config.launch_overhead_cycles, 0, 1000000,
                  "From the launch of a grid to its first block leaving the scheduler.");
  section.integer("completion_overhead_cycles", config.completion_overhead_cycles, 0, 1000000,
                  "From the completion of a grid's last block to the end of the launch.");
  section.real("cycles_per_launch", config.cycles_per_launch, 0.001, 1000.0,
               "Core cycles between two block launches, chip-wide.");
  section.real("cycles_per_completion", config.cycles_per_completion, 0.001, 1000.0,
               "Core cycles between two block completions that the scheduler processes, chip-wide.");
  section.integer("assignment_latency_cycles", config.assignment_latency_cycles, 1, 10000,
                  "From the scheduler to an SM.");
  section.integer("completion_latency_cycles", config.completion_latency_cycles, 1, 10000,
                  "From the end of a block on its SM until the scheduler can reuse its resources.");
  section.nested("placement", config.placement, "Order in which GPCs and SMs get blocks.");
}

BlockScheduler::BlockScheduler(Engine& engine, std::uint32_t core_domain, const BlockSchedulerConfig& config,
                               const OccupancyConfig& limits, const Topology& topology, LaunchStatsNode& stats)
    : engine_(engine),
      config_(config),
      topology_(topology),
      stats_(stats, "block_scheduler"),
      sms_(topology.sm_count(), SmResources(limits)),
      placement_(config.placement, topology, stats_),
      done_(std::size_t{topology.sm_count()} * limits.blocks_per_sm),
      launches_{milli(config.cycles_per_launch)},
      completion_pace_{milli(config.cycles_per_completion)} {
  const ClockDomain& clock = engine.domain(core_domain);
  self_ = engine.add_component(core_domain, "block_scheduler", *this);
  // A block slot holds at most one assignment, and reports at most its trigger and its end or its leaving, so the links
  // never refuse a message. SMs report returns only while there is space for all others.
  for (std::uint32_t sm = 0; sm < topology.sm_count(); ++sm) {
    assignments_.push_back(
        std::make_unique<Link<BlockAssignment>>(clock, clock, limits.blocks_per_sm, config.assignment_latency_cycles));
    completions_.push_back(
        std::make_unique<Link<BlockDone>>(clock, clock, 3 * limits.blocks_per_sm, config.completion_latency_cycles));
    assignments_.back()->connect_sender(self_);
    completions_.back()->connect_receiver(self_);
  }
}

std::string BlockScheduler::why_impossible(const KernelLaunch& launch, const Occupancy& occupancy) const {
  if (occupancy.blocks_per_sm == 0) {
    return occupancy.reason;
  }
  const Dim3& grid = launch.grid;
  const Dim3& cluster = launch.cluster;
  if (grid.count() == 0) {
    return "the grid has no blocks";
  }
  if (cluster.count() == 0 || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return fmt::format("the grid ({},{},{}) does not consist of whole clusters ({},{},{})", grid.x, grid.y, grid.z,
                       cluster.x, cluster.y, cluster.z);
  }
  const std::uint64_t size = cluster.count();
  const std::uint64_t most = std::uint64_t{topology_.sm_count()} * occupancy.blocks_per_sm;
  if (size > 1 &&
      (size > most || !placement_.cluster_fits(static_cast<std::uint32_t>(size), occupancy.blocks_per_sm))) {
    return fmt::format("no GPC has space for a cluster of {} blocks", size);
  }
  return {};
}

void BlockScheduler::submit(LaunchSeat seat, const KernelLaunch& launch, const Occupancy& occupancy, Cycle now,
                            const GridOrder& order) {
  SIM_CHECK(why_impossible(launch, occupancy).empty(), "launch that cannot run");
  SIM_CHECK(std::ranges::find(active_, seat) == active_.end(), "the seat's grid has not ended");
  account(now);
  if (grids_.size() <= seat) {
    grids_.resize(seat + std::size_t{1});
  }
  Grid& grid = grids_[seat];
  grid = Grid{};
  grid.grid = launch.grid;
  grid.cluster = launch.cluster;
  grid.demand = make_demand(occupancy);
  grid.blocks = launch.grid.count();
  grid.priority = order.priority;
  grid.reports_begin = order.reports_begin;
  grid.ready = now + config_.launch_overhead_cycles - std::min(config_.launch_overhead_cycles, order.head_start_cycles);
  active_.push_back(seat);
  const auto place = std::ranges::upper_bound(launching_, order.priority, {},
                                              [this](LaunchSeat other) { return grids_[other].priority; });
  launching_.insert(place, seat);
  choose_grid(now);
  ++stats_[seat].grids_launched;
  set_states(now);
  self_.wake_at(std::max(now, grid.ready));
}

void BlockScheduler::choose_grid(Cycle now) {
  const auto first =
      std::ranges::find_if(launching_, [this, now](LaunchSeat seat) { return grids_[seat].ready <= now; });
  const std::optional<LaunchSeat> chosen = first == launching_.end() ? std::nullopt : std::optional(*first);
  if (chosen == current_) {
    return;
  }
  current_ = chosen;
  blocked_ = false;
  if (current_) {
    placement_.begin_grid(static_cast<std::uint32_t>(grids_[*current_].cluster.count()), *current_);
  }
}

Cycle BlockScheduler::tick(Cycle now) {
  account(now);
  receive(now);
  end_grids(now);
  launch_blocks(now);
  set_states(now);
  return next_wake(now);
}

void BlockScheduler::account(Cycle now) {
  for (const LaunchSeat seat : active_) {
    *grids_[seat].state += now - state_since_;
  }
  state_since_ = now;
}

void BlockScheduler::set_states(Cycle now) {
  for (const LaunchSeat seat : active_) {
    grids_[seat].state = state_of(seat, now);
  }
}

void BlockScheduler::receive(Cycle now) {
  for (std::uint32_t sm = 0; sm < topology_.sm_count(); ++sm) {
    Link<BlockDone>& link = *completions_[sm];
    while (link.has_message(now)) {
      if (const BlockDone& report = link.front(); report.kind == BlockDone::Kind::kTriggers) {
        trigger(grids_[report.seat], now);
      } else if (report.kind == BlockDone::Kind::kReturns) {
        returning_.push_back({sm, report.seat, report.block});
        returning_blocked_ = false;
      } else {
        done_.push({sm, report});
      }
      link.pop(now);
    }
  }
  while (!done_.empty() && completion_pace_.ready(now)) {
    completion_pace_.step(now);
    complete(done_.front(), now);
    done_.pop();
  }
}

void BlockScheduler::complete(const Done& done, Cycle now) {
  SIM_CHECK(done.block.seat < grids_.size(), "completion of a block of an unknown grid");
  sms_[done.sm].give_back(done.block.slot);
  blocked_ = false;
  returning_blocked_ = false;
  if (done.block.kind == BlockDone::Kind::kLeaves) {
    return;
  }
  Grid& grid = grids_[done.block.seat];
  ++grid.completed;
  ++stats_[done.block.seat].blocks_completed;
  SIM_CHECK(grid.completed <= grid.launched, "more blocks completed than launched");
  if (done.block.kind == BlockDone::Kind::kDone) {
    trigger(grid, now);
  }
  if (grid.completed == grid.blocks) {
    grid.finished = now;
    engine_.request_stop();
  }
}

void BlockScheduler::trigger(Grid& grid, Cycle now) {
  ++grid.triggers;
  SIM_CHECK(grid.triggers <= grid.launched, "more blocks let dependent launches begin than were launched");
  if (grid.triggers == grid.blocks) {
    grid.triggered = now;
    engine_.request_stop();
  }
}

void BlockScheduler::release(LaunchSeat seat, Cycle at, Cycle now) {
  Grid& grid = grids_[seat];
  SIM_CHECK(grid.finished != kNever && grid.end == kNever, "release of a grid that is not waiting for it");
  grid.end = std::max(std::max(at, grid.finished) + config_.completion_overhead_cycles, now);
  self_.wake_at(grid.end);
}

void BlockScheduler::end_grids(Cycle now) {
  const auto is_over = [this, now](LaunchSeat seat) { return grids_[seat].end <= now; };
  for (const LaunchSeat seat : active_) {
    if (is_over(seat)) {
      grids_[seat].ended = true;
      engine_.request_stop();
    }
  }
  std::erase_if(active_, is_over);
}

// Each on the SM that it has left, oldest first.
void BlockScheduler::return_blocks(Cycle now) {
  bool again = false;  // a cluster that is being launched has precedence on an SM
  std::erase_if(returning_, [this, now, &again](const Returning& block) {
    const BlockDemand& demand = grids_[block.seat].demand;
    if (!launches_.ready(now) || sms_[block.sm].room(demand) == 0) {
      return false;
    }
    if (!placement_.make_way(block.sm)) {
      again = true;
      return false;
    }
    BlockAssignment assignment{block.block, block.seat, sms_[block.sm].take(demand)};
    assignment.cluster = cluster_number(block.seat, block.block);
    assignment.returns = true;
    assignments_[block.sm]->send(assignment, now);
    launches_.step(now);
    return true;
  });
  returning_blocked_ = launches_.ready(now) && !again;
}

void BlockScheduler::launch_blocks(Cycle now) {
  if (!returning_.empty() && !returning_blocked_) {
    return_blocks(now);
  }
  choose_grid(now);
  while (current_ && !blocked_ && launches_.ready(now)) {
    const LaunchSeat seat = *current_;
    Grid& grid = grids_[seat];
    const std::uint32_t sm = placement_.next(sms_, grid.demand, grid.blocks - grid.launched);
    if (sm == BlockPlacement::kNoSm) {
      blocked_ = true;
      return;
    }
    launch_block(seat, sm, now);
    if (grid.launched == grid.blocks) {
      std::erase(launching_, seat);
      choose_grid(now);
    }
  }
}

void BlockScheduler::launch_block(LaunchSeat seat, std::uint32_t sm, Cycle now) {
  Grid& grid = grids_[seat];
  const std::uint32_t slot = sms_[sm].take(grid.demand);
  BlockAssignment assignment{linear_index_of(grid.launched, grid.grid, grid.cluster), seat, slot};
  const std::uint64_t size = grid.cluster.count();
  assignment.cluster = cluster_number(seat, grid.launched / size);
  assignment.cluster_size = static_cast<std::uint32_t>(size);
  assignment.cluster_rank = static_cast<std::uint32_t>(grid.launched % size);
  assignments_[sm]->send(assignment, now);
  ++grid.launched;
  if (grid.launched == grid.blocks) {
    grid.begun = now + config_.assignment_latency_cycles;
    if (grid.reports_begin) {
      engine_.request_stop();
    }
  }
  ++stats_[seat].blocks_launched;
  launches_.step(now);
}

// Why no SM has room: what the SM with the most free warp slots lacks.
Counter* BlockScheduler::cause_of_wait(LaunchSeat seat) {
  BlockSchedulerStats& stats = stats_[seat];
  const auto best = std::max_element(sms_.begin(), sms_.end(), [](const SmResources& a, const SmResources& b) {
    return a.free_warps() < b.free_warps();
  });
  switch (best->lack(grids_[seat].demand)) {
    case SmLack::kBlockSlots:
      return &stats.cycles_wait_blocks;
    case SmLack::kWarps:
      return &stats.cycles_wait_warps;
    case SmLack::kRegisters:
      return &stats.cycles_wait_registers;
    case SmLack::kShared:
      return &stats.cycles_wait_shared;
    case SmLack::kNothing:
      return &stats.cycles_wait_cluster;
  }
  SIM_CHECK(false, "unknown resource");
}

// The state to which the launch's cycles until the next tick are attributed.
Counter* BlockScheduler::state_of(LaunchSeat seat, Cycle now) {
  BlockSchedulerStats& stats = stats_[seat];
  const Grid& grid = grids_[seat];
  if (grid.launched < grid.blocks) {
    if (grid.ready > now) {
      return &stats.cycles_overhead;
    }
    if (current_ != seat) {
      return &stats.cycles_wait_launch;
    }
    return blocked_ ? cause_of_wait(seat) : &stats.cycles_launching;
  }
  return grid.completed == grid.blocks ? &stats.cycles_overhead : &stats.cycles_drain;
}

Cycle BlockScheduler::next_wake(Cycle now) const {
  Cycle wake = kNever;
  for (const std::unique_ptr<Link<BlockDone>>& link : completions_) {
    wake = std::min(wake, link->next_arrival());
  }
  for (const LaunchSeat seat : active_) {
    wake = std::min(wake, grids_[seat].end);
  }
  if (!done_.empty()) {
    wake = std::min(wake, std::max(completion_pace_.next(), now + 1));
  }
  if ((current_ && !blocked_) || (!returning_.empty() && !returning_blocked_)) {
    wake = std::min(wake, std::max(launches_.next(), now + 1));
  }
  for (const LaunchSeat seat : launching_) {
    if (seat == current_) {
      break;  // those behind it do not precede it when they are ready
    }
    wake = std::min(wake, std::max(grids_[seat].ready, now + 1));
  }
  return wake;
}

std::string BlockScheduler::describe_stall() const {
  if (active_.empty()) {
    return {};
  }
  const Grid& oldest = grids_[active_.front()];
  return fmt::format("{} grids resident; the oldest has launched {} and finished {} of {} blocks", active_.size(),
                     oldest.launched, oldest.completed, oldest.blocks);
}

}  // namespace warpsim
