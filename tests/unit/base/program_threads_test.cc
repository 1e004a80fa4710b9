// Which threads of the process are the program's.
#include "base/program_threads.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <thread>

namespace warpsim {
namespace {

// The system forgets a thread some time after its end.
template <class Condition>
bool holds_soon(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition() && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  return condition();
}

TEST_CASE("Program threads: a thread that waits is asleep, one that works is not") {
  CHECK_FALSE(is_asleep(gettid()));
  std::promise<void> ends;
  std::promise<int> number;
  std::thread thread([&] {
    number.set_value(gettid());
    ends.get_future().wait();
  });
  CHECK(has_several_threads());
  const int other = number.get_future().get();
  while (!is_asleep(other)) {
    std::this_thread::yield();
  }
  ends.set_value();
  thread.join();
  CHECK(holds_soon([other] { return is_asleep(other); }));
}

TEST_CASE("Program threads: own threads are not counted") {
  REQUIRE(holds_soon([] { return threads_of_program() == 1; }));  // those of other tests have ended
  for (const bool own : {false, true}) {
    std::promise<void> counted;
    std::promise<void> started;
    std::thread thread([&] {
      if (own) {
        mark_own_thread();
      }
      started.set_value();
      counted.get_future().wait();
    });
    started.get_future().wait();
    CHECK(threads_of_program() == (own ? 1 : 2));
    counted.set_value();
    thread.join();
    CHECK(holds_soon([] { return threads_of_program() == 1; }));
  }
}

}  // namespace
}  // namespace warpsim
