#include "engine/worker_pool.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
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

std::set<std::string> threads_of_process() {
  std::set<std::string> threads;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    threads.insert(entry.path().filename().string());
  }
  return threads;
}

TEST_CASE("The threads of a pool start with its first round and remain for the next ones") {
  const std::set<std::string> before = threads_of_process();
  // Threads of earlier pools may still be ending.
  const auto started = [&before] {
    std::set<std::string> threads = threads_of_process();
    std::erase_if(threads, [&before](const std::string& thread) { return before.contains(thread); });
    return threads;
  };
  WorkerPool pool(3);
  CHECK(started().empty());
  pool.run(10, [](std::size_t) {});
  const std::set<std::string> workers = started();
  CHECK(workers.size() == 2);
  pool.run(10, [](std::size_t) {});
  CHECK(started() == workers);
}

}  // namespace
}  // namespace warpsim
