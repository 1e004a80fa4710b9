#include "stats/launch_stats.h"

#include "base/check.h"

namespace warpsim {

LaunchStatsNode::LaunchStatsNode(LaunchStatsNode* parent) {
  if (parent != nullptr) {
    parent->children_.push_back(this);
  }
}

void LaunchStatsNode::add_gauge(const char* name, const Gauge::Reader& read) {
  levels_.push_back({name, read});
  for (std::size_t seat = 0; seat < seats(); ++seat) {
    gauges_.push_back(std::make_unique<Gauge>(group(static_cast<LaunchSeat>(seat)), name, read));
  }
}

void LaunchStatsNode::add_seat() {
  SIM_CHECK(seats() < kMaxLaunchSeats, "more launches are resident than have seats");
  const auto seat = static_cast<LaunchSeat>(seats());
  add_set();
  for (const Level& level : levels_) {
    gauges_.push_back(std::make_unique<Gauge>(group(seat), level.name, level.read));
  }
  for (LaunchStatsNode* child : children_) {
    child->add_seat();
  }
}

}  // namespace warpsim
