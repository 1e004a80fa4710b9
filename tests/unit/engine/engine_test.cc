#include "engine/engine.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/link.h"

namespace warpsim {
namespace {

// Runs at given cycles and records when it was ticked.
class Ticker : public Component {
 public:
  explicit Ticker(std::vector<Cycle> due = {}) : due_(std::move(due)) {}
  std::vector<Cycle> ticks;
  std::vector<std::string>* log = nullptr;
  std::string name;
  Engine* stops = nullptr;
  Cycle stops_at = kNever;
  WakeHandle wakes;
  Cycle wakes_at = kNever;
  Cycle wakes_for = kNever;
  bool busy = false;

  Cycle tick(Cycle now) override {
    ticks.push_back(now);
    if (log != nullptr) {
      log->push_back(name + "@" + std::to_string(now));
    }
    if (now == stops_at) {
      stops->request_stop();
    }
    if (now == wakes_at) {
      wakes.wake_at(wakes_for);
    }
    for (const Cycle due : due_) {
      if (due > now) {
        return due;
      }
    }
    return kNever;
  }
  bool idle() const override { return !busy; }
  std::string describe_stall() const override { return busy ? "waits for the test" : ""; }

 private:
  std::vector<Cycle> due_;
};

constexpr TimeFs kHundredCycles{100'000'000};  // at 1000 MHz

TEST_CASE("A component is ticked once at the start and then when it is due") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker ticker({3, 40});
  engine.add_component(core, "ticker", ticker);
  CHECK(engine.run(kHundredCycles) == Engine::Outcome::kNothingDue);
  CHECK(ticker.ticks == std::vector<Cycle>{0, 3, 40});
  CHECK(engine.ticks() == 3);
}

TEST_CASE("Without skipping a component is ticked at every cycle") {
  Engine engine(false);
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker ticker({5});
  engine.add_component(core, "ticker", ticker);
  CHECK(engine.run(kHundredCycles) == Engine::Outcome::kNothingDue);
  CHECK(ticker.ticks == std::vector<Cycle>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("A run ends at its limit, and the next run continues from there") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker ticker({50, 150});
  engine.add_component(core, "ticker", ticker);
  CHECK(engine.run(kHundredCycles) == Engine::Outcome::kTimeLimit);
  CHECK(ticker.ticks == std::vector<Cycle>{0, 50});
  CHECK(engine.run(TimeFs{150'000'000}) == Engine::Outcome::kNothingDue);
  CHECK(ticker.ticks == std::vector<Cycle>{0, 50, 150});
}

TEST_CASE("A request to stop takes effect after all components of the instant have run") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker first({7, 8});
  Ticker second({7, 8});
  engine.add_component(core, "first", first);
  engine.add_component(core, "second", second);
  first.stops = &engine;
  first.stops_at = 7;
  CHECK(engine.run() == Engine::Outcome::kStopped);
  CHECK(second.ticks == std::vector<Cycle>{0, 7});
  CHECK(engine.time().fs == 7'000'000);
}

TEST_CASE("A component that waits forever runs when another one wakes it") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker sleeper;
  Ticker waker({4});
  waker.wakes = engine.add_component(core, "sleeper", sleeper);
  engine.add_component(core, "waker", waker);
  waker.wakes_at = 4;
  waker.wakes_for = 9;
  engine.run(kHundredCycles);
  CHECK(sleeper.ticks == std::vector<Cycle>{0, 9});
}

TEST_CASE("A wake during an instant is not lost to a component that ticks later in the same instant") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker waker({4});
  Ticker sleeper({4});  // also ticks at 4, after the waker, and then requests nothing
  engine.add_component(core, "waker", waker);
  waker.wakes = engine.add_component(core, "sleeper", sleeper);
  waker.wakes_at = 4;
  waker.wakes_for = 6;
  engine.run(kHundredCycles);
  CHECK(sleeper.ticks == std::vector<Cycle>{0, 4, 6});
}

TEST_CASE("A wake for the current cycle that is too late takes effect at the next one") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker sleeper({4});
  Ticker waker({4});
  waker.wakes = engine.add_component(core, "sleeper", sleeper);
  engine.add_component(core, "waker", waker);
  waker.wakes_at = 4;
  waker.wakes_for = 4;
  engine.run(kHundredCycles);
  CHECK(sleeper.ticks == std::vector<Cycle>{0, 4, 5});
}

TEST_CASE("Domains of one instant run in order of their index, components in order of theirs") {
  Engine engine;
  const std::uint32_t slow = engine.add_domain("slow", 1000);
  const std::uint32_t fast = engine.add_domain("fast", 2000);
  std::vector<std::string> log;
  Ticker a({1, 2});
  Ticker b({1, 2});
  Ticker c({1, 2, 3, 4});
  a.name = "a";
  b.name = "b";
  c.name = "c";
  for (Ticker* ticker : {&a, &b, &c}) {
    ticker->log = &log;
  }
  engine.add_component(fast, "c", c);
  engine.add_component(slow, "a", a);
  engine.add_component(slow, "b", b);
  engine.run(kHundredCycles);
  // Edges of the fast clock: 0, 0.5, 1, 1.5, 2 ns.
  CHECK(log == std::vector<std::string>{"a@0", "b@0", "c@0", "c@1", "a@1", "b@1", "c@2", "c@3", "a@2", "b@2", "c@4"});
}

TEST_CASE("The current cycle of an unused clock follows the time") {
  Engine engine;
  const std::uint32_t slow = engine.add_domain("slow", 1000);
  const std::uint32_t fast = engine.add_domain("fast", 2000);
  Ticker ticker({10});
  Ticker other;
  engine.add_component(slow, "ticker", ticker);
  engine.add_component(fast, "other", other);
  engine.run(kHundredCycles);
  CHECK(engine.now(fast) == 20);
}

TEST_CASE("The share of skipped work is ticks over the components' cycles") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker a({9});
  Ticker b;
  engine.add_component(core, "a", a);
  engine.add_component(core, "b", b);
  engine.run(kHundredCycles);
  CHECK(engine.ticks() == 3);                           // a at 0 and 9, b at 0
  CHECK(engine.component_cycles(engine.time()) == 20);  // cycles 0 to 9 of two components
}

TEST_CASE("A report of stalls lists the components that are not idle") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Ticker a;
  Ticker b;
  b.busy = true;
  engine.add_component(core, "sm[0]", a);
  engine.add_component(core, "sm[1]", b);
  CHECK(engine.describe_stalls() == "  sm[1]: waits for the test\n");
}

}  // namespace
}  // namespace warpsim
