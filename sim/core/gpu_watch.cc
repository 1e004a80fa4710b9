// Looking at a GPU while it runs: samples at intervals, and a timeline of a window.
#include <algorithm>
#include <string>

#include "base/error.h"
#include "core/gpu_parts.h"

namespace warpsim {

void Gpu::Impl::close_accounts(Cycle at) {
  block_scheduler->close_accounts(at);
  for (const auto& sm : sms) {
    sm->close_accounts(at);
  }
}

// Runs to core cycle `at`, with a halt wherever somebody wants to look.
Engine::Outcome Gpu::Impl::run_to(Cycle at) {
  const ClockDomain& core = engine.domain(core_domain);
  for (Cycle next = std::min(next_sample, next_look); next < at; next = std::min(next_sample, next_look)) {
    const Engine::Outcome outcome = engine.run(core.time_of(next));
    if (outcome != Engine::Outcome::kTimeLimit) {
      return outcome;
    }
    halt(next);
  }
  return engine.run(core.time_of(at));
}

void Gpu::Impl::halt(Cycle at) {
  if (at == next_sample) {
    close_accounts(at);
    hooks.sample(at - next_start, false);
    next_sample += hooks.sample_interval;
  }
  if (at == next_look) {
    probe->look(at);
    const Cycle end = next_start + hooks.timeline.to;
    next_look = std::min(at + QueueProbe::kStepCycles, end);
    if (at == end) {
      close_accounts(at);
      close_timeline();
    }
  }
}

// The components keep the timeline; it takes nothing while it is closed.
void Gpu::Impl::open_timeline(Cycle start) {
  Timeline& timeline = *hooks.timeline.timeline;
  if (!hooks.timeline.sms.empty() && hooks.timeline.sms.back() >= sms.size()) {
    throw ConfigError("there is no SM " + std::to_string(hooks.timeline.sms.back()) + " to show: the GPU has " +
                      std::to_string(sms.size()));
  }
  for (std::uint32_t number = 0; number < sms.size(); ++number) {
    const bool warps = std::ranges::find(hooks.timeline.sms, number) != hooks.timeline.sms.end();
    sms[number]->show(timeline, Timeline::kNoTrack, warps);
  }
  memory->show(timeline, hooks.timeline.channels, Timeline::kNoTrack);
  probe = std::make_unique<QueueProbe>(stats, hooks.timeline, timeline.add_track({"queues"}));
  const ClockDomain& core = engine.domain(core_domain);
  const ClockDomain& dram = engine.domain(dram_domain);
  const Cycle from = start + hooks.timeline.from;
  const Cycle to = start + hooks.timeline.to;
  timeline.open({from, to, 1}, {dram.edge_at_or_after(core.time_of(from)), dram.edge_at_or_after(core.time_of(to)),
                                config.clocks.core_mhz / config.clocks.dram_mhz});
  next_look = from;
}

void Gpu::Impl::close_timeline() {
  if (hooks.timeline.timeline != nullptr) {
    hooks.timeline.timeline->close();
  }
  next_look = kNever;
}

}  // namespace warpsim
