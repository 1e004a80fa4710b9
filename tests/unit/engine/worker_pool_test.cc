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

TEST_CASE("Numbers that are divided already are called once each") {
  WorkerPool pool(3);
  const WorkerPool::Parts parts = {{7, 1}, {}, {4}};
  for (int round = 0; round < 200; ++round) {
    std::vector<std::atomic<int>> calls(8);
    std::atomic<bool> known{true};
    pool.run(parts, [&](std::size_t number, std::size_t thread) {
      calls[number].fetch_add(1);
      known = known && thread < 3;
    });
    CHECK(known);
    for (const std::size_t number : {1U, 4U, 7U}) {
      CHECK(calls[number] == 1);
    }
    CHECK(calls[0] + calls[2] + calls[3] + calls[5] + calls[6] == 0);
  }
  // All three are in calls at the same time.
  std::atomic<int> arrived{0};
  std::atomic<std::size_t> thread_of_first{3};
  const WorkerPool::Parts one_each = {{0}, {1}, {2}};
  pool.run(one_each, [&](std::size_t number, std::size_t thread) {
    if (number == 0) {
      thread_of_first = thread;
    }
    arrived.fetch_add(1);
    while (arrived.load() != 3) {
      std::this_thread::yield();
    }
  });
  CHECK(arrived == 3);
  CHECK(thread_of_first < 3);
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

TEST_CASE("A round does not wait for a worker that has not begun a number") {
  // While one worker is in a call, the caller does all the others.
  WorkerPool pool(2);
  std::atomic<bool> blocked{false};
  std::atomic<int> others{0};
  pool.run(64, [&](std::size_t i) {
    if (i == 32) {  // the first of the second part
      blocked.store(true);
      while (others.load() != 63) {
        std::this_thread::yield();
      }
    } else {
      others.fetch_add(1);
    }
  });
  CHECK(blocked.load());
  CHECK(others.load() == 63);
}

TEST_CASE("Many short rounds of different sizes are complete") {
  WorkerPool pool(4);
  std::vector<std::atomic<int>> calls(7);
  for (std::size_t round = 0; round < 5000; ++round) {
    pool.run(round % 8, [&](std::size_t i) { calls[i].fetch_add(1, std::memory_order_relaxed); });
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    CHECK(calls[i].load() == static_cast<int>(625 * (7 - i)));
  }
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
