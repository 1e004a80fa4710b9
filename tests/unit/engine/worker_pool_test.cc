#include "engine/worker_pool.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

namespace warpsim {
namespace {

TEST_CASE("A pool calls the work once for each number, with any number of threads") {
  for (const std::uint32_t threads : {1U, 2U, 5U}) {
    WorkerPool pool(threads);
    CHECK(pool.threads() == threads);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
      INFO(threads << " threads, " << count << " numbers");
      std::vector<std::atomic<int>> calls(count);
      pool.run(count, [&](std::size_t i) { calls[i].fetch_add(1); });
      bool once = true;
      for (const std::atomic<int>& number : calls) {
        once = once && number.load() == 1;
      }
      CHECK(once);
    }
  }
}

TEST_CASE("Workers that sleep take part in a later round") {
  WorkerPool pool(2);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // The caller's piece ends only after the other thread has done the other piece.
  std::atomic<int> arrived{0};
  pool.run(2, [&](std::size_t) {
    arrived.fetch_add(1);
    while (arrived.load() != 2) {
      std::this_thread::yield();
    }
  });
  CHECK(arrived.load() == 2);
}

}  // namespace
}  // namespace warpsim
