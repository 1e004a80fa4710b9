// Threads of a warp that wait for each other, from 7.0 on: which threads stay together, as on an H200
// (tests/hardware/waiting_threads).
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emulator/execution/grid_execution.h"
#include "support/ptx_grid.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Words = std::vector<std::uint32_t>;

Words each_lane(const std::function<std::uint32_t(std::uint32_t)>& value) {
  Words words;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    words.push_back(value(lane));
  }
  return words;
}

// The threads that are together after `loop`: each one's mask.
Words masks_behind(const std::string& loop, const std::string& before = "") {
  return execute_ptx(
      {.body = loop + "\nactivemask.b32 %r60; st.global.u32 [%own], %r60;", .before = before, .input = Words(64, 0)});
}

const Words kApart = each_lane([](std::uint32_t lane) { return 1U << lane; });
const Words kTogether = Words(32, 0xffffffffU);

constexpr const char* kLock = "try: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra try;\n";
constexpr const char* kCritical =
    "ld.volatile.global.u32 %r2, [%in+4];\nadd.u32 %r2, %r2, 1;\nst.volatile.global.u32 [%in+4], %r2;\nmembar.gl;\n";
constexpr const char* kUnlock = "atom.global.exch.b32 %r3, [%in], 0;\n";

TEST_CASE("threads leave a lock one by one and stay apart") {
  CHECK(masks_behind(std::string(kLock) + kCritical + kUnlock) == kApart);
  // The same where the others wait in an outer branch.
  const Words masks =
      masks_behind("setp.ge.u32 %p2, %t, 20;\n@%p2 bra over;\n" + std::string(kLock) + kCritical + kUnlock + "over:");
  CHECK(masks == each_lane([](std::uint32_t lane) { return lane < 20 ? 1U << lane : 0xfff00000U; }));
}

TEST_CASE("threads separated by a lock continue together after a barrier") {
  const std::string locked = std::string(kLock) + kCritical + kUnlock;
  for (const std::string barrier : {"bar.warp.sync 0xffffffff;", "bar.sync 0;",
                                    "apart: shfl.sync.idx.b32 %r5, %r2, 0, 31, -1; st.global.u32 [%in+16], %r5;"}) {
    INFO(barrier);
    CHECK(masks_behind(locked + barrier) == kTogether);
  }
  CHECK(masks_behind("setp.ge.u32 %p2, %t, 20;\n@%p2 bra over;\n" + locked + "over: bar.warp.sync 0xffffffff;") ==
        kTogether);
}

TEST_CASE("threads that meet at a warp barrier stay on their paths if these differ") {
  const Words masks = masks_behind(
      "and.b32 %r1, %t, 1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra even;\nbar.warp.sync 0xffffffff;\nactivemask.b32 %r2;\n"
      "bra join;\neven: bar.warp.sync 0xffffffff;\nactivemask.b32 %r2;\njoin: st.global.u32 [%own], %r2;\nret;");
  CHECK(masks == each_lane([](std::uint32_t lane) { return lane % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU; }));
}

TEST_CASE("threads whose atomics fail because of others continue in order of success") {
  const Words masks = masks_behind(
      "ld.global.u32 %r1, [%in];\n"
      "try: mov.u32 %r2, %r1;\nadd.u32 %r3, %r2, 3;\natom.global.cas.b32 %r1, [%in], %r2, %r3;\n"
      "setp.ne.u32 %p1, %r1, %r2;\n@%p1 bra try;");
  CHECK(masks == kApart);
}

TEST_CASE("threads that leave a queue in the same iteration stay together") {
  // 1000 items for 32 threads: 24 find none left in their 32nd iteration.
  const Words masks =
      masks_behind("next: atom.global.add.u32 %r1, [%in], 1;\nsetp.lt.u32 %p1, %r1, 1000;\n@%p1 bra next;");
  CHECK(masks == each_lane([](std::uint32_t lane) { return lane < 8 ? 0xffU : 0xffffff00U; }));
}

TEST_CASE("counted loops over atomics and volatile loads keep their threads together for any length") {
  CHECK(masks_behind("mov.u32 %r1, 0;\nmore: atom.global.add.u32 %r2, [%in], 1;\nadd.u32 %r1, %r1, 1;\n"
                     "setp.le.u32 %p1, %r1, %t;\n@%p1 bra more;") == kTogether);
  CHECK(masks_behind("setp.eq.u32 %p2, %t, 0;\nselp.u32 %r4, 2000, 1, %p2;\nmov.u32 %r1, 0;\n"
                     "more: ld.volatile.global.u32 %r2, [%in];\nadd.u32 %r1, %r1, 1;\nadd.u32 %r3, %r3, %r2;\n"
                     "setp.lt.u32 %p1, %r1, %r4;\n@%p1 bra more;") == kTogether);
}

TEST_CASE("threads that sleep let the others continue") {
  const Words masks = masks_behind(
      "mov.u32 %r1, 0;\nmore: nanosleep.u32 100;\nadd.u32 %r1, %r1, 1;\nsetp.le.u32 %p1, %r1, %t;\n@%p1 bra more;");
  CHECK(masks == kApart);
}

// The protected word after all threads, and the number of operations of the warp.
struct Counted {
  Words output;
  std::uint64_t operations = 0;
};

Counted count_under(const std::string& body, const std::string& before = "") {
  PtxGrid launch;
  launch.body = body + "bar.warp.sync 0xffffffff;\nld.global.u32 %r9, [%in+4];\nst.global.u32 [%own], %r9;";
  launch.before = before;
  launch.input = Words(64, 0);
  const PreparedPtx prepared(launch);
  const ExecutedWork work = execute_grid(prepared.context, {.resident_blocks = 1, .local_bytes = launch.local_bytes});
  return {prepared.output(), work.warp_operations};
}

// 32 threads, one after another, each of them a few operations of its own while the others iterate once or twice.
constexpr std::uint64_t kFew = 32 * 40;

TEST_CASE("a lock is passed on with few iterations of waiting threads, in any form") {
  const std::string locked = std::string(kLock) + kCritical + kUnlock;
  const std::string ticket =
      "atom.global.add.u32 %r1, [%in+8], 1;\nwait: ld.acquire.gpu.global.u32 %r4, [%in];\nsetp.ne.u32 %p1, %r4, %r1;\n"
      "@%p1 bra wait;\n" +
      std::string(kCritical) + "add.u32 %r4, %r4, 1;\nst.release.gpu.global.u32 [%in], %r4;\n";
  const std::string sleeping =
      "bra test;\nsleep: nanosleep.u32 32;\ntest: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n"
      "@%p1 bra sleep;\n" +
      std::string(kCritical) + kUnlock;
  const std::string done_flag =
      "try: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra over;\n" +
      std::string(kCritical) + kUnlock + "over: @%p1 bra try;\n";
  const std::string look_first =
      "try: ld.volatile.global.u32 %r1, [%in];\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra try;\n"
      "atom.global.exch.b32 %r1, [%in], 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra try;\n" +
      std::string(kCritical) + kUnlock;
  // A nested lock.
  const std::string nested =
      "outer: atom.global.cas.b32 %r5, [%in+12], 0, 1;\nsetp.ne.u32 %p3, %r5, 0;\n@%p3 bra outer;\n" + locked +
      "atom.global.exch.b32 %r5, [%in+12], 0;\n";
  for (const std::string& body : {locked, ticket, sleeping, done_flag, look_first, nested}) {
    INFO(body);
    const Counted counted = count_under(body);
    CHECK(counted.output == Words(32, 32));
    CHECK(counted.operations < kFew);
  }
}

TEST_CASE("a lock in a function is passed on equally fast") {
  const std::string functions =
      ".func lock(.param .b64 a) { .reg .b64 %a; .reg .b32 %r; .reg .pred %p; ld.param.b64 %a, [a];\n"
      "try: atom.cas.b32 %r, [%a], 0, 1; setp.ne.u32 %p, %r, 0; @%p bra try; ret; }\n"
      ".func (.param .b32 d) try_lock(.param .b64 a) { .reg .b64 %a; .reg .b32 %r; ld.param.b64 %a, [a];\n"
      "atom.cas.b32 %r, [%a], 0, 1; st.param.b32 [d], %r; ret; }\n";
  const std::string whole = "{ .param .b64 x; st.param.b64 [x], %in; call lock, (x); }\n";
  const std::string tries =
      "try: { .param .b64 x; .param .b32 y; st.param.b64 [x], %in; call (y), try_lock, (x); ld.param.b32 %r1, [y]; }\n"
      "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra try;\n";
  for (const std::string& lock : {whole, tries}) {
    const Counted counted = count_under(lock + kCritical + kUnlock, functions);
    CHECK(counted.output == Words(32, 32));
    CHECK(counted.operations < kFew);
  }
}

TEST_CASE("an indexed branch leads back to a lock like a plain one") {
  const Counted counted =
      count_under("ts: .branchtargets go, try;\ntry: atom.global.cas.b32 %r1, [%in], 0, 1;\nbrx.idx %r1, ts;\ngo:\n" +
                  std::string(kCritical) + kUnlock);
  CHECK(counted.output == Words(32, 32));
  CHECK(counted.operations < kFew);
}

}  // namespace
