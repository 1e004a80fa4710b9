// Kernels of PTX recorded without timing: the trace holds the instructions that the core executes.
#include "frontend/workload/kernel_recorder.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <variant>

#include "emulator/execution/fault.h"
#include "frontend/ptx/ptx_kernel.h"
#include "frontend/wtrace/wtrace_reader.h"
#include "support/plain_machine_code.h"
#include "support/temporary_folder.h"
#include "support/timed_ptx.h"

namespace warpsim::test {
namespace {

// The kernel's output while it was recorded to `path`.
std::vector<std::uint32_t> record(const PtxGrid& launch, const std::string& path) {
  const PreparedPtx prepared(launch);
  KernelLaunch description;
  description.kernel = "kernel";
  PtxKernel kernel(prepared.context, plain_machine_code(prepared.module()),
                   {.local_bytes = launch.local_bytes, .accesses_in_flight = 1}, description);
  WtraceWriter writer(path);
  record_kernel(kernel, launch.resident_blocks, writer);
  writer.finish();
  return prepared.output();
}

Counters replay(const std::string& path) {
  const std::unique_ptr<CommandSource> trace = open_wtrace(path);
  std::optional<Command> command = trace->next();
  REQUIRE(command);
  Machine gpu(tiny_config(), {});
  gpu.run(*std::get<std::unique_ptr<KernelSource>>(*command));
  CHECK_FALSE(trace->next());
  return counters_of(gpu.stats());
}

TEST_CASE("Recorded PTX: the trace is the same as the kernel at issue") {
  PtxGrid launch;
  launch.before = ".shared .align 4 .b32 words[128];";
  launch.body = R"(
    mov.u64 %q1, words;
    mul.wide.u32 %q2, %t, 4;
    add.u64 %q3, %q1, %q2;
    and.b32 %r1, %t, 5;
AGAIN:
    st.shared.u32 [%q3], %r1;
    bar.sync 0;
    ld.shared.u32 %r2, [%q1+16];
    bar.sync 0;
    red.global.add.u32 [%own], %r2;
    setp.eq.u32 %p1, %r1, 0;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r2, 9;
    @%p2 bra AGAIN;
  )";
  launch.block = {128, 1, 1};
  launch.grid = {7, 1, 1};
  launch.resident_blocks = 3;
  const TemporaryFolder folder;
  const std::string path = folder.at("k.wtrace");
  CHECK(record(launch, path) == execute_ptx(launch));
  const Counters replayed = replay(path);
  const TimedPtx timed = run_ptx(launch);
  for (const char* counter :
       {"sm.sub_core.inst_executed", "sm.sub_core.thread_inst_executed", "sm.lsu.global_atomic_sectors",
        "sm.lsu.shared_wavefronts", "sm.barriers.arrivals", "sm.barriers.releases"}) {
    INFO(counter);
    CHECK(replayed.at(counter) == timed.counters.at(counter));
  }
}

TEST_CASE("Recorded PTX: blocks that wait for each other, and those of a cluster, are recorded together") {
  PtxGrid launch;
  launch.body = R"(
    setp.ne.u32 %p1, %t, 0;
    @%p1 bra DONE;
    atom.global.add.u32 %r1, [%in], 1;
WAIT:
    ld.volatile.global.u32 %r2, [%in];
    setp.lt.u32 %p2, %r2, 4;
    @%p2 bra WAIT;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    st.global.u32 [%own], %r2;
    bra END;
DONE:
    barrier.cluster.arrive;
    barrier.cluster.wait;
END:
  )";
  launch.input = {0};
  launch.grid = {4, 1, 1};
  launch.cluster = {2, 1, 1};
  launch.resident_blocks = 4;
  const TemporaryFolder folder;
  CHECK(record(launch, folder.at("k.wtrace"))[96] == 4);
}

TEST_CASE("Recorded PTX: a deadlock is found") {
  PtxGrid launch;
  launch.body = "setp.lt.u32 %p1, %t, 32; @%p1 bar.sync 1, 64;";
  launch.block = {64, 1, 1};
  const TemporaryFolder folder;
  CHECK_THROWS_AS(record(launch, folder.at("k.wtrace")), KernelFault);
}

}  // namespace
}  // namespace warpsim::test
