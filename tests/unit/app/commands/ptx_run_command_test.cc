// `warpsim run kernel.ptx --launch launch.yaml`, started as a user would.
#include <catch2/catch.hpp>

#include "stats/database.h"
#include "support/program.h"

namespace warpsim {
namespace {

using test::ProgramOutcome;
using test::run_program;

// out[i] = 3 * i + number for the threads of a block; line 17 is the store.
const std::string kPtx = R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry _Z5timesPii(.param .u64 out, .param .u32 number)
{
  .reg .b64 %rd<4>;
  .reg .s32 %r<4>;
  .reg .pred %p;
  .reg .f32 %f;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [number];
  mov.u32 %r2, %tid.x;
  setp.lt.s32 %p, %r2, 2;
  cvt.rn.f32.s32 %f, %r1;
  mad.lo.s32 %r3, %r2, 3, %r1;
  mad.wide.s32 %rd2, %r2, 4, %rd1;
  st.global.u32 [%rd2], %r3;
  ret;
}
.visible .entry _Z5timesPf(.param .u64 out)
{
  trap;
}
.visible .entry fails(.param .u64 out)
{
  .reg .b64 %rd1;
  ld.param.u64 %rd1, [out];
  st.global.u32 [%rd1+4096], 1;
  ret;
}
.visible .entry endless()
{
again:
  bra again;
}
)";

const std::string kBuffer = "buffers: [{name: out, type: s32, elements: 8}]\n";
const std::string kLaunch = "kernel: '_Z5timesPii'\nblock: 8\nparameters: [out, {s32: 5}]\n" + kBuffer;

ProgramOutcome run(const std::string& launch, const std::string& more = "--functional-only") {
  const TemporaryFolder folder;
  const std::string ptx = folder.write("k.ptx", kPtx);
  const std::string file = folder.write("l.yaml", launch);
  ProgramOutcome outcome = run_program("run " + ptx + " --launch " + file + " --gpu test_tiny " + more);
  for (std::string* text : {&outcome.out, &outcome.err}) {
    const std::string path = folder.at("");
    for (std::size_t at = text->find(path); at != std::string::npos; at = text->find(path)) {
      text->erase(at, path.size());
    }
  }
  return outcome;
}

TEST_CASE("run ptx: results are compared and reported") {
  const ProgramOutcome outcome = run(kLaunch + "expect: [{buffer: out, values: {iota: {start: 5, step: 3}}}]\n");
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "times: grid (1, 1, 1), block (8, 1, 1)\nout: 8 elements as expected\n");
  CHECK(outcome.err.empty());
}

TEST_CASE("run ptx: a difference names buffer, element, both values and the number of differences") {
  const ProgramOutcome outcome =
      run(kLaunch + "expect:\n  - {buffer: out, first: 2, values: {list: [11, 14, 0, 20, 0, 26]}}\n");
  CHECK(outcome.code == 1);
  CHECK(outcome.err_lines() ==
        std::vector<std::string>{
            "warpsim: error: l.yaml:6:5: 'out' differs in 2 of 6 elements; the first is [4]: got 17, "
            "expected 0"});
}

TEST_CASE("run ptx: a repeated launch, and several, run on the same memory") {
  const ProgramOutcome outcome =
      run("launches:\n"
          "  - {kernel: '_Z5timesPii', block: 8, parameters: [out, {s32: 5}], repeat: 2}\n"
          "  - {kernel: '_Z5timesPii', block: 4, parameters: [out, {s32: 0}]}\n" +
          kBuffer + "expect: [{buffer: out, values: {list: [0, 3, 6, 9, 17, 20, 23, 26]}}]\n");
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("times: grid (1, 1, 1), block (8, 1, 1)\ntimes: grid (1, 1, 1), block (8, 1, 1)\n"
                         "times: grid (1, 1, 1), block (4, 1, 1)\n") == 0);
}

TEST_CASE("run ptx: kernels are found by readable names if these are unique") {
  CHECK(run("kernel: 'times(int*, int)'\nblock: 8\nparameters: [out, {s32: 5}]\n" + kBuffer).code == 0);
  const ProgramOutcome two = run("kernel: times\nparameters: [out]\n" + kBuffer);
  CHECK(two.code == 2);
  CHECK(two.err.find("l.yaml:1:1: 2 kernels of k.ptx are named 'times'; use one of _Z5timesPii, _Z5timesPf") !=
        std::string::npos);
  const ProgramOutcome none = run("kernel: fail\n");
  CHECK(none.code == 2);
  CHECK(none.err.find("k.ptx has no kernel 'fail'; did you mean 'fails'?") != std::string::npos);
}

TEST_CASE("run ptx: parameters are checked against the kernel") {
  const ProgramOutcome few = run("kernel: fails\n");
  CHECK(few.code == 2);
  CHECK(few.err_lines() ==
        std::vector<std::string>{"warpsim: error: l.yaml:1:1: kernel fails has 1 parameters, got 0"});
  const ProgramOutcome wide = run("kernel: '_Z5timesPii'\nparameters: [out, {s64: 5}]\n" + kBuffer);
  CHECK(wide.code == 2);
  CHECK(wide.err.find("l.yaml:2:19: parameter 1 of kernel _Z5timesPii has 4 bytes, got 8") != std::string::npos);
}

TEST_CASE("run ptx: with timing the results are the same, and the database has the launches") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const std::string launch = "repeat: 2\n" + kLaunch + "expect: [{buffer: out, values: {iota: {start: 5, step: 3}}}]\n";
  const ProgramOutcome outcome = run(launch, "--out " + out + " --name twice --break times:17");
  CHECK(outcome.code == 0);
  // Both lines end with a time.
  CHECK_THAT(outcome.out, Catch::Contains("block (8, 1, 1), ") && Catch::Contains("out: 8 elements as expected"));
  CHECK_THAT(outcome.err, Catch::Contains("  %r3      s32   5 8 11 14 17 20 23 26 - - "));
  {
    const Database file(out, Database::Mode::kReadOnly);
    Statement rows(file, "SELECT count(*), min(cycles) > 0 FROM kernel_summary WHERE run_name = 'twice'");
    REQUIRE(rows.step());
    CHECK(rows.integer(0) == 2);
    CHECK(rows.integer(1) == 1);
    Statement status(file, "SELECT status FROM run WHERE name = 'twice'");
    REQUIRE(status.step());
    CHECK(status.text(0) == "complete");
  }
  CHECK(run(launch, "--out " + out + " --name twice").code == 2);
  CHECK(run(launch, "--out " + out + " --name twice --replace").code == 0);
}

TEST_CASE("run ptx: a launch that reaches a limit of cycles ends the command with code 3") {
  const ProgramOutcome outcome = run("kernel: endless\n", "--max-cycles 2000");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Catch::Contains("endless"));
  CHECK(run("kernel: endless\n", "--functional-only --max-cycles 2000").code == 2);
}

TEST_CASE("run ptx: a kernel that fails is reported, and a failure can be expected") {
  const std::string launch = "kernel: fails\nparameters: [out]\n" + kBuffer;
  const ProgramOutcome outcome = run(launch);
  CHECK(outcome.code == 1);
  CHECK(outcome.err.find("kernel fails: thread (0, 0, 0) of block (0, 0, 0)") != std::string::npos);
  CHECK(run(launch + "failure: {reason: illegal_address, message: 'kernel fails'}\n").code == 0);
  CHECK(run(launch + "failure: {reason: illegal_address, message: 'another text'}\n").code == 1);
  CHECK(run(launch + "failure: {reason: trap}\n").code == 1);
  const ProgramOutcome well = run(kLaunch + "failure: {reason: trap}\n");
  CHECK(well.code == 1);
  CHECK(well.err.find("was expected to fail") != std::string::npos);
}

TEST_CASE("run ptx: exceeding the GPU's limits is an error before anything runs") {
  const ProgramOutcome block = run("kernel: fails\nblock: 2048\nparameters: [out]\n" + kBuffer);
  CHECK(block.code == 2);
  CHECK(block.err.find("l.yaml:1:1: kernel fails: a block of (2048, 1, 1) threads") != std::string::npos);
  const ProgramOutcome cluster = run("kernel: fails\ngrid: 32\ncluster: 32\nparameters: [out]\n" + kBuffer);
  CHECK(cluster.code == 2);
  CHECK(cluster.err.find("l.yaml:1:1: a cluster of 32 blocks") != std::string::npos);
}

TEST_CASE("run ptx: a breakpoint shows the registers of the first warp that reaches it") {
  const ProgramOutcome outcome = run(kLaunch, "--functional-only --break times:17");
  CHECK(outcome.code == 0);
  const std::vector<std::string> lines = outcome.err_lines();
  REQUIRE(lines.size() == 8);
  CHECK(lines[0] == "k.ptx:17: times: st.global.u32, warp 0 of block (0, 0, 0), lanes 0x000000ff");
  CHECK_THAT(outcome.err, Catch::Contains("  %r1      s32   5 in all\n"));
  CHECK_THAT(outcome.err, Catch::Contains("  %r3      s32   5 8 11 14 17 20 23 26 - - "));
  CHECK_THAT(outcome.err, Catch::Contains("  %p       pred  1 1 0 0 0 0 0 0 - - "));
  CHECK_THAT(outcome.err, Catch::Contains("  %f       f32   5 in all\n"));
}

TEST_CASE("run ptx: a breakpoint has a count, is for one warp, and reports if no warp reached it") {
  const std::string launch =
      "kernel: '_Z5timesPii'\ngrid: 2\nblock: 1\nrepeat: 3\nparameters: [out, {s32: 5}]\n" + kBuffer;
  const auto stops = [](const ProgramOutcome& outcome) {
    std::size_t count = 0;
    for (const std::string& line : outcome.err_lines()) {
      count += line.find("k.ptx:") == 0 ? 1 : 0;
    }
    return count;
  };
  CHECK(stops(run(launch, "--functional-only --break times:10 --break-count 2")) == 2);
  const ProgramOutcome second = run(launch, "--functional-only --break times:17 --break-warp 1,0");
  CHECK(stops(second) == 1);
  CHECK_THAT(second.err, Catch::Contains("warp 0 of block (1, 0, 0)"));
  const ProgramOutcome nobody = run(launch, "--functional-only --break times:17 --break-warp 2,0");
  CHECK(nobody.err == "breakpoint times:17 was not reached\n");
  const ProgramOutcome behind = run(launch, "--functional-only --break times:1000");
  CHECK_THAT(behind.err, Catch::Contains("breakpoint times:1000: the kernel has no instruction at or after this line"));
}

TEST_CASE("run ptx: wrong options are explained") {
  const ProgramOutcome no_launch = run_program("run k.ptx");
  CHECK(no_launch.code == 2);
  CHECK_THAT(no_launch.err, Catch::Contains("'k.ptx' needs --launch FILE") && Catch::Contains("kernel: NAME"));
  CHECK_THAT(run_program("run t.wtrace --launch l.yaml").err, Catch::Contains("--launch is for PTX"));
  CHECK_THAT(run_program("run t.wtrace --functional-only").err, Catch::Contains("--functional-only is for PTX"));
  CHECK_THAT(run(kLaunch, "--functional-only --jobs 2").err, Catch::Contains("--jobs is for traces"));
  CHECK_THAT(run(kLaunch, "--functional-only --break times").err, Catch::Contains("expected KERNEL:LINE"));
  CHECK_THAT(run(kLaunch, "--functional-only --break-count 2").err, Catch::Contains("need --break"));
  CHECK_THAT(run(kLaunch, "--functional-only --break times:17 --break-warp 3").err,
             Catch::Contains("expected BLOCK,WARP"));
}

}  // namespace
}  // namespace warpsim
