#include "core/machine/timeline_watch.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace warpsim {

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
TimelineWatch::TimelineWatch(Gpu& gpu, LaunchSeat seat, const TimelineRequest& request, Cycle start)
    : gpu_(gpu), request_(request), start_(start), next_look_(start + request.from) {
  Timeline& timeline = *request.timeline;
  const GpuConfig& config = gpu.config();
  const SmSelection& blocks = request.blocks ? *request.blocks : request.sms;
  check_numbers(request.sms.numbers, gpu.sm_count(), "SM", "the GPU");
  check_numbers(blocks.numbers, gpu.sm_count(), "SM", "the GPU");
  check_numbers(request.sub_cores.value_or(std::vector<std::uint32_t>{}), config.sm.sub_cores, "sub-core", "an SM");
  check_numbers(request.warp_slots.value_or(std::vector<std::uint32_t>{}), config.sm.sub_core.warp_slots, "warp slot",
                "a sub-core");
  for (std::uint32_t number = 0; number < gpu.sm_count(); ++number) {
    gpu.show_sm(number, {&timeline.add_part(), when_shown(blocks, number), when_shown(request.sms, number),
                         request.sub_cores, request.warp_slots});
  }
  gpu.show_channels(timeline, request.channels);
  probe_ = std::make_unique<QueueProbe>(gpu.stats(seat), request);
  const ClockDomain& core = gpu.core_clock();
  const ClockDomain& dram = gpu.dram_clock();
  const Cycle to = start + request.to;
  timeline.open({next_look_, to, 1},
                {dram.edge_at_or_after(core.time_of(next_look_)), dram.edge_at_or_after(core.time_of(to)),
                 config.clocks.core_mhz / config.clocks.dram_mhz});
}

TimelineWatch::~TimelineWatch() = default;

void TimelineWatch::stop() {
  const Cycle now = next_look_;
  for (std::uint32_t number = 0; number < gpu_.sm_count(); ++number) {
    if (gpu_.shows_warps(number)) {
      probe_->add_sm(number);
    }
  }
  probe_->look(now);
  request_.timeline->enumerate();
  const Cycle end = start_ + request_.to;
  next_look_ = std::min(now + QueueProbe::kStepCycles, end);
  if (now == end) {
    gpu_.close_accounts(now);
    close();
  }
}

void TimelineWatch::close() {
  request_.timeline->close();
  next_look_ = kNever;
}

}  // namespace warpsim
