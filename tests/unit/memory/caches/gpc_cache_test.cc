#include "memory/caches/gpc_cache.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

namespace warpsim {
namespace {

constexpr Cycle kLink = 5;
constexpr Cycle kToMemory = 10;

// The cache with two SMs and a memory that answers `memory_latency` cycles after a request has reached it.
class Rig {
 public:
  explicit Rig(const GpcCacheConfig& config, Cycle memory_latency = 50, std::size_t memory_entries = 16)
      : memory_latency_(memory_latency),
        to_memory_(clock_, clock_, memory_entries, kToMemory),
        from_memory_(clock_, clock_, 64, kToMemory) {
    std::vector<GpcCache::SmLinks> links;
    for (int sm = 0; sm < 2; ++sm) {
      requests.push_back(std::make_unique<Link<GpcRequest>>(clock_, clock_, 64, kLink));
      responses.push_back(std::make_unique<Link<GpcResponse>>(clock_, clock_, 64, kLink));
      links.push_back({requests.back().get(), responses.back().get()});
    }
    cache = std::make_unique<GpcCache>(config, std::uint16_t{9}, links, to_memory_, from_memory_, root, 0U);
  }

  struct Arrival {
    std::size_t sm;
    Address line;
    Cycle cycle;
    friend bool operator==(const Arrival&, const Arrival&) = default;
  };
  std::vector<Arrival> arrivals;
  std::vector<MemRequest> asked;
  std::uint8_t sectors_a_response = 0xf;

  // Ticks cycles [now_, end), or only those at which something is due.
  void run_until(Cycle end, bool every_cycle = true) {
    Cycle due = now_;
    for (; now_ < end; ++now_) {
      serve_memory();
      if (every_cycle || due <= now_ || arrival_due()) {
        due = cache->tick(now_);
      }
      for (std::size_t sm = 0; sm < responses.size(); ++sm) {
        while (responses[sm]->has_message(now_)) {
          arrivals.push_back({sm, responses[sm]->front().line, now_});
          responses[sm]->pop(now_);
        }
      }
    }
  }
  std::uint64_t counter(const std::string& name, LaunchSeat seat = 0) const {
    for (const NamedCounter& c : root[seat].children()[0]->counters()) {
      if (name == c.name()) {
        return c.value();
      }
    }
    FAIL("no counter " << name);
    return 0;
  }

  LaunchStats<StatGroup> root{"gpu"};
  std::vector<std::unique_ptr<Link<GpcRequest>>> requests;
  std::vector<std::unique_ptr<Link<GpcResponse>>> responses;
  std::unique_ptr<GpcCache> cache;

 private:
  bool arrival_due() const {
    return requests[0]->next_arrival() <= now_ || requests[1]->next_arrival() <= now_ ||
           from_memory_.next_arrival() <= now_;
  }
  void serve_memory() {
    while (to_memory_.has_message(now_)) {
      asked.push_back(to_memory_.front());
      to_memory_.pop(now_);
      answers_.push_back({now_ + memory_latency_, asked.back()});
    }
    while (!answers_.empty() && answers_.front().first <= now_) {
      const MemRequest& request = answers_.front().second;
      for (std::uint8_t sectors = 1; sectors < 0x10; sectors = static_cast<std::uint8_t>(sectors << 1)) {
        if (sectors_a_response == 0x1) {
          from_memory_.send({request.tag, request.source, request.op, sectors, ServedBy::kL2Near}, now_);
        }
      }
      if (sectors_a_response == 0xf) {
        from_memory_.send({request.tag, request.source, request.op, request.sector_mask, ServedBy::kL2Near}, now_);
      }
      answers_.erase(answers_.begin());
    }
  }

  ClockDomain clock_{"core", 1000};
  Cycle memory_latency_;
  Link<MemRequest> to_memory_;
  Link<MemResponse> from_memory_;
  std::vector<std::pair<Cycle, MemRequest>> answers_;
  Cycle now_ = 0;
};

GpcCacheConfig small() {
  GpcCacheConfig config;
  config.kib = 1;
  config.ways = 2;
  config.instruction_hit_latency_cycles = 8;
  config.constant_hit_latency_cycles = 8;
  config.link_latency_cycles = static_cast<std::uint32_t>(kLink);
  return config;
}

TEST_CASE("A miss goes to memory as one request for the whole line, with the cache's port") {
  Rig rig(small());
  rig.requests[0]->send({0x1000, MemClient::kConstant}, 0);
  rig.run_until(200);
  REQUIRE(rig.asked.size() == 1);
  CHECK(rig.asked[0].line == 0x1000);
  CHECK(rig.asked[0].sector_mask == 0xf);
  CHECK(rig.asked[0].source == 9);
  CHECK(rig.asked[0].client == MemClient::kConstant);
  // Link 5, looked up and sent at 5, memory reached at 15, answered at 65, back at 75; a cycle later on the link of 5.
  CHECK(rig.arrivals == std::vector<Rig::Arrival>{{0, 0x1000, 81}});
  CHECK(rig.counter("constant_requests") == 1);
  CHECK(rig.counter("constant_misses") == 1);
}

TEST_CASE("An instruction line is passed on with its own latency after its arrival from memory") {
  GpcCacheConfig config = small();
  config.instruction_fill_latency_cycles = 9;
  Rig rig(config);
  rig.requests[0]->send({0x1000, MemClient::kInstruction}, 0);
  rig.run_until(200);
  // As above, but nine cycles instead of one.
  CHECK(rig.arrivals == std::vector<Rig::Arrival>{{0, 0x1000, 89}});
}

TEST_CASE("A hit takes the hit latency and the link each way") {
  Rig rig(small());
  rig.requests[0]->send({0x1000, MemClient::kInstruction}, 0);
  rig.run_until(100);
  rig.requests[0]->send({0x1000, MemClient::kInstruction}, 100);
  rig.run_until(200);
  // Looked up at 105, answered at 113, received at 118.
  REQUIRE(rig.arrivals.size() == 2);
  CHECK(rig.arrivals[1] == Rig::Arrival{0, 0x1000, 118});
  CHECK(rig.counter("instruction_misses") == 1);
}

TEST_CASE("Requests of two SMs for a line in flight become one request to memory") {
  Rig rig(small());
  rig.requests[0]->send({0x1000, MemClient::kInstruction}, 0);
  rig.requests[1]->send({0x1000, MemClient::kInstruction}, 0);
  rig.run_until(200);
  CHECK(rig.asked.size() == 1);
  CHECK(rig.arrivals == std::vector<Rig::Arrival>{{0, 0x1000, 81}, {1, 0x1000, 81}});
  CHECK(rig.counter("instruction_misses") == 2);
}

TEST_CASE("There is one lookup per cycle") {
  Rig rig(small());
  for (Address line = 0; line < 4; ++line) {
    rig.requests[0]->send({0x1000 + line * kLineBytes, MemClient::kInstruction}, 0);
  }
  rig.run_until(200);
  // Lookups at 5, 6, 7 and 8.
  REQUIRE(rig.arrivals.size() == 4);
  for (Cycle i = 0; i < 4; ++i) {
    CHECK(rig.arrivals[i].cycle == 81 + i);
  }
}

TEST_CASE("SMs with simultaneous requests are served in turn") {
  Rig rig(small());
  for (Address i = 0; i < 2; ++i) {
    rig.requests[0]->send({0x1000 + i * kLineBytes, MemClient::kInstruction}, 0);
    rig.requests[1]->send({0x8000 + i * kLineBytes, MemClient::kInstruction}, 0);
  }
  rig.run_until(200);
  std::vector<std::size_t> order;
  for (const Rig::Arrival& arrival : rig.arrivals) {
    order.push_back(arrival.sm);
  }
  CHECK(order == std::vector<std::size_t>{0, 1, 0, 1});
}

TEST_CASE("A line that arrives in parts is used when the last sector has arrived") {
  Rig rig(small());
  rig.sectors_a_response = 0x1;
  rig.requests[0]->send({0x1000, MemClient::kInstruction}, 0);
  rig.run_until(200);
  CHECK(rig.arrivals.size() == 1);
}

TEST_CASE("A launch fetches the start of its code, one line per cycle, after its delay") {
  GpcCacheConfig config = small();
  config.launch_code_bytes = 512;
  config.launch_code_delay_cycles = 30;
  for (const bool every_cycle : {true, false}) {
    Rig rig(config);
    // From the middle of a line on; 512 bytes end at 0x1240, in the line at 0x1200. The program is longer.
    rig.cache->begin_launch({0x1040, 0x4000}, 0, 10);
    rig.run_until(40, every_cycle);
    CHECK(rig.asked.empty());
    rig.run_until(200, every_cycle);
    REQUIRE(rig.asked.size() == 5);
    CHECK(rig.asked[0].line == 0x1000);
    CHECK(rig.asked[4].line == 0x1200);
    CHECK(rig.asked[4].client == MemClient::kInstruction);
    CHECK(rig.counter("launch_code_lines") == 5);
    CHECK(rig.arrivals.empty());
    // Fetched lines hit.
    rig.requests[0]->send({0x1180, MemClient::kInstruction}, 200);
    rig.run_until(300, every_cycle);
    CHECK(rig.arrivals == std::vector<Rig::Arrival>{{0, 0x1180, 218}});
    CHECK(rig.counter("instruction_misses") == 0);
  }
}

TEST_CASE("A launch fetches no more than its program, and no present line") {
  GpcCacheConfig config = small();
  config.launch_code_bytes = 4096;
  Rig rig(config);
  rig.cache->begin_launch({0x1000, 0x1090}, 0, 0);
  rig.run_until(200);
  CHECK(rig.asked.size() == 2);
  rig.cache->begin_launch({0x1000, 0x1090}, 0, 200);
  rig.run_until(400);
  CHECK(rig.asked.size() == 2);
}

TEST_CASE("Launches that begin one after another fetch their code one after another") {
  GpcCacheConfig config = small();
  config.launch_code_bytes = 512;
  config.launch_code_delay_cycles = 30;
  for (const bool every_cycle : {true, false}) {
    Rig rig(config);
    rig.root.add_seat();
    rig.cache->begin_launch({0x1000, 0x4000}, 0, 10);
    rig.cache->begin_launch({0x8000, 0x8100}, 1, 11);
    rig.run_until(200, every_cycle);
    REQUIRE(rig.asked.size() == 6);
    CHECK(rig.asked[3].line == 0x1180);
    CHECK(rig.asked[3].seat == 0);
    CHECK(rig.asked[4].line == 0x8000);
    CHECK(rig.asked[5].seat == 1);
    CHECK(rig.counter("launch_code_lines", 0) == 4);
    CHECK(rig.counter("launch_code_lines", 1) == 2);
  }
}

TEST_CASE("A launch that takes the seat of another ends the fetches of its code, and of no other") {
  GpcCacheConfig config = small();
  config.launch_code_bytes = 512;
  Rig rig(config);
  rig.root.add_seat();
  rig.cache->begin_launch({0x1000, 0x4000}, 0, 0);
  rig.cache->begin_launch({0x8000, 0x8080}, 1, 0);
  rig.cache->begin_launch({0x5000, 0x5080}, 0, 0);
  rig.run_until(200);
  REQUIRE(rig.asked.size() == 2);
  CHECK(rig.asked[0].line == 0x8000);
  CHECK(rig.asked[1].line == 0x5000);
}

TEST_CASE("Requests of two launches count apart, misses for the launch that requested first") {
  Rig rig(small());
  rig.root.add_seat();
  rig.requests[0]->send({0x1000, MemClient::kConstant, 1}, 0);
  rig.requests[1]->send({0x1000, MemClient::kConstant, 0}, 1);
  rig.run_until(200);
  rig.requests[1]->send({0x1000, MemClient::kConstant, 0}, 200);
  rig.run_until(300);
  REQUIRE(rig.asked.size() == 1);
  CHECK(rig.asked[0].seat == 1);
  CHECK(rig.counter("constant_requests", 0) == 2);
  CHECK(rig.counter("constant_requests", 1) == 1);
  CHECK(rig.counter("constant_misses", 0) == 1);
  CHECK(rig.counter("constant_misses", 1) == 1);
  CHECK(rig.root[0].children()[0]->histograms()[0]->count() == 0);
  CHECK(rig.root[1].children()[0]->histograms()[0]->count() == 1);
}

TEST_CASE("An instruction miss fetches the aligned block around it") {
  GpcCacheConfig config = small();
  config.instruction_fill_bytes = 256;
  Rig rig(config);
  rig.requests[0]->send({0x1080, MemClient::kInstruction}, 0);
  rig.run_until(200);
  REQUIRE(rig.asked.size() == 2);
  CHECK(rig.asked[0].line == 0x1080);
  CHECK(rig.asked[1].line == 0x1000);
  CHECK(rig.arrivals.size() == 1);
}

TEST_CASE("A perfect cache sends no requests to memory") {
  GpcCacheConfig config = small();
  config.perfect = true;
  Rig rig(config);
  rig.requests[0]->send({0x1000, MemClient::kInstruction}, 0);
  rig.run_until(100);
  CHECK(rig.asked.empty());
  CHECK(rig.arrivals == std::vector<Rig::Arrival>{{0, 0x1000, 18}});
}

TEST_CASE("A waiting cache reports it and is not idle") {
  Rig rig(small());
  CHECK(rig.cache->idle());
  rig.requests[0]->send({0x1000, MemClient::kInstruction}, 0);
  rig.run_until(20);
  CHECK_FALSE(rig.cache->idle());
  CHECK(rig.cache->describe_stall() == "1 lines awaited from L2, 0 replies to be sent");
  rig.run_until(200);
  CHECK(rig.cache->idle());
  CHECK(rig.cache->describe_stall().empty());
}

TEST_CASE("Ticking the GPC cache only when it is due gives the same arrivals as ticking it at every cycle") {
  std::vector<std::vector<Rig::Arrival>> runs;
  for (const bool every_cycle : {true, false}) {
    Rig rig(small());
    for (Address i = 0; i < 12; ++i) {
      rig.requests[i % 2]->send({0x1000 + i % 5 * kLineBytes, MemClient::kInstruction}, 0);
    }
    rig.run_until(400, every_cycle);
    CHECK(rig.arrivals.size() == 12);
    runs.push_back(rig.arrivals);
  }
  CHECK(runs[0] == runs[1]);
}

}  // namespace
}  // namespace warpsim
