#include "device/stream_queues.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kDefaultStream = 0;

}  // namespace

void StreamQueues::add(std::uint64_t number, std::uint64_t stream, double submitted_ns) {
  SIM_CHECK(launches_.empty() || launches_.rbegin()->first < number, "launches are added in another order");
  const auto [queue, is_new] =
      queues_of_streams_.try_emplace(stream, static_cast<std::uint32_t>(queues_of_streams_.size()));
  Entry entry;
  entry.stream = stream;
  entry.queue = queue->second % config_.hardware_queues;
  entry.submitted_ns = submitted_ns;
  launches_.emplace(number, entry);
}

bool StreamQueues::waits_for(const Entry& later, const Entry& earlier) const {
  const bool same_stream = later.stream == earlier.stream;
  const bool of_default = later.stream == kDefaultStream || earlier.stream == kDefaultStream;
  // Of another stream in its queue it waits only until that launch has left the queue.
  const bool behind = later.queue == earlier.queue && !earlier.started;
  return same_stream || of_default || behind;
}

std::optional<std::uint64_t> StreamQueues::ready(double now_ns) const {
  if (resident_ >= config_.resident_grids) {
    return std::nullopt;
  }
  for (auto it = launches_.begin(); it != launches_.end(); ++it) {
    if (it->second.submitted_ns > now_ns) {
      return std::nullopt;  // as are those after it
    }
    const bool waits =
        std::any_of(launches_.begin(), it, [&](const auto& earlier) { return waits_for(it->second, earlier.second); });
    if (!it->second.started && !waits) {
      return it->first;
    }
  }
  return std::nullopt;
}

void StreamQueues::start(std::uint64_t number, double now_ns) {
  Entry& entry = launches_.at(number);
  entry.started = true;
  entry.waited_ns = std::max(0.0, now_ns - entry.submitted_ns);
  ++resident_;
}

void StreamQueues::end(std::uint64_t number) {
  SIM_CHECK(launches_.at(number).started, "a launch ends before it starts");
  launches_.erase(number);
  --resident_;
}

std::optional<double> StreamQueues::next_submission(double now_ns) const {
  for (const auto& [number, entry] : launches_) {
    if (!entry.started && entry.submitted_ns > now_ns) {
      return entry.submitted_ns;
    }
  }
  return std::nullopt;
}

}  // namespace warpsim
