#include "device/copy_engines.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

namespace {

using Direction = CopyEngines::Direction;
constexpr Direction kDirections[] = {Direction::kToDevice, Direction::kToHost};
constexpr double kLeastNs = 1e-3;  // below it, a rest is an error of rounding

}  // namespace

double CopyEngines::rate(Direction direction) const {
  const double alone = direction == Direction::kToDevice ? config_.to_device_gb_per_s : config_.to_host_gb_per_s;
  const bool both = copies_[0].has_value() && copies_[1].has_value();
  const double sum = config_.to_device_gb_per_s + config_.to_host_gb_per_s;
  return both ? std::min(alone, alone * config_.both_gb_per_s / sum) : alone;
}

double CopyEngines::left_ns(Direction direction) const {
  return copy(direction)->latency_ns + copy(direction)->bytes / rate(direction);
}

void CopyEngines::advance(double now_ns) {
  for (const Direction direction : kDirections) {
    std::optional<Copy>& active = copy(direction);
    if (active) {
      const double passed_ns = now_ns - at_ns_;
      const double latency_ns = std::min(passed_ns, active->latency_ns);
      active->latency_ns -= latency_ns;
      active->bytes = std::max(0.0, active->bytes - (passed_ns - latency_ns) * rate(direction));
    }
  }
  at_ns_ = now_ns;
}

double CopyEngines::moving_ns(Direction direction, double now_ns) {
  advance(std::max(now_ns, at_ns_));
  return copy(direction) && copy(direction)->latency_ns == 0 ? left_ns(direction) : 0;
}

std::optional<CopyProgress> CopyEngines::progress(std::uint64_t number, double now_ns) {
  for (const Direction direction : kDirections) {
    if (copy(direction) && copy(direction)->number == number) {
      advance(std::max(now_ns, at_ns_));
      return CopyProgress{copy(direction)->bytes, copy(direction)->latency_ns, rate(direction)};
    }
  }
  return std::nullopt;
}

void CopyEngines::start(Direction direction, std::uint64_t number, std::uint64_t bytes, double now_ns,
                        double prepare_ns) {
  SIM_CHECK(!copy(direction), "a copy starts while another one of its direction runs");
  advance(now_ns);
  const double latency_ns = direction == Direction::kToDevice ? config_.to_device_ns : config_.to_host_ns;
  copy(direction) = Copy{number, prepare_ns + latency_ns, static_cast<double>(bytes)};
}

std::optional<double> CopyEngines::next_end() const {
  std::optional<double> next;
  for (const Direction direction : kDirections) {
    if (copy(direction)) {
      const double end_ns = at_ns_ + left_ns(direction);
      next = std::min(next.value_or(end_ns), end_ns);
    }
  }
  return next;
}

std::optional<std::uint64_t> CopyEngines::take_ended(double now_ns) {
  advance(now_ns);
  for (const Direction direction : kDirections) {
    if (copy(direction) && left_ns(direction) < kLeastNs) {
      const std::uint64_t number = copy(direction)->number;
      copy(direction).reset();
      return number;
    }
  }
  return std::nullopt;
}

}  // namespace warpsim
