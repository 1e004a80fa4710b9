#include "cuda/ipc/shared_event.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "cuda/device/error_codes.h"
#include "support/child_process.h"

namespace warpsim::cuda {
namespace {

using State = SharedEvent::State;
using test::in_child_process;

TEST_CASE("shared event: a wait is for the record that was the latest then") {
  SharedEvent event;
  CHECK(event.latest() == 0);
  CHECK(event.state(0) == State::kDone);
  const std::uint64_t first = event.begin_record();
  const std::uint64_t second = event.begin_record();
  CHECK(event.latest() == second);
  CHECK(event.state(first) == State::kPending);
  event.end_record(second);
  CHECK(event.state(second) == State::kDone);
  CHECK(event.state(first) == State::kPending);
  event.lose_record(first);
  CHECK(event.state(first) == State::kLost);
}

TEST_CASE("shared event: another process sees records and makes some") {
  SharedEvent event;
  const std::uint64_t first = event.begin_record();
  CHECK(in_child_process([&] {
    SharedEvent same(event.handle());
    const bool pending = same.latest() == first && same.state(first) == State::kPending;
    const std::uint64_t own = same.begin_record();
    same.end_record(own);
    return pending && own == first + 1;
  }));
  CHECK(event.latest() == first + 1);
  CHECK(event.state(first + 1) == State::kDone);
  event.end_record(first);
  CHECK(event.state(first) == State::kDone);
}

TEST_CASE("shared event: a record of a process that has ended before it was done is lost") {
  SharedEvent event;
  CHECK(in_child_process([&] { return SharedEvent(event.handle()).begin_record() == 1; }));
  State state = State::kPending;
  for (int i = 0; i < 1000 && state == State::kPending; ++i) {
    state = event.state(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(state == State::kLost);
}

TEST_CASE("shared event: a process that ends while it changes the event does not stop others") {
  SharedEvent event;
  const pid_t child = fork();
  if (child == 0) {
    SharedEvent same(event.handle());
    while (true) {
      same.end_record(same.begin_record());
    }
  }
  while (event.latest() < 1000) {
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const std::uint64_t number = event.begin_record();
  CHECK(event.state(number) == State::kPending);
  event.end_record(number);
  CHECK(event.state(number) == State::kDone);
}

TEST_CASE("shared event: records are forgotten only when they are not pending") {
  SharedEvent event;
  const std::uint64_t first = event.begin_record();
  for (std::size_t i = 1; i < SharedEvent::kMostRecords; ++i) {
    event.end_record(event.begin_record());
  }
  CHECK(event.state(first) == State::kPending);
  CHECK_THROWS_AS(event.begin_record(), CallError);
  event.end_record(first);
  const std::uint64_t next = event.begin_record();
  CHECK(next == first + SharedEvent::kMostRecords);
  event.end_record(first);  // forgotten: this is not `next`
  CHECK(event.state(next) == State::kPending);
  CHECK(event.state(first) == State::kDone);
}

TEST_CASE("shared event: a handle of an event that is gone is refused") {
  SharedEventHandle handle;
  {
    const SharedEvent gone;
    handle = gone.handle();
  }
  CHECK_THROWS_AS(SharedEvent(handle), CallError);
  const SharedEvent other;  // has its descriptor
  CHECK_THROWS_AS(SharedEvent(handle), CallError);
  const SharedEvent same(other.handle());
  CHECK_THROWS_AS(same.handle(), CallError);
}

}  // namespace
}  // namespace warpsim::cuda
