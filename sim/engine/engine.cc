#include "engine/engine.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace warpsim {

std::uint32_t Engine::add_domain(std::string name, double frequency_mhz) {
  return add_domain(std::make_shared<const ClockDomain>(std::move(name), frequency_mhz));
}

std::uint32_t Engine::add_domain(std::shared_ptr<const ClockDomain> clock) {
  Domain domain;
  domain.clock = std::move(clock);
  domains_.push_back(std::move(domain));
  return static_cast<std::uint32_t>(domains_.size() - 1);
}

WakeHandle Engine::add_component(std::uint32_t domain_index, const std::string& name, Component& component) {
  SIM_CHECK(domain_index < domains_.size(), "unknown clock domain");
  Domain& domain = domains_[domain_index];
  slots_.push_back({domain_index, static_cast<std::uint32_t>(domain.components.size())});
  domain.components.push_back(&component);
  domain.names.push_back(prefix_ + name);
  domain.wake.push_back(domain.now);
  domain.next = std::min(domain.next, domain.now);
  note_due();
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
  order_.arrange(domain.due);
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

void Engine::run_instant(TimeFs time) {
  time_ = time;
  for (Domain& domain : domains_) {
    // Edges that nobody needed are passed over; `now` stays the first edge at or after the present instant. A window
    // does that once, at its end: finding an edge divides.
    if (!in_window_) {
      domain.now = std::max(domain.now, domain.clock->edge_at_or_after(time));
    }
    const Cycle edge = next_edge(domain);
    if (!domain.components.empty() && domain.clock->time_of(edge) == time) {
      tick_domain(domain, edge);
    }
  }
}

// Without skipping something is always to be ticked.
TimeFs Engine::next_instant() const {
  TimeFs earliest = kNeverFs;
  for (const Domain& domain : domains_) {
    if (!domain.components.empty()) {
      earliest = std::min(earliest, domain.clock->time_of(next_edge(domain)));
    }
  }
  return earliest;
}

TimeFs Engine::find_due() const {
  const bool anything_due = skip_ || std::any_of(domains_.begin(), domains_.end(), [](const Domain& domain) {
                              return !domain.components.empty() && domain.next != kNever;
                            });
  return anything_due ? next_instant() : kNeverFs;
}

Engine::Outcome Engine::run(TimeFs limit) {
  stop_ = false;
  while (true) {
    const TimeFs next = find_due();
    if (next == kNeverFs) {
      return Outcome::kNothingDue;
    }
    if (next > limit) {
      return Outcome::kTimeLimit;
    }
    run_instant(next);
    if (stop_) {
      return Outcome::kStopped;
    }
  }
}

// A single component needs no list of what is due.
void Engine::run_single(Domain& domain, TimeFs end) {
  const Cycle stop = domain.clock->edge_at_or_after(end);
  Component& component = *domain.components[0];
  Cycle& wake = domain.wake[0];
  Cycle ticked = kNever;
  for (Cycle cycle = next_edge(domain); cycle < stop; cycle = next_edge(domain)) {
    wake = kNever;
    domain.now = cycle + 1;
    domain.next = kNever;
    const Cycle requested = component.tick(cycle);
    wake = std::min(wake, requested);
    domain.next = wake;
    ticked = cycle;
    ++ticks_;
  }
  if (ticked != kNever) {
    time_ = domain.clock->time_of(ticked);
  }
}

void Engine::run_window(TimeFs end) {
  in_window_ = true;
  const std::uint64_t ticks_before = ticks_;
  try {
    take_mail();
    if (slots_.size() == 1) {
      run_single(domains_[slots_[0].domain], end);
    } else {
      bool ran = false;
      for (TimeFs next = next_instant(); next < end; next = next_instant()) {
        run_instant(next);
        ran = true;
      }
      for (Domain& domain : domains_) {
        domain.now = ran ? std::max(domain.now, domain.clock->edge_at_or_after(time_)) : domain.now;
      }
    }
  } catch (...) {
    in_window_ = false;
    throw;
  }
  hand_over();
  in_window_ = false;
  board_->set_ticks(number_, ticks_ - ticks_before);
  note_due();
}

void Engine::take_mail() {
  messages_in_.take(board_->read(), [](Crossing& crossing) { crossing.deliver(); });
  slots_in_.take(board_->read(), [](Crossing& crossing) { crossing.return_slots(); });
  if (!in_window_) {
    note_due();
  }
}

void Engine::hand_over() {
  for (Crossing* crossing : sent_) {
    Engine& receiver = crossing->receiver();
    board_->arrives(receiver.number_, crossing->end_messages());
    receiver.messages_in_.post(board_->filled(), *crossing);
  }
  sent_.clear();
  for (Crossing* crossing : freed_) {
    Engine& sender = crossing->sender();
    board_->returns(sender.number_, crossing->end_slots());
    sender.slots_in_.post(board_->filled(), *crossing);
  }
  freed_.clear();
}

std::uint64_t Engine::component_cycles(TimeFs until) const {
  std::uint64_t total = 0;
  for (const Domain& domain : domains_) {
    total += domain.clock->edge_after(until) * domain.components.size();
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
