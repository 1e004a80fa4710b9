#include "emulator/execution/block_execution.h"

#include <algorithm>
#include <bit>

#include "emulator/code/kernel_image.h"
#include "emulator/execution/launch_watch.h"
#include "emulator/races/race_check.h"

namespace warpsim {

namespace {

// Operations of a warp before it is examined for the first time in a turn, and those of a rehearsal: loops that poll
// are short.
constexpr std::uint64_t kBeforeRehearsal = 256;
constexpr std::uint64_t kRehearsed = 128;

std::uint32_t warps_of(const LaunchContext& launch) {
  return static_cast<std::uint32_t>((launch.block.count() + kWarpSize - 1) / kWarpSize);
}

}  // namespace

std::vector<std::uint64_t> blocks_of_cluster(const LaunchContext& launch, std::uint64_t number) {
  const Dim3& grid = launch.grid;
  const Dim3& cluster = launch.cluster;
  const Dim3 clusters{grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
  const std::uint64_t x = number % clusters.x * cluster.x;
  const std::uint64_t y = number / clusters.x % clusters.y * cluster.y;
  const std::uint64_t z = number / clusters.x / clusters.y * cluster.z;
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t dz = 0; dz < cluster.z; ++dz) {
    for (std::uint64_t dy = 0; dy < cluster.y; ++dy) {
      for (std::uint64_t dx = 0; dx < cluster.x; ++dx) {
        blocks.push_back(x + dx + grid.x * (y + dy + grid.y * (z + dz)));
      }
    }
  }
  return blocks;
}

std::uint64_t cluster_of_block(const LaunchContext& launch, std::uint64_t linear_index) {
  const Dim3& grid = launch.grid;
  const Dim3& cluster = launch.cluster;
  const std::uint64_t x = linear_index % grid.x / cluster.x;
  const std::uint64_t y = linear_index / grid.x % grid.y / cluster.y;
  const std::uint64_t z = linear_index / grid.x / grid.y / cluster.z;
  return x + grid.x / cluster.x * (y + grid.y / cluster.y * z);
}

BlockExecution::BlockExecution(const LaunchContext& launch, std::uint32_t local_bytes)
    : launch_(launch),
      memory_(launch.kernel->shared_bytes_before_dynamic() + launch.dynamic_shared_bytes, local_bytes,
              warps_of(launch)) {
  for (std::uint32_t i = 0; i < warps_of(launch); ++i) {
    warps_.push_back(std::make_unique<Warp>(launch, memory_, *this, host_, i));
  }
  if (launch.watch != nullptr) {
    launch.watch->add(*this);
  }
}

void BlockExecution::start(std::uint64_t linear_index, std::uint32_t sm, ClusterState* cluster) {
  const Dim3& grid = launch_.grid;
  const Dim3& of_cluster = launch_.cluster;
  memory_.reset();
  memory_.linear_index = linear_index;
  memory_.index = {static_cast<std::uint32_t>(linear_index % grid.x),
                   static_cast<std::uint32_t>(linear_index / grid.x % grid.y),
                   static_cast<std::uint32_t>(linear_index / grid.x / grid.y)};
  const Dim3& index = memory_.index;
  memory_.rank_in_cluster =
      index.x % of_cluster.x + of_cluster.x * (index.y % of_cluster.y + of_cluster.y * (index.z % of_cluster.z));
  memory_.sm = sm;
  const auto threads = static_cast<std::uint32_t>(launch_.block.count());
  barriers_.start(threads);
  warpgroups_.start(warp_count());
  arrival_phase_.assign(std::size_t{warp_count()} * kWarpSize, 0);
  own_cluster_ = {};
  cluster_ = cluster != nullptr ? cluster : &own_cluster_;
  cluster_->threads += threads;
  cluster_->blocks.push_back(this);
  if (launch_.watch != nullptr) {
    launch_.watch->started();
  }
  if (launch_.races != nullptr) {
    launch_.races->start_block(memory_, threads);
  }
  for (const std::unique_ptr<Warp>& warp : warps_) {
    warp->start();
  }
  polls_.assign(warps_.size(), 0);
}

void BlockExecution::move_to(std::uint32_t sm) {
  if (memory_.sm == sm) {
    return;
  }
  memory_.sm = sm;
  for (const std::unique_ptr<Warp>& warp : warps_) {
    warp->start();  // special registers are read then
  }
}

void BlockExecution::let_time_pass() {
  constexpr Cycle kFirstStep = 16;
  for (const std::unique_ptr<Warp>& warp : warps_) {
    warp->context().time_step = kFirstStep;
  }
}

Cycle BlockExecution::latest() const {
  Cycle latest = 0;
  for (const std::unique_ptr<Warp>& warp : warps_) {
    latest = std::max(latest, warp->context().now);
  }
  return latest;
}

bool BlockExecution::finished() const {
  return std::ranges::all_of(warps_, [](const auto& warp) { return warp->finished(); });
}

std::uint64_t BlockExecution::run(std::uint64_t most_per_warp, Cycle now) {
  const std::uint64_t most = most_per_warp * warps_.size();
  std::uint64_t done = 0;
  for (bool goes_on = true; goes_on && done < most;) {
    goes_on = false;
    for (const std::unique_ptr<Warp>& warp : warps_) {
      if (warp->finished()) {
        continue;
      }
      warp->context().now = std::max(warp->context().now, now + done);
      const std::uint64_t executed = give_turn(*warp, most_per_warp);
      done += executed;
      goes_on = goes_on || (executed != 0 && !warp->has_polled()) || warp->waits_to_write();
    }
    goes_on = goes_on && launch_.races == nullptr;
  }
  return done;
}

std::uint64_t BlockExecution::give_turn(Warp& warp, std::uint64_t most) {
  std::uint8_t& polls = polls_[warp.context().index];
  if (launch_.watch == nullptr || launch_.concurrent) {
    return run_warp(warp, polls, most);
  }
  const std::uint64_t allowed = std::min(most, launch_.watch->left());
  if (allowed == 0 && warp.choose()) {
    launch_.watch->end_at_limit();
  }
  const std::uint64_t executed = run_warp(warp, polls, allowed);
  launch_.watch->spend(executed);
  return executed;
}

// With a race check, whose observations rehearsals would miss, and where others would see what rehearsals undo, polls
// end turns themselves.
std::uint64_t BlockExecution::run_warp(Warp& warp, std::uint8_t& polls, std::uint64_t most) {
  if (launch_.races != nullptr || launch_.concurrent || most <= kBeforeRehearsal) {
    return warp.run(most);
  }
  const auto only_polls = [&warp] { return warp.rehearse(kRehearsed).outlook == Warp::Outlook::kRepeats; };
  if (polls != 0 && only_polls()) {
    if (launch_.watch != nullptr) {
      launch_.watch->spend(most);  // as if it had: there may be a limit
    }
    return 0;
  }
  polls = 0;
  std::uint64_t done = 0;
  for (std::uint64_t slice = kBeforeRehearsal; done < most; slice *= 2) {
    const std::uint64_t executed = warp.run(most - done, slice);
    done += executed;
    if (executed < slice || !warp.has_polled() || warp.waits_to_write()) {
      break;
    }
    if (only_polls()) {
      polls = 1;
      break;
    }
  }
  return done;
}

std::uint64_t BlockExecution::thread_operations() const {
  std::uint64_t sum = 0;
  for (const std::unique_ptr<Warp>& warp : warps_) {
    sum += warp->thread_operations();
  }
  return sum;
}

std::uint64_t BlockExecution::warp_operations() const {
  std::uint64_t sum = 0;
  for (const std::unique_ptr<Warp>& warp : warps_) {
    sum += warp->warp_operations();
  }
  return sum;
}

// --- barriers ---

std::uint32_t BlockExecution::number_of(const Operation& operation, LaneMask lanes, const WarpContext& context) {
  if (operation.control == Control::kClusterBarrier) {
    return kClusterBarrier;
  }
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::uint32_t number = context.read<std::uint32_t>(operation.a)[first];
  if (number >= kBarriersPerBlock) {
    context.fault(FaultKind::kIllegalInstruction, operation, first, "a barrier number beyond 15");
  }
  return number;
}

bool BlockExecution::arrive(const Operation& operation, LaneMask lanes, WarpContext& context) {
  if (operation.control == Control::kClusterBarrier) {
    return arrive_in_cluster(operation, lanes, context);
  }
  const std::uint32_t number = number_of(operation, lanes, context);
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::uint32_t expected = operation.b == kNoPlace ? 0 : context.read<std::uint32_t>(operation.b)[first];
  if (expected % kWarpSize != 0) {
    context.fault(FaultKind::kIllegalInstruction, operation, first,
                  "the thread count of a barrier is not a multiple of 32");
  }
  const bool arrives_only = static_cast<BarrierMode>(operation.variant) == BarrierMode::kArrive;
  if (launch_.races != nullptr) {
    launch_.races->arrive(memory_, number, context.index, lanes);
  }
  if (barriers_.arrive(number, expected, operation, lanes, context)) {
    release(number);
  }
  return arrives_only;
}

void BlockExecution::release(std::uint32_t barrier) {
  if (launch_.races != nullptr && barrier != kClusterBarrier) {
    for (const std::unique_ptr<Warp>& warp : warps_) {
      launch_.races->leave(memory_, barrier, warp->context().index, warp->waiting_at(barrier));
    }
    launch_.races->end_phase(memory_, barrier);
  }
  memory_.extend_written_prefix();
  for (const std::unique_ptr<Warp>& warp : warps_) {
    warp->release(barrier);
  }
}

void BlockExecution::arrive_in_warpgroup(const WarpContext& context) {
  warpgroups_.arrive(context.index);
  release_warpgroup(context.index);
}

void BlockExecution::release_warpgroup(std::uint32_t warp) {
  const std::uint32_t first = warp - warp % WarpgroupArrivals::kWarps;
  for (std::uint32_t i = first; i < std::min(first + WarpgroupArrivals::kWarps, warp_count()); ++i) {
    if (warps_[i]->waiting_at(kWarpgroupBarrier) != 0 && warpgroups_.may_go_on(i)) {
      warps_[i]->release(kWarpgroupBarrier);
    }
  }
}

void BlockExecution::exited(std::uint32_t warp, LaneMask lanes) {
  if (warps_[warp]->finished()) {
    warpgroups_.exited(warp);
    if (warpgroups_.any()) {
      release_warpgroup(warp);
    }
  }
  if (launch_.races != nullptr) {
    launch_.races->exited(memory_, warp, lanes);
  }
  const auto count = static_cast<std::uint32_t>(std::popcount(lanes));
  for (std::uint32_t completed = barriers_.exited(count); completed != 0; completed &= completed - 1) {
    release(static_cast<std::uint32_t>(std::countr_zero(completed)));
  }
  cluster_->threads -= count;
  complete_cluster();
}

// A thread waits for the end of the phase of its own arrival.
bool BlockExecution::arrive_in_cluster(const Operation& operation, LaneMask lanes, const WarpContext& context) {
  std::uint64_t* const phases = arrival_phase_.data() + std::size_t{context.index} * kWarpSize;
  if (operation.variant == kClusterArrive) {
    if (launch_.races != nullptr && operation.order != MemoryOrder::kRelaxed) {
      launch_.races->arrive_in_cluster(memory_, cluster_->phase, context.index, lanes);
    }
    for_lanes(lanes, [&](std::uint32_t lane) { phases[lane] = cluster_->phase; });
    cluster_->arrived += static_cast<std::uint32_t>(std::popcount(lanes));
    complete_cluster();
    return true;
  }
  bool ended = true;
  for_lanes(lanes, [&](std::uint32_t lane) { ended = ended && phases[lane] < cluster_->phase; });
  if (ended && launch_.races != nullptr) {
    launch_.races->leave_cluster(memory_, cluster_->phase, context.index, lanes);
  }
  return ended;
}

void BlockExecution::complete_cluster() {
  if (cluster_->arrived == 0 || cluster_->arrived < cluster_->threads) {
    return;
  }
  cluster_->arrived = 0;
  ++cluster_->phase;
  for (BlockExecution* const block : cluster_->blocks) {
    if (launch_.races != nullptr) {
      for (const std::unique_ptr<Warp>& warp : block->warps_) {
        launch_.races->leave_cluster(block->memory_, cluster_->phase, warp->context().index,
                                     warp->waiting_at(kClusterBarrier));
      }
    }
    block->release(kClusterBarrier);
  }
}

}  // namespace warpsim
