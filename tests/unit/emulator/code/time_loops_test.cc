// Without time, loops that wait for it end soon; others do not notice.
#include "emulator/code/time_loops.h"

#include <catch2/catch.hpp>
#include <string>

#include "emulator/execution/grid_execution.h"
#include "emulator/execution/launch_watch.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

// Warp operations until the kernel has ended, or the limit.
std::uint64_t executed(const std::string& body, std::uint64_t most = 2'000'000) {
  const PtxGrid grid{.body = body, .grid = {4, 1, 1}, .block = {64, 1, 1}, .resident_blocks = 2};
  const PreparedPtx prepared(grid);
  LaunchContext launch = prepared.context;
  LaunchWatch watch(*launch.kernel, grid.grid.count(), {});
  launch.watch = &watch;
  GridExecution execution(launch, {.resident_blocks = grid.resident_blocks, .local_bytes = grid.local_bytes});
  execution.run(most);
  return execution.executed();
}

TEST_CASE("A loop that waits for a time ends after few rounds, whatever the time is") {
  for (const char* const cycles : {"100", "100000", "4000000000"}) {
    INFO(cycles);
    CHECK(executed(std::string("mov.u64 %q1, %clock64;\n"
                               "L: mov.u64 %q2, %clock64;\nsub.u64 %q3, %q2, %q1;\nsetp.lt.u64 %p1, %q3, ") +
                   cycles + ";\n@%p1 bra L;\nst.global.u64 [%out], %q3;") < 8 * 40 * 4);
  }
  // Sleep in between, and by the timer.
  CHECK(executed("mov.u64 %q1, %globaltimer;\n"
                 "L: nanosleep.u32 100;\nmov.u64 %q2, %globaltimer;\nsub.u64 %q3, %q2, %q1;\n"
                 "setp.lt.u64 %p1, %q3, 1000000000;\n@%p1 bra L;") < 8 * 40 * 5);
}

TEST_CASE("Time does not pass faster where a loop does anything else") {
  // The time until another thread writes is not shortened: such a loop may have a limit of time.
  CHECK(executed("mov.u64 %q1, %clock64;\n"
                 "L: ld.volatile.global.u32 %r1, [%in];\nmov.u64 %q2, %clock64;\nsub.u64 %q3, %q2, %q1;\n"
                 "setp.lt.u64 %p1, %q3, 100000;\n@%p1 bra L;") > 10'000);
  CHECK(executed("mov.u64 %q1, %clock64;\n"
                 "L: st.global.u32 [%own], 1;\nmov.u64 %q2, %clock64;\nsub.u64 %q3, %q2, %q1;\n"
                 "setp.lt.u64 %p1, %q3, 100000;\n@%p1 bra L;") > 10'000);
}

TEST_CASE("Time never goes back for a warp, and passes for the blocks after it") {
  const PtxGrid grid{.body =
                         "mov.u64 %q1, %clock64;\n"
                         "L: mov.u64 %q2, %clock64;\nsub.u64 %q3, %q2, %q1;\nsetp.lt.u64 %p1, %q3, 100000;\n"
                         "@%p1 bra L;\nmov.u64 %q4, %clock64;\nsetp.ge.u64 %p2, %q4, %q2;\n"
                         "selp.u32 %r1, 1, 0, %p2;\nmov.u32 %r2, %ctaid.x;\nmul.wide.u32 %q5, %r2, 100000;\n"
                         "setp.ge.u64 %p3, %q1, %q5;\nselp.u32 %r3, 2, 0, %p3;\nadd.u32 %r1, %r1, %r3;\n"
                         "mov.u32 %r4, %ctaid.x;\nmad.lo.u32 %r4, %r4, 32, %t;\nmul.wide.u32 %q6, %r4, 4;\n"
                         "add.u64 %q6, %out, %q6;\nst.global.u32 [%q6], %r1;",
                     .output_words = 96,
                     .grid = {3, 1, 1},
                     .block = {32, 1, 1}};
  CHECK(execute_ptx(grid) == std::vector<std::uint32_t>(96, 3));
}

}  // namespace
}  // namespace warpsim::test
