#include "core/machine/queue_probe.h"

#include <string>
#include <string_view>

namespace warpsim {

namespace {

constexpr std::uint32_t kAll = 0xffffffffU;

// The gauges "queued" of components, or of one of their parts.
std::vector<const Gauge*> queues_of(const StatGroup& root, std::string_view component, std::uint32_t index,
                                    std::string_view part = "") {
  std::vector<const Gauge*> gauges;
  const auto take = [&gauges](const StatGroup& group) {
    gauges.insert(gauges.end(), group.gauges().begin(), group.gauges().end());
  };
  for (const StatGroup* group : root.children()) {
    if (component != group->name() || (index != kAll && index != group->index())) {
      continue;
    }
    if (part.empty()) {
      take(*group);
    }
    for (const StatGroup* child : group->children()) {
      if (part == child->name()) {
        take(*child);
      }
    }
  }
  return gauges;
}

}  // namespace

QueueProbe::QueueProbe(const StatGroup& root, const TimelineRequest& request)
    : root_(root), timeline_(request.timeline->add_part()), parent_(timeline_.add_track({"queues"})) {
  add("memory instructions in all SMs' queues", "instructions", queues_of(root, "sm", kAll, "lsu"));
  add("requests that wait for L2", "requests", queues_of(root, "l2_slice", kAll));
  add("requests that wait for DRAM", "requests", queues_of(root, "dram_channel", kAll));
  for (const std::uint32_t channel : request.channels) {
    add("requests that wait for DRAM channel " + std::to_string(channel), "requests",
        queues_of(root, "dram_channel", channel));
  }
}

void QueueProbe::add_sm(std::uint32_t sm) {
  if (sms_.insert(sm).second) {
    add("memory instructions in the queues of SM " + std::to_string(sm), "instructions",
        queues_of(root_, "sm", sm, "lsu"));
  }
}

void QueueProbe::add(const std::string& name, const char* unit, std::vector<const Gauge*> gauges) {
  queues_.push_back({timeline_.add_track({name, parent_, TimelinePart::Clock::kCore, unit}), std::move(gauges)});
}

void QueueProbe::look(Cycle now) {
  for (const Queue& queue : queues_) {
    std::uint64_t entries = 0;
    for (const Gauge* gauge : queue.gauges) {
      entries += gauge->value();
    }
    timeline_.value(queue.track, now, entries);
  }
}

}  // namespace warpsim
