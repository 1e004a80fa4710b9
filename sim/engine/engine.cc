#include "engine/engine.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace warpsim {

std::uint32_t Engine::add_domain(std::string name, double frequency_mhz) {
  Domain domain;
  domain.clock = std::make_unique<ClockDomain>(std::move(name), frequency_mhz);
  domains_.push_back(std::move(domain));
  return static_cast<std::uint32_t>(domains_.size() - 1);
}

WakeHandle Engine::add_component(std::uint32_t domain_index, std::string name, Component& component) {
  SIM_CHECK(domain_index < domains_.size(), "unknown clock domain");
  Domain& domain = domains_[domain_index];
  slots_.push_back({domain_index, static_cast<std::uint32_t>(domain.components.size())});
  domain.components.push_back(&component);
  domain.names.push_back(std::move(name));
  domain.wake.push_back(domain.now);
  domain.next = std::min(domain.next, domain.now);
  return {this, static_cast<std::uint32_t>(slots_.size() - 1)};
}

void Engine::tick_domain(Domain& domain, Cycle cycle) {
  // Wake times are cleared before components tick: a message sent during this instant must not be lost because its
  // receiver ticks later in the order.
  domain.due.clear();
  const std::size_t count = domain.components.size();
  Cycle next = kNever;
  for (std::size_t i = 0; i < count; ++i) {
    if (!skip_ || domain.wake[i] <= cycle) {
      domain.due.push_back(static_cast<std::uint32_t>(i));
      domain.wake[i] = kNever;
    } else {
      next = std::min(next, domain.wake[i]);
    }
  }
  domain.now = cycle + 1;
  domain.next = next;  // lowered by wake() and by the requests of the ticks below
  for (const std::uint32_t i : domain.due) {
    Cycle& wake = domain.wake[i];
    const Cycle asked = domain.components[i]->tick(cycle);
    wake = std::min(wake, asked);
    domain.next = std::min(domain.next, wake);
  }
  ticks_ += domain.due.size();
}

Engine::Outcome Engine::run(TimeFs limit) {
  stop_ = false;
  while (true) {
    TimeFs earliest = kNeverFs;
    bool anything_due = false;
    for (const Domain& domain : domains_) {
      if (domain.components.empty()) {
        continue;
      }
      anything_due = anything_due || domain.next != kNever;
      const Cycle next = skip_ ? std::max(domain.next, domain.now) : domain.now;
      if (next != kNever) {
        earliest = std::min(earliest, domain.clock->time_of(next));
      }
    }
    if (!anything_due) {
      return Outcome::kNothingDue;
    }
    if (earliest > limit) {
      return Outcome::kTimeLimit;
    }
    time_ = earliest;
    for (Domain& domain : domains_) {
      // Edges that no component needs are skipped; `now` stays the first edge at or after the current instant.
      const Cycle edge = domain.clock->edge_at_or_after(earliest);
      domain.now = std::max(domain.now, edge);
      const bool at_edge = domain.clock->time_of(edge) == earliest;
      if (at_edge && !domain.components.empty() && (!skip_ || domain.next <= edge)) {
        tick_domain(domain, edge);
      }
    }
    if (stop_) {
      return Outcome::kStopped;
    }
  }
}

std::uint64_t Engine::component_cycles() const {
  std::uint64_t total = 0;
  for (const Domain& domain : domains_) {
    total += domain.now * domain.components.size();
  }
  return total;
}

std::string Engine::describe_stalls() const {
  std::string report;
  for (const Domain& domain : domains_) {
    for (std::size_t i = 0; i < domain.components.size(); ++i) {
      const std::string stall = domain.components[i]->describe_stall();
      if (!stall.empty()) {
        report += "  " + domain.names[i] + ": " + stall + "\n";
      }
    }
  }
  return report;
}

}  // namespace warpsim
