#include "core/machine/launch_run.h"

#include <algorithm>

namespace warpsim {

namespace {

// Host-side interval between progress reports, in core cycles: cheap, and fine enough for a progress bar.
constexpr Cycle kProgressCycles = 2000;

}  // namespace

LaunchRun::LaunchRun(Gpu& gpu, Launch& launch, const LaunchHooks& hooks, Cycle start, Cycle most_cycles)
    : gpu_(gpu),
      launch_(launch),
      hooks_(hooks),
      start_(start),
      limit_(most_cycles == kNever ? kNever : start + most_cycles),
      next_check_(std::min(start + kProgressCycles, limit_)),
      next_sample_(hooks.sample && hooks.sample_interval != kNever ? start + hooks.sample_interval : kNever),
      last_change_(start) {
  result_.start_cycle = start;
  result_.occupancy = launch.occupancy;
  result_.l1_bytes = launch.occupancy.l1_bytes;
  result_.carveout_bytes = launch.occupancy.carveout_bytes;
}

TimeFs LaunchRun::next_stop() const {
  const Cycle next = std::min(next_check_, next_sample_);
  return next == kNever ? kNeverFs : gpu_.core_clock().time_of(next);
}

void LaunchRun::stop() {
  const Cycle now = std::min(next_check_, next_sample_);
  if (now == next_check_ && phase_ == Phase::kBlocks) {
    check_blocks(now);  // at the limit of cycles there is no further sample
  } else if (now == next_check_ && phase_ == Phase::kWrites) {
    check_writes(now);
  }
  if (now == next_sample_) {
    gpu_.close_accounts(now);
    hooks_.sample(now - start_, false);
    next_sample_ += hooks_.sample_interval;
  }
}

void LaunchRun::report_progress(Cycle now) {
  const LaunchProgress state{now - start_, gpu_.instructions_executed(seat()), gpu_.blocks_done(seat()),
                             gpu_.blocks(seat())};
  if (state.instructions != instructions_ || gpu_.waits_for_pages()) {
    instructions_ = state.instructions;
    last_change_ = now;
  }
  if (hooks_.progress) {
    hooks_.progress(state);
  }
}

void LaunchRun::check_blocks(Cycle now) {
  report_progress(now);
  is_stuck_ = now - last_change_ > kLivelockCycles;
  if (now >= limit_) {
    gpu_.close_accounts(now);
    result_.status = LaunchResult::Status::kCycleLimit;
    result_.elapsed_cycles = now - start_;
    phase_ = Phase::kLimited;
    next_check_ = kNever;
    next_sample_ = kNever;
    return;
  }
  next_check_ = std::min(now + kProgressCycles, limit_);
}

void LaunchRun::check_writes(Cycle now) {
  const bool waits_for_pages = gpu_.waits_for_pages();
  last_change_ = waits_for_pages ? now : last_change_;
  is_stuck_ = now - last_change_ > kLivelockCycles;
  if (gpu_.writes_arrived(seat())) {
    gpu_.release(seat(), now + 1);
    phase_ = Phase::kEnding;
    next_check_ = kNever;
  } else {
    next_check_ = now + (waits_for_pages ? kPagesStepCycles : kDrainStepCycles);
  }
}

void LaunchRun::advance(Cycle reach_cycles) {
  if (phase_ == Phase::kBlocks && gpu_.finished_at(seat()) != kNever) {
    phase_ = Phase::kWrites;
    const Cycle finished = gpu_.finished_at(seat());
    next_check_ = finished + reach_cycles;
    report_progress(finished);
    last_change_ = finished;
  } else if (phase_ == Phase::kEnding && gpu_.has_ended(seat())) {
    phase_ = Phase::kEnded;
    next_sample_ = kNever;  // what follows belongs to the last sample
    result_.elapsed_cycles = gpu_.ended_at(seat()) - start_;
  }
}

std::optional<LaunchRun::News> LaunchRun::take_news() {
  if (!told_begin_ && launch_.order.reports_begin && gpu_.begun_at(seat()) != kNever) {
    told_begin_ = true;
    return News{false, gpu_.begun_at(seat())};
  }
  if (!told_trigger_ && gpu_.triggered_at(seat()) != kNever) {
    told_trigger_ = true;
    return News{true, gpu_.triggered_at(seat())};
  }
  return std::nullopt;
}

bool LaunchRun::give_up_waits(Cycle now) {
  const std::uint64_t waits = gpu_.give_up_waits(seat(), now);
  result_.waits_given_up += waits;
  return waits != 0;
}

LaunchResult LaunchRun::result() const {
  LaunchResult result = result_;
  result.duration_ns = static_cast<double>(result.elapsed_cycles) * 1000.0 / gpu_.config().clocks.core_mhz;
  return result;
}

}  // namespace warpsim
