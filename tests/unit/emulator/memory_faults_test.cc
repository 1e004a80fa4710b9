// Messages for accesses to wrong addresses.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/execution/fault.h"
#include "emulator/memory/memory_access.h"
#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

const std::string kFirst = "kernel kernel: thread (0, 0, 0) of block (0, 0, 0): ";

FaultKind kind_of(PtxLaunch& test) {
  try {
    test.run();
  } catch (const KernelFault& fault) {
    return fault.kind();
  }
  FAIL("the kernel ended without a fault");
  return {};
}

TEST_CASE("an access after an allocation names line, kernel, thread and the allocation") {
  PtxLaunch test(
      "mul.wide.u32 %rd0, %t, 4;\n"
      "add.u64 %rd0, %rd0, %in;\n"
      "st.global.u32 [%rd0+4056], %t;");
  test.launch.grid = {1, 2, 1};
  test.launch.block = {4, 3, 2};  // x: 0 to 3, so that lanes repeat the same addresses
  CHECK_NOTHROW(test.run());
  PtxLaunch wrong(
      "mul.wide.u32 %rd0, %t, 4;\n"
      "add.u64 %rd0, %rd0, %in;\n"
      "st.global.u32 [%rd0+4088], %t;");
  wrong.launch.block = {4, 3, 2};
  CHECK(wrong.fault() ==
        fmt::format("test.ptx:4: kernel kernel: thread (2, 0, 0) of block (0, 0, 0): writes 4 bytes at {:#x}, which is "
                    "outside allocations; the nearest has 4096 bytes at {:#x}, 0 bytes before",
                    wrong.in + 4096, wrong.in));
}

TEST_CASE("the fault names the thread and the block in three dimensions") {
  PtxLaunch test(
      "mov.u32 %r0, %tid.y;\nmov.u32 %r1, %tid.z;\nmov.u32 %r2, %ctaid.z;\n"
      "add.u32 %r3, %r0, %r1;\nadd.u32 %r3, %r3, %r2;\nsetp.eq.u32 %p0, %r3, 4;\nmov.u64 %rd0, 0;\n"
      "@%p0 ld.global.u32 %r3, [%rd0];");
  test.launch.block = {5, 3, 2};
  test.launch.grid = {2, 1, 2};
  // The sum first reaches 4 where y is 2, z is 1 and block z is 1: lane 25 of the first warp of block (0, 0, 1).
  CHECK_THAT(test.fault(),
             Catch::StartsWith("test.ptx:9: kernel kernel: thread (0, 2, 1) of block (0, 0, 1): reads 4 bytes at 0x0, "
                               "which is outside allocations; the nearest has 4096 bytes at "));
}

TEST_CASE("an access before the first allocation reports the distance to the allocation") {
  PtxLaunch test("atom.global.add.u32 %r0, [%out+-16], 1;");
  CHECK(test.fault() == "test.ptx:2: " + kFirst +
                            fmt::format("updates 4 bytes at {:#x}, which is outside allocations; the nearest has 4096 "
                                        "bytes at {:#x}, 16 bytes after",
                                        test.out - 16, test.out));
}

TEST_CASE("the nearest allocation has the name of its variable") {
  PtxLaunch test("mov.u64 %rd0, table;\nld.global.u32 %r0, [%rd0+24];", ".global .u32 table[4];");
  CHECK_THAT(test.fault(), Catch::EndsWith("(table), 8 bytes before"));
}

TEST_CASE("an access may not begin inside an allocation and end after it") {
  PtxLaunch test("mov.u64 %rd0, table;\nld.global.u32 %r0, [%rd0+8];\nld.global.v2.u32 {%r0, %r1}, [%rd0+8];",
                 ".global .u32 table[3];");
  CHECK_THAT(test.fault(), Catch::StartsWith("test.ptx:4: " + kFirst + "reads 8 bytes at ") &&
                               Catch::Contains(", which exceeds its allocation of 12 bytes at ") &&
                               Catch::EndsWith(" (table)"));
}

TEST_CASE("an address is a multiple of the access's size") {
  PtxLaunch test("mul.wide.u32 %rd0, %t, 2;\nadd.u64 %rd0, %rd0, %in;\nld.global.u32 %r0, [%rd0];");
  test.launch.block = {2, 1, 1};
  CHECK(test.fault() ==
        fmt::format("test.ptx:4: kernel kernel: thread (1, 0, 0) of block (0, 0, 0): reads 4 bytes at {:#x}, which is "
                    "not a multiple of 4",
                    test.in + 2));
  CHECK(kind_of(test) == FaultKind::kMisalignedAddress);
  PtxLaunch vector("st.global.v4.u32 [%out+8], {%r0, %r1, %r2, %r3};");
  CHECK_THAT(vector.fault(), Catch::Contains("writes 16 bytes") && Catch::EndsWith("not a multiple of 16"));
  PtxLaunch shared(".shared .align 8 .u8 bytes[16];\natom.shared.add.u64 %rd0, [bytes+4], 1;");
  CHECK(shared.fault() == "test.ptx:3: " + kFirst + "updates 8 bytes at 0x4, which is not a multiple of 8");
}

TEST_CASE("shared memory has the size of the block's") {
  const std::string dynamic = ".extern .shared .u32 dynamic[];";
  PtxLaunch inside("mov.u32 %r0, 1;\nst.shared.u32 [dynamic+60], %r0;", dynamic);
  inside.launch.dynamic_shared_bytes = 64;
  CHECK_NOTHROW(inside.run());
  PtxLaunch test("mov.u32 %r0, 1;\nst.shared.u32 [dynamic+64], %r0;", dynamic);
  test.launch.dynamic_shared_bytes = 64;
  CHECK(test.fault() == "test.ptx:3: " + kFirst + "writes 4 bytes at 0x40 of shared memory, which has 64 bytes");
  CHECK(kind_of(test) == FaultKind::kIllegalAddress);
}

TEST_CASE("generic addresses in the window of shared memory are checked as shared") {
  PtxLaunch test(".shared .u32 bytes;\nmov.u64 %rd0, bytes;\ncvta.shared.u64 %rd0, %rd0;\nld.u32 %r0, [%rd0+4];");
  CHECK(test.fault() == "test.ptx:5: " + kFirst + "reads 4 bytes at 0x4 of shared memory, which has 4 bytes");
}

TEST_CASE("local memory has the size of the thread's") {
  PtxLaunch test(".local .align 8 .u64 words[2];\nmov.u64 %rd0, 1;\nst.local.u64 [words+16], %rd0;");
  CHECK(test.fault() ==
        "test.ptx:4: " + kFirst + "writes 8 bytes at 0x10 of local memory, of which a thread has 16 bytes");
  PtxLaunch before(".local .align 8 .u64 words[2];\nmov.u64 %rd0, words;\nld.local.u64 %rd1, [%rd0+-8];");
  CHECK_THAT(before.fault(), Catch::Contains("reads 8 bytes at 0xfffffffffffffff8 of local memory"));
}

TEST_CASE("parameters of a kernel are read inside their buffer and never written") {
  PtxLaunch test("ld.param.u64 %rd0, [in+8];");
  CHECK(test.fault() == "test.ptx:2: " + kFirst + "reads 8 bytes at 0x10 of 16 bytes of parameters");
  PtxLaunch write("mov.b64 %rd0, in;\ncvta.param.u64 %rd0, %rd0;\nst.u64 [%rd0], %rd1;");
  CHECK(write.fault() == "test.ptx:4: " + kFirst + "writes 8 bytes of a kernel's parameters, which cannot be written");
}

TEST_CASE("another block's shared memory is accessible only for ranks of the cluster") {
  const std::string body =
      ".shared .u32 bytes;\nmov.u32 %r0, bytes;\nmapa.shared::cluster.u32 %r1, %r0, 2;\n"
      "st.shared::cluster.u32 [%r1], %r0;";
  PtxLaunch test(body);
  test.launch.cluster = {2, 1, 1};
  test.launch.grid = {2, 1, 1};
  CHECK_THAT(test.fault(), Catch::Contains("rank 2"));
  PtxLaunch inside(body);
  inside.launch.cluster = {3, 1, 1};
  inside.launch.grid = {3, 1, 1};
  CHECK_NOTHROW(inside.run());
}

TEST_CASE("a read of uninitialised shared memory is reported with its line, once for the same bytes") {
  PtxLaunch test(
      ".shared .u32 words[4];\nmov.u32 %r0, 1;\nst.shared.u8 [words+4], %r0;\n"
      "ld.shared.u32 %r0, [words+4];\n"
      "ld.shared.u32 %r0, [words+4];\n"
      "ld.shared.u8 %r0, [words+4];\n"
      "atom.shared.add.u32 %r0, [words+8], 1;\n"
      "ld.shared.u32 %r0, [words+8];");
  test.run();
  REQUIRE(test.warnings.size() == 2);
  CHECK(test.warnings[0] == "test.ptx:5: " + kFirst + "reads 4 bytes at 0x4 of uninitialised shared memory");
  CHECK(test.warning_lines == std::vector<std::uint32_t>{5, 8});
}

TEST_CASE("uninitialised shared memory between the words of a warp's threads is no fault, below one thread it is") {
  PtxLaunch test(
      ".shared .u32 words[64];\nmov.u32 %r0, %tid.x;\nshl.b32 %r1, %r0, 3;\nmov.u32 %r2, words;\n"
      "add.u32 %r1, %r1, %r2;\nst.shared.u32 [%r1], %r0;\nld.shared.u32 %r3, [%r1];\n"
      "setp.eq.u32 %p0, %r0, 21;\nselp.u32 %r3, 4, 0, %p0;\nadd.u32 %r1, %r1, %r3;\nld.shared.u32 %r3, [%r1];");
  test.launch.block = {32, 1, 1};
  test.run();
  REQUIRE(test.warnings.size() == 1);
  CHECK(test.warning_lines == std::vector<std::uint32_t>{12});
  CHECK_THAT(test.warnings[0], Catch::Contains("thread (21, 0, 0)") &&
                                   Catch::Contains("reads 4 bytes at 0xac of uninitialised shared memory"));
}

TEST_CASE("shared memory that one block has written is uninitialised for the next") {
  PtxLaunch test(
      ".shared .u32 word;\nmov.u32 %r0, %ctaid.x;\nsetp.eq.u32 %p0, %r0, 0;\n"
      "@%p0 st.shared.u32 [word], %r0;\nld.shared.u32 %r1, [word];");
  test.launch.grid = {2, 1, 1};
  test.run();
  REQUIRE(test.warnings.size() == 1);
  CHECK_THAT(test.warnings[0],
             Catch::Contains("of block (1, 0, 0): reads 4 bytes at 0x0 of uninitialised shared memory"));
}

TEST_CASE("memory that is released during a launch is not accessible any more") {
  PtxLaunch test("ld.global.u32 %r0, [%in];");
  CHECK_NOTHROW(test.run());
  CHECK(test.memory.release(test.in));
  CHECK_THAT(test.fault(),
             Catch::EndsWith(fmt::format("which is in memory that was freed: 4096 bytes at {:#x}", test.in)));
}

}  // namespace
}  // namespace warpsim::test
