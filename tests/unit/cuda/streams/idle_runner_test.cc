#include "cuda/streams/idle_runner.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

namespace warpsim::cuda {
namespace {

struct Watched {
  std::recursive_mutex calls;
  std::atomic<int> left = 0;       // steps until nothing is left to do
  std::vector<double> steps = {};  // with `calls`
  IdleRunner runner{calls,
                    {.needed = [this] { return left > 0; },
                     .drift =
                         [this](double ns) {
                           steps.push_back(ns);
                           --left;
                         }}};

  void call() {
    const std::lock_guard lock(calls);
    runner.call_made();
  }
  bool is_done_after(std::chrono::milliseconds most) const {
    const auto end = std::chrono::steady_clock::now() + most;
    while (left > 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return left == 0;
  }
};

}  // namespace

TEST_CASE("Idle runner: without calls the device advances in steps that grow") {
  Watched watched;
  watched.left = 3;
  watched.call();
  REQUIRE(watched.is_done_after(std::chrono::seconds(20)));
  watched.runner.stop();
  CHECK(watched.steps == std::vector<double>{50'000, 100'000, 200'000});
}

TEST_CASE("Idle runner: it works again when there is more to do") {
  Watched watched;
  for (int i = 0; i < 2; ++i) {
    {
      const std::lock_guard lock(watched.calls);
      watched.left = 1;
      watched.runner.call_made();
    }
    CHECK(watched.is_done_after(std::chrono::seconds(20)));
  }
}

TEST_CASE("Idle runner: nothing happens during a call, without work, and after the end") {
  Watched watched;
  watched.call();
  {
    const std::lock_guard lock(watched.calls);
    watched.left = 1;
    watched.runner.call_made();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(watched.left == 1);
    watched.runner.stop();
  }
  watched.call();
  CHECK_FALSE(watched.is_done_after(std::chrono::milliseconds(300)));
}

}  // namespace warpsim::cuda
