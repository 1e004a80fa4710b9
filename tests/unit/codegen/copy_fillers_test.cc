// Against the machine code that ptxas 13.0 makes of such kernels: idle loads (@!PT LDS) before copies.
#include "codegen/copy_fillers.h"

#include <catch2/catch.hpp>

#include "unit/codegen/generate.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

const std::string kCopy = "cp.async.cg.shared.global [%r1], [%rd1], 16; ";

// "3 0": the number of idle loads before each copy.
std::string fillers(const std::string& body, std::uint32_t architecture) {
  const Generated generated =
      generate(body + "cp.async.commit_group; cp.async.wait_group 0; ret;", false, architecture);
  std::string counts;
  int idle = 0;
  for (const std::string& line : generated.text()) {
    idle += line.starts_with("@!PT LDS") ? 1 : 0;
    if (line.starts_with("LDGSTS")) {
      counts += (counts.empty() ? "" : " ") + std::to_string(std::exchange(idle, 0));
    }
  }
  CHECK(idle == 0);
  return counts;
}

TEST_CASE("consecutive copies need idle loads once, before 9.0 not at the beginning of a kernel") {
  CHECK(fillers(kCopy + kCopy, 90) == "3 0");
  CHECK(fillers(kCopy + kCopy, 86) == "0 0");
  CHECK(fillers(kCopy + "cp.async.commit_group; cp.async.wait_group 0; " + kCopy, 90) == "3 0");
  CHECK(fillers(kCopy + "st.global.u32 [%rd2], %r2; " + kCopy, 90) == "3 0");
  CHECK(fillers(kCopy + "membar.gl; " + kCopy, 80) == "0 0");
}

TEST_CASE("accesses that copies might overtake are followed by idle loads") {
  for (const char* between : {"ld.shared.u32 %r2, [%r3]; st.global.u32 [%rd2], %r2; ", "st.shared.u32 [%r3], %r2; ",
                              "ld.u32 %r2, [%rd2]; st.u32 [%rd2+4], %r2; ", "red.shared.add.u32 [%r3], %r2; ",
                              "bar.sync 0; ", "bar.arrive 1, 64; ", "bar.warp.sync 0xffffffff; "}) {
    INFO(between);
    CHECK(fillers(kCopy + between + kCopy, 90) == "3 3");
    CHECK(fillers(kCopy + between + kCopy, 86) == "0 3");
  }
}

TEST_CASE("a shuffle takes the place of one idle load") {
  CHECK(fillers("shfl.sync.bfly.b32 %r2, %r3, 1, 31, -1; st.global.u32 [%rd2], %r2; " + kCopy, 90) == "2");
}

TEST_CASE("from 9.0 on each block needs idle loads again, before 9.0 only targets of branches") {
  const std::string body = kCopy + "setp.eq.u32 %p1, %r2, 0; @%p1 bra other; " + kCopy +
                           "bra.uni end; other: " + kCopy + "nanosleep.u32 5; end: ";
  CHECK(fillers(body, 90) == "3 3 3");
  CHECK(fillers(body, 80) == "0 0 3");
}

}  // namespace
