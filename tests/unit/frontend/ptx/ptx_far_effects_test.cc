// What threads on two GPUs see of each other: stores, reductions and atomics in memory of the other GPU are seen there
// when they can have arrived, and nothing depends on the order in which SMs are executed or on the number of threads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "support/timed_ptx.h"

namespace warpsim::test {
namespace {

// %r40 is the number of the GPU, %q40 the other GPU's half of the input, of which the own one is at %in.
const std::string kOther = R"(
    ld.global.u32 %r40, [%in];
    mul.wide.u32 %q41, %r40, 8192;
    add.u64 %q40, %in, 4096;
    sub.u64 %q40, %q40, %q41;
)";
// From an SM of the tiny GPU to the other one's L2: port 10, slice 20, link 200, port 1, slice 20.
constexpr std::uint32_t kWay = 251;

PtxGrid on_two_gpus(const std::string& body) {
  PtxGrid launch;
  launch.body = kOther + body;
  launch.input = std::vector<std::uint32_t>(std::size_t{2} * kWordsOfGpu, 0);
  launch.input[kWordsOfGpu] = 1;
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  launch.output_words = 512;
  return launch;
}

std::uint32_t word(const std::array<TimedPtx, 2>& both, std::uint32_t gpu, std::uint32_t index = 0) {
  return both[1].output.at(gpu * 256 + index);
}

void check_far_in_any_order(const PtxGrid& launch) {
  const std::array<TimedPtx, 2> usual = run_ptx_on_two_gpus(launch);
  for (const MachineOptions& options : {MachineOptions{.shuffle = 1}, MachineOptions{.threads = 2},
                                        MachineOptions{.threads = 3, .shuffle = 2}, MachineOptions{.skip = false}}) {
    INFO("threads " << options.threads << ", shuffle " << options.shuffle.value_or(0) << ", skip " << options.skip);
    const std::array<TimedPtx, 2> other = run_ptx_on_two_gpus(launch, options);
    CHECK(other[1].output == usual[1].output);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(other[i].statistics == usual[i].statistics);
      CHECK(other[i].result.elapsed_cycles == usual[i].result.elapsed_cycles);
    }
  }
}

// GPU 0 executes `operation` on the word 64 at %q1, which is in the memory of GPU 1, where a thread waits for it. Both
// write the clock.
PtxGrid signal(const std::string& operation) {
  PtxGrid launch = on_two_gpus(R"(
    setp.ne.u32 %p1, %r40, 0;
    @%p1 bra WAIT;
    add.u64 %q1, %q40, 256;
    mov.u32 %r2, 0;
LATER:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 200;
    @%p2 bra LATER;
    mov.u32 %r1, %clock;
)" + operation + R"(
    st.global.u32 [%out], %r1;
    bra END;
WAIT:
    ld.relaxed.sys.global.u32 %r2, [%in+256];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra WAIT;
    mov.u32 %r1, %clock;
    st.global.u32 [%out], %r1;
END:
  )");
  launch.block = {1, 1, 1};
  return launch;
}

TEST_CASE("A GPU sees a store, reduction or atomic of another one when it can have arrived") {
  for (const std::string operation : {"st.relaxed.sys.global.u32 [%q1], 1;", "red.relaxed.sys.global.add.u32 [%q1], 1;",
                                      "atom.relaxed.sys.global.add.u32 %r9, [%q1], 1;"}) {
    INFO(operation);
    const std::array<TimedPtx, 2> both = run_ptx_on_two_gpus(signal(operation));
    const std::uint32_t after = word(both, 1) - word(both, 0);
    CHECK(after >= kWay);
    // An exchange, and the poll that is on its way: a load from the own L2 and a few instructions.
    CHECK(after <= kWay + 200);
    check_far_in_any_order(signal(operation));
  }
}

TEST_CASE("Two GPUs that signal each other take both ways in each round") {
  constexpr std::uint32_t kRounds = 8;
  PtxGrid launch = on_two_gpus(R"(
    mov.u32 %r3, 0;
    mov.u32 %r1, %clock;
ROUND:
    add.u32 %r3, %r3, 1;
    setp.ne.u32 %p1, %r40, 0;
    @%p1 bra WAIT;
    st.relaxed.sys.global.u32 [%q40+256], %r3;
WAIT:
    ld.relaxed.sys.global.u32 %r2, [%in+256];
    setp.ne.u32 %p2, %r2, %r3;
    @%p2 bra WAIT;
    setp.eq.u32 %p1, %r40, 0;
    @%p1 bra NEXT;
    st.relaxed.sys.global.u32 [%q40+256], %r3;
NEXT:
    setp.lt.u32 %p2, %r3, 8;
    @%p2 bra ROUND;
    mov.u32 %r4, %clock;
    sub.u32 %r4, %r4, %r1;
    st.global.u32 [%out], %r4;
  )");
  launch.block = {1, 1, 1};
  const std::array<TimedPtx, 2> both = run_ptx_on_two_gpus(launch);
  CHECK(word(both, 0) >= kRounds * 2 * kWay);
  CHECK(word(both, 0) <= kRounds * 2 * (kWay + 200));
  check_far_in_any_order(launch);
}

TEST_CASE("A thread sees its own stores, reductions and atomics in the other GPU's memory in program order") {
  const PtxGrid launch = on_two_gpus(R"(
    mul.wide.u32 %q1, %t, 4;
    add.u64 %q1, %q40, %q1;
    st.global.u32 [%q1+256], 5;
    red.global.add.u32 [%q1+256], 3;
    ld.global.u32 %r1, [%q1+256];
    add.u32 %r1, %r1, 100;
    st.global.u32 [%q1+256], %r1;
    st.global.u8 [%q1+257], 1;
    ld.global.u32 %r2, [%q1+256];
    red.global.max.u32 [%q1+256], 4000;
    atom.global.add.u32 %r3, [%q1+256], 1;
    add.u32 %r2, %r2, %r3;
    st.global.u32 [%own], %r2;
  )");
  const std::array<TimedPtx, 2> both = run_ptx_on_two_gpus(launch);
  for (std::uint32_t thread = 0; thread < 32; ++thread) {
    CHECK(word(both, 0, thread) == 364 + 4000);
    CHECK(word(both, 1, thread) == 364 + 4000);
  }
  check_far_in_any_order(launch);
}

TEST_CASE("Two GPUs draw tickets from one counter, alike in any order of SMs") {
  PtxGrid launch = on_two_gpus(R"(
    mul.wide.u32 %q2, %r40, 4096;
    sub.u64 %q2, %in, %q2;
    atom.sys.global.add.u32 %r1, [%q2+256], 1;
    st.global.u32 [%own], %r1;
  )");
  launch.grid = {4, 1, 1};
  launch.block = {64, 1, 1};
  std::vector<std::uint32_t> drawn = run_ptx_on_two_gpus(launch)[1].output;
  CHECK(drawn[0] < drawn[256]);  // the counter is near to GPU 0
  std::ranges::sort(drawn);
  std::vector<std::uint32_t> expected(512);
  std::iota(expected.begin(), expected.end(), 0U);
  CHECK(drawn == expected);
  check_far_in_any_order(launch);
}

TEST_CASE("A GPU that sees what another one has released sees all that was written before") {
  const PtxGrid launch = on_two_gpus(R"(
    mul.wide.u32 %q1, %t, 4;
    add.u64 %q2, %q40, %q1;
    add.u64 %q3, %in, %q1;
    mad.lo.u32 %r1, %t, 3, %r40;
    st.global.u32 [%q2+512], %r1;
    fence.acq_rel.sys;
    bar.sync 0;
    setp.ne.u32 %p1, %t, 0;
    @%p1 bra WAIT;
    st.release.sys.global.u32 [%q40+256], 1;
WAIT:
    ld.acquire.sys.global.u32 %r2, [%in+256];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra WAIT;
    ld.global.u32 %r3, [%q3+512];
    st.global.u32 [%own], %r3;
  )");
  const std::array<TimedPtx, 2> both = run_ptx_on_two_gpus(launch);
  for (std::uint32_t thread = 0; thread < 32; ++thread) {
    CHECK(word(both, 0, thread) == 3 * thread + 1);
    CHECK(word(both, 1, thread) == 3 * thread);
  }
  check_far_in_any_order(launch);
}

TEST_CASE("An SM that goes on writing beside a word sees that the other GPU has changed it") {
  // GPU 0 sets a word of GPU 1, which resets it, and writes to the word beside it all the time.
  PtxGrid launch = on_two_gpus(R"(
    setp.ne.u32 %p1, %r40, 0;
    @%p1 bra RESET;
    st.relaxed.sys.global.u32 [%q40+256], 7;
AGAIN:
    st.relaxed.sys.global.u32 [%q40+260], 1;
    ld.relaxed.sys.global.u32 %r2, [%q40+256];
    setp.ne.u32 %p2, %r2, 0;
    @%p2 bra AGAIN;
    bra END;
RESET:
    ld.relaxed.sys.global.u32 %r2, [%in+256];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra RESET;
    st.relaxed.sys.global.u32 [%in+256], 0;
END:
    st.global.u32 [%out], 1;
  )");
  launch.block = {1, 1, 1};
  const std::array<TimedPtx, 2> both = run_ptx_on_two_gpus(launch);
  CHECK(word(both, 0) == 1);
  CHECK(word(both, 1) == 1);
}

}  // namespace
}  // namespace warpsim::test
