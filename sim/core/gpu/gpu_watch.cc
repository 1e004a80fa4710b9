// Observes a GPU while it runs: samples at intervals, and a timeline of a window.
#include <algorithm>
#include <string>

#include "base/error.h"
#include "core/gpu/gpu_parts.h"

namespace warpsim {

void Gpu::Impl::close_accounts(Cycle at) {
  block_scheduler->close_accounts(at);
  for (const auto& sm : sms) {
    sm->close_accounts(at);
  }
}

// Runs to core cycle `at`, with a stop at each point of observation.
Engine::Outcome Gpu::Impl::run_to(Cycle at) {
  const ClockDomain& core = system.domain(core_domain);
  for (Cycle next = std::min(next_sample, next_look); next < at; next = std::min(next_sample, next_look)) {
    const Engine::Outcome outcome = system.run(core.time_of(next));
    if (outcome != Engine::Outcome::kTimeLimit) {
      return outcome;
    }
    halt(next);
  }
  return system.run(core.time_of(at));
}

void Gpu::Impl::halt(Cycle at) {
  if (at == next_sample) {
    close_accounts(at);
    hooks.sample(at - next_start, false);
    next_sample += hooks.sample_interval;
  }
  if (at == next_look) {
    for (std::uint32_t number = 0; number < sms.size(); ++number) {
      if (sms[number]->shows_warps()) {
        probe->add_sm(number);
      }
    }
    probe->look(at);
    hooks.timeline.timeline->enumerate();
    const Cycle end = next_start + hooks.timeline.to;
    next_look = std::min(at + QueueProbe::kStepCycles, end);
    if (at == end) {
      close_accounts(at);
      close_timeline();
    }
  }
}

namespace {

void check_numbers(const std::vector<std::uint32_t>& numbers, std::size_t count, const std::string& what,
                   const std::string& whose) {
  if (!numbers.empty() && numbers.back() >= count) {
    throw ConfigError("there is no " + what + " " + std::to_string(numbers.back()) + " to show: " + whose + " has " +
                      std::to_string(count));
  }
}

ShownSm::When when_shown(const SmSelection& selection, std::uint32_t number) {
  switch (selection.kind) {
    case SmSelection::Kind::kFirstBlock:
      return ShownSm::When::kWithFirstBlock;
    case SmSelection::Kind::kAll:
      return ShownSm::When::kAlways;
    case SmSelection::Kind::kListed:
      break;
  }
  return is_selected(selection.numbers, number) ? ShownSm::When::kAlways : ShownSm::When::kNever;
}

}  // namespace

// Each component has a part of the timeline and keeps a pointer to it; it records nothing while the timeline is closed.
void Gpu::Impl::open_timeline(Cycle start) {
  const TimelineRequest& request = hooks.timeline;
  Timeline& timeline = *request.timeline;
  const SmSelection& blocks = request.blocks ? *request.blocks : request.sms;
  check_numbers(request.sms.numbers, sms.size(), "SM", "the GPU");
  check_numbers(blocks.numbers, sms.size(), "SM", "the GPU");
  check_numbers(request.sub_cores.value_or(std::vector<std::uint32_t>{}), config.sm.sub_cores, "sub-core", "an SM");
  check_numbers(request.warp_slots.value_or(std::vector<std::uint32_t>{}), config.sm.sub_core.warp_slots, "warp slot",
                "a sub-core");
  for (std::uint32_t number = 0; number < sms.size(); ++number) {
    sms[number]->show({&timeline.add_part(), when_shown(blocks, number), when_shown(request.sms, number),
                       request.sub_cores, request.warp_slots});
  }
  memory->show(timeline, hooks.timeline.channels);
  probe = std::make_unique<QueueProbe>(stats[0], hooks.timeline);
  const ClockDomain& core = system.domain(core_domain);
  const ClockDomain& dram = system.domain(dram_domain);
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
