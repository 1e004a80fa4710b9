// Which threads of the process are the program's.
#include "base/program_threads.h"

#include <catch2/catch.hpp>
#include <future>
#include <thread>

namespace warpsim {
namespace {

TEST_CASE("Program threads: own threads are not counted") {
  const std::size_t before = threads_of_program();
  CHECK(before >= 1);
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
    CHECK(threads_of_program() == before + (own ? 0 : 1));
    counted.set_value();
    thread.join();
  }
  CHECK(threads_of_program() == before);
}

}  // namespace
}  // namespace warpsim
