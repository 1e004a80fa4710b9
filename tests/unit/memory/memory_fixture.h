// A memory system in round numbers and requesters that follow a script. One clock of 1 GHz for everything, so that
// cycles can be added by hand.
//
// Latencies, port to port:  near hit 10 + 20 + 5 + 15 = 50;  far hit 50 + 30 + 40 = 120;
// DRAM (closed bank) at the near slice 50 + 25 + (t_rcd 10 + t_cl 10 + burst 2 + return 18 = 40) = 115, far 185.
#pragma once

#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "memory/memory_system.h"

namespace warpsim::testing {

inline MemoryConfig tiny_memory() {
  MemoryConfig c;
  c.address_map = {2, 2, 2, 128, 1024, 2, 2, 128};
  c.crossbar.request_port_latency_core_cycles = 10;
  c.crossbar.request_slice_latency_cycles = 20;
  c.crossbar.response_slice_latency_cycles = 5;
  c.crossbar.response_port_latency_cycles = 15;
  c.crossbar.port_request_bytes_per_cycle = 32;
  c.crossbar.port_response_bytes_per_cycle = 64;
  c.crossbar.gpc_request_bytes_per_cycle = 64;
  c.crossbar.gpc_response_bytes_per_cycle = 128;
  c.crossbar.port_request_entries = 8;
  c.crossbar.port_response_entries = 8;
  c.crossbar.slice_queue_entries = 8;
  c.crossbar.coalescer = {false, 8, 4};
  c.l2.num_sets = 4;
  c.l2.num_ways = 2;
  c.l2.mshr_entries = 8;
  c.l2.far_mshr_entries = 8;
  c.l2.mshr_waiters = 8;
  c.l2.atomic_sector_cycles = 2;
  c.l2.atomic_queue_cycles = 64;
  c.l2_fabric.request_latency_cycles = 30;
  c.l2_fabric.response_latency_cycles = 40;
  c.l2_fabric.slice_bytes_per_cycle = 32;
  c.l2_fabric.queue_entries = 8;
  c.dram.timing = {10, 10, 20, 30, 10, 5, 2, 4, 2, 4, 20, 5, 8, 8, 10, 5, 10000, 100};
  c.dram.burst_bytes = 32;
  c.dram.burst_cycles = 2;
  c.dram.read_queue_entries = 16;
  c.dram.write_queue_entries = 16;
  c.dram.write_high_watermark = 12;
  c.dram.write_low_watermark = 4;
  c.dram.request_latency_l2_cycles = 25;
  c.dram.return_latency_cycles = 18;
  c.dram.ideal_latency_cycles = 50;
  return c;
}

// Sends its script, at most `window` requests unanswered, and records each response.
class ScriptedPort final : public Component {
 public:
  struct Answer {
    MemResponse response;
    Cycle sent = 0;
    Cycle at = 0;
    Cycle latency() const { return at - sent; }
  };

  ScriptedPort(Link<MemRequest>& requests, Link<MemResponse>& responses)
      : requests_(&requests), responses_(&responses) {}
  void connect(WakeHandle self) {
    self_ = self;
    requests_->connect_sender(self);
    responses_->connect_receiver(self);
  }
  void start(std::vector<MemRequest> script, std::uint32_t window, Cycle now) {
    script_ = std::move(script);
    window_ = window;
    next_ = 0;
    waiting_ = 0;
    answers_.clear();
    posted_.clear();
    missing_.assign(script_.size(), 0);
    sent_.assign(script_.size(), 0);
    self_.wake_at(now);
  }

  Cycle tick(Cycle now) override {
    while (responses_->has_message(now)) {
      const MemResponse response = responses_->front();
      responses_->pop(now);
      REQUIRE(response.tag < missing_.size());
      if (response.posted) {
        posted_.push_back({response, sent_[response.tag], now});
        continue;
      }
      REQUIRE((missing_[response.tag] & response.sector_mask) == response.sector_mask);  // no sector twice
      missing_[response.tag] = static_cast<std::uint8_t>(missing_[response.tag] & ~response.sector_mask);
      waiting_ -= missing_[response.tag] == 0 ? 1 : 0;
      answers_.push_back({response, sent_[response.tag], now});
      last_ = now;
    }
    if (next_ < script_.size() && waiting_ < window_ && requests_->can_send(now)) {
      MemRequest request = script_[next_];
      request.tag = static_cast<std::uint32_t>(next_);
      if (request.op == MemOp::kRead || request.op == MemOp::kAtomic || request.wants_ack) {
        missing_[next_] = request.sector_mask;
        ++waiting_;
      }
      sent_[next_++] = now;
      requests_->send(request, now);
      last_ = now;
    }
    const bool more = next_ < script_.size() && waiting_ < window_ && requests_->free_slots(now) > 0;
    return more ? now + 1 : responses_->next_arrival();
  }
  bool idle() const override { return next_ == script_.size() && waiting_ == 0; }
  std::string describe_stall() const override { return idle() ? "" : "requests unanswered"; }

  const std::vector<Answer>& answers() const { return answers_; }
  // Acknowledgements of writes on their way to another memory.
  const std::vector<Answer>& posted() const { return posted_; }
  Cycle last() const { return last_; }

 private:
  Link<MemRequest>* requests_;
  Link<MemResponse>* responses_;
  WakeHandle self_;
  std::vector<MemRequest> script_;
  std::uint32_t window_ = 1;
  std::size_t next_ = 0;
  std::uint32_t waiting_ = 0;
  Cycle last_ = 0;
  std::vector<std::uint8_t> missing_;
  std::vector<Cycle> sent_;
  std::vector<Answer> answers_;
  std::vector<Answer> posted_;
};

// Port p is in GPC p % 2, which is in partition p % 2; ports 0, 1, 4, 5 ... are in the first groups of their GPCs for
// translations, the others in the second ones.
inline std::vector<MemorySystem::Port> alternating_ports(std::uint32_t count) {
  std::vector<MemorySystem::Port> ports;
  for (std::uint32_t p = 0; p < count; ++p) {
    ports.push_back({p % 2, p % 2, p / 2 % 2});
  }
  return ports;
}

class MemoryWorld {
 public:
  explicit MemoryWorld(const MemoryConfig& config, std::uint32_t num_ports = 2, bool skip = true)
      : map(config.address_map), engine(skip), stats("gpu") {
    const std::uint32_t core = engine.add_domain("core", 1000);
    const std::uint32_t l2 = engine.add_domain("l2", 1000);
    const std::uint32_t dram = engine.add_domain("dram", 1000);
    memory = std::make_unique<MemorySystem>(engine, core, l2, dram, config, alternating_ports(num_ports), stats);
    for (std::uint32_t p = 0; p < num_ports; ++p) {
      ports.push_back(std::make_unique<ScriptedPort>(memory->requests(p), memory->responses(p)));
      ports.back()->connect(engine.add_component(core, "port", *ports.back()));
    }
  }

  // Runs until nothing is in flight; returns the cycle of the last request or response, from the start of the run.
  Cycle run(const std::vector<std::vector<MemRequest>>& scripts, std::uint32_t window = 1000,
            Cycle max_cycles = 20000) {
    const Cycle start = engine.now(0);
    for (std::size_t p = 0; p < ports.size(); ++p) {
      ports[p]->start(p < scripts.size() ? scripts[p] : std::vector<MemRequest>{}, window, start);
    }
    // Without skipping there is always something due, hence the limit.
    const TimeFs limit = engine.domain(0).time_of(start + max_cycles);
    engine.run(limit);
    Cycle last = start;
    for (const auto& port : ports) {
      REQUIRE(port->idle());
      last = port->last() > last ? port->last() : last;
    }
    REQUIRE(memory->idle());
    return last - start;
  }
  // Latency of one request by a port.
  Cycle latency(std::uint32_t port, const MemRequest& request) {
    std::vector<std::vector<MemRequest>> scripts(ports.size());
    scripts[port] = {request};
    run(scripts);
    return ports[port]->answers().back().latency();
  }
  ServedBy served_by(std::uint32_t port) const { return ports[port]->answers().back().response.served_by; }

  // A seat for one more launch, which begins.
  LaunchSeat add_launch() {
    stats.add_seat();
    const auto seat = static_cast<LaunchSeat>(stats.seats() - 1);
    memory->begin_launch(seat);
    return seat;
  }
  // Sum of a counter over all instances, by path without indices ("l2_slice.from_l1.read_sectors").
  std::uint64_t total(const std::string& name, LaunchSeat seat = 0) const { return totals(seat)[name]; }
  std::map<std::string, std::uint64_t> totals(LaunchSeat seat = 0) const {
    struct Sums final : StatVisitor {
      std::map<std::string, std::uint64_t> values;
      void counter(const std::string& kind, const std::string&, const NamedCounter& counter) override {
        values[kind + "." + counter.name()] += counter.value();
      }
      void histogram(const std::string& kind, const std::string&, const Histogram& histogram) override {
        values[kind + "." + histogram.name() + ".sum"] += histogram.sum();
        values[kind + "." + histogram.name() + ".count"] += histogram.count();
      }
    } sums;
    visit(stats[seat], sums);
    return sums.values;
  }
  // The n-th line whose home is in a partition.
  Address line_in(std::uint32_t partition, std::uint32_t n = 0) const {
    for (Address line = 1 << 20;; line += kLineBytes) {
      if (map.home_of(line).partition == partition && n-- == 0) {
        return line;
      }
    }
  }

  AddressMap map;
  Engine engine;
  LaunchStats<StatGroup> stats;
  std::unique_ptr<MemorySystem> memory;
  std::vector<std::unique_ptr<ScriptedPort>> ports;
};

// The request, of a launch.
inline MemRequest of_launch(LaunchSeat seat, MemRequest request) {
  request.seat = seat;
  return request;
}
inline MemRequest read_of(Address line, std::uint8_t sectors = 1) {
  MemRequest request;
  request.line = line;
  request.sector_mask = sectors;
  return request;
}
inline MemRequest write_of(Address line, std::uint8_t sectors = 0xf, std::uint32_t bytes = 0xffffffffU) {
  MemRequest request;
  request.line = line;
  request.op = MemOp::kWrite;
  request.sector_mask = sectors;
  request.byte_mask.fill(bytes);
  request.wants_ack = true;
  return request;
}
// An atomic of one lane on one word.
inline MemRequest atomic_of(MemOp op, Address line) {
  MemRequest request;
  request.line = line;
  request.op = op;
  request.sector_mask = 1;
  request.single_lane = true;
  request.wants_ack = op == MemOp::kReduction;
  request.byte_mask[0] = 0xf;
  return request;
}

}  // namespace warpsim::testing
