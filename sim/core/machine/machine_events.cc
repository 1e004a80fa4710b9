// What launches report while a machine runs, and what depends on it.
#include <algorithm>

#include "core/machine/machine_impl.h"

namespace warpsim {

namespace {

TimeFs time_of(double ns) {
  return {static_cast<std::uint64_t>(std::max(ns, 0.0) * kFsPerNs)};
}

}  // namespace

std::optional<Machine::Impl::News> Machine::Impl::take_news() {
  for (const auto& gpu : gpus_.all()) {
    if (gpu->has_faults()) {
      return News{gpu->number(), Event::Kind::kFaults, {}};
    }
  }
  for (const auto& entry : active_) {
    if (const std::optional<LaunchRun::News> news = entry->run->take_news()) {
      const Event::Kind kind = news->triggered ? Event::Kind::kTriggered : Event::Kind::kBegun;
      return News{entry->id, kind, entry->run->gpu().core_clock().time_of(news->at)};
    }
    if (entry->run->is_over()) {
      return News{entry->id, Event::Kind::kOver, {}};
    }
  }
  return std::nullopt;
}

std::optional<Machine::Impl::News> Machine::Impl::run_until(TimeFs until) {
  while (true) {
    if (const std::optional<News> news = take_news()) {
      return news;
    }
    until = std::max(until, earliest_level(gpus_[0]));
    if ((level_ && until == *level_) || step(until)) {
      level_ = until;
      return std::nullopt;
    }
  }
}

// An engine runs less than a window beyond what another one does, and the next instant for all of them is a window
// later.
std::uint64_t Machine::Impl::notice_fs() const {
  const ClockDomain& clock = gpus_[0].core_clock();
  return 2 * windows_.reach_cycles(gpus_[0]) * clock.period_fs();
}

// When SMs of a GPU can first act on something that becomes known now and is so at `at`.
Cycle Machine::Impl::next_in_sms(const Gpu& gpu, TimeFs at) const {
  const ClockDomain& clock = gpu.core_clock();
  return std::max(clock.edge_at_or_after(at), clock.edge_at_or_after(earliest_level(gpu)) + 1);
}

void Machine::Impl::end_grid_waits(std::uint64_t id, TimeFs at) {
  const LaunchRun& run = *entry_of(id).run;
  run.gpu().end_grid_waits(run.seat(), next_in_sms(run.gpu(), at));
}

void Machine::Impl::end_launch_wait(std::uint64_t id, std::uint64_t block, std::uint32_t warp, TimeFs at) {
  const LaunchRun& run = *entry_of(id).run;
  run.gpu().end_launch_wait(run.seat(), block, warp, next_in_sms(run.gpu(), at));
}

// When the memory of a GPU can first act on something that becomes known now.
TimeFs Machine::Impl::next_in_memory(const Gpu& gpu) const {
  return {earliest_level(gpu).fs + gpu.l2_clock().period_fs()};
}

void Machine::Impl::end_faults(std::uint32_t number, TimeFs at) {
  gpus_[number].end_faults(std::max(at, next_in_memory(gpus_[number])));
}

void Machine::Impl::copy_beside(std::uint32_t number, const EngineCopy& copy, TimeFs at) {
  gpus_[number].start_copy(copy, std::max(at, next_in_memory(gpus_[number])));
}

void Machine::Impl::share_links(std::uint32_t number, const LinkShares& shares, TimeFs at) {
  gpus_[number].share_links(shares, std::max(at, next_in_memory(gpus_[number])));
}

// --- the machine ---

std::optional<Machine::Event> Machine::run_until(double until_ns) {
  const std::optional<Impl::News> news = impl_->run_until(time_of(until_ns));
  if (!news) {
    return std::nullopt;
  }
  if (news->kind == Event::Kind::kFaults) {
    return Event{{}, static_cast<std::uint32_t>(news->id), news->kind, 0};
  }
  return Event{LaunchId{news->id}, 0, news->kind, static_cast<double>(news->at.fs) / kFsPerNs};
}

double Machine::notice_ns() const {
  return static_cast<double>(impl_->notice_fs()) / kFsPerNs;
}

void Machine::end_grid_waits(LaunchId launch, double at_ns) {
  impl_->end_grid_waits(static_cast<std::uint64_t>(launch), time_of(at_ns));
}

void Machine::end_launch_wait(LaunchId launch, std::uint64_t block, std::uint32_t warp, double at_ns) {
  impl_->end_launch_wait(static_cast<std::uint64_t>(launch), block, warp, time_of(at_ns));
}

std::vector<Machine::Fault> Machine::take_faults(std::uint32_t number) {
  Gpu& gpu = impl_->gpu(number);
  std::vector<Fault> faults;
  for (const PageFault& fault : gpu.take_faults()) {
    const double at_ns = static_cast<double>(gpu.l2_clock().time_of(fault.at).fs) / kFsPerNs;
    faults.push_back({fault.page, at_ns, fault.writes});
  }
  return faults;
}

void Machine::copy_beside(std::uint32_t gpu, const EngineCopy& copy, double at_ns) {
  impl_->copy_beside(gpu, copy, time_of(at_ns));
}

void Machine::share_links(std::uint32_t gpu, const LinkShares& shares, double at_ns) {
  impl_->share_links(gpu, shares, time_of(at_ns));
}

void Machine::end_faults(std::uint32_t gpu, double at_ns) {
  impl_->end_faults(gpu, time_of(at_ns));
}

}  // namespace warpsim
