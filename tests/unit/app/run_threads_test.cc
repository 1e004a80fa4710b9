// --threads by the real program: what is stored does not depend on it, and too many threads are reported.
#include <sched.h>

#include <catch2/catch.hpp>
#include <string>

#include "support/build_paths.h"
#include "support/program.h"
#include "support/stored_runs.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

using Catch::Matchers::Contains;
using test::ProgramOutcome;
using test::run_program;
using test::stored_content;
using test::stored_rows;

// A trace of two launches with 24 blocks of two warps each: short, since threads are slow where they have to share
// processors.
std::string write_trace(const TemporaryFolder& folder, const std::string& name) {
  std::string trace = test::accelsim_header(5, "(24,1,1)", "(64,1,1)");
  trace.replace(trace.find("binary version = 80"), 19, "binary version = 90");
  for (int block = 0; block < 24; ++block) {
    std::string warps;
    for (int warp = 0; warp < 2; ++warp) {
      const std::string at = std::to_string(1000 + 2 * block + warp);  // 64 KiB apart
      warps += "warp = " + std::to_string(warp) +
               "\ninsts = 6\n"
               "0000 ffffffff 1 R2 S2R 0 0 0 \n"
               "0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f2" +
               at +
               "0000 4 0 \n"
               "0020 ffffffff 1 R5 LDG.E 1 R2 4 1 0x7f2" +
               at +
               "8000 128 0 \n"
               "0030 ffffffff 1 R4 FADD 2 R4 R5 0 0 \n"
               "0040 ffffffff 0 STG.E 2 R2 R4 4 1 0x7f3" +
               at +
               "0000 4 0 \n"
               "0050 ffffffff 0 EXIT 0 0 0 \n";
    }
    trace += test::thread_block(std::to_string(block) + ",0,0", warps);
  }
  folder.write(name + "/kernel-0.traceg", trace);
  folder.write(name + "/kernelslist.g", "kernel-0.traceg\nkernel-0.traceg\n");
  return folder.at(name);
}

std::string threads(std::uint32_t count) {
  return " --threads " + std::to_string(count);
}

// This process and those that it starts may use one processor only.
class OneProcessor {
 public:
  OneProcessor() {
    REQUIRE(::sched_getaffinity(0, sizeof before_, &before_) == 0);
    int processor = 0;
    while (CPU_ISSET(processor, &before_) == 0) {
      ++processor;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  }
  ~OneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_{};
};

std::string note(const std::string& what) {
  return "warpsim: note: " + what + " for 1 processor: results do not change, but the simulation may take longer\n";
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST_CASE("run: with one, two and four threads the database and the timeline are equal") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "w");
  for (const char* shown : {"first", "all"}) {
    const std::string command =
        "run " + trace + " --gpu test_tiny --progress never --sample-interval 100 --hot-spots --timeline-blocks all " +
        "--timeline-channels 0,1 --timeline-window 200:6000 --timeline-sms " + shown;
    std::string content;
    std::string timeline;
    for (const std::uint32_t count : {1U, 2U, 4U}) {
      INFO(shown << ", " << count << " threads");
      const std::string out = folder.at(std::to_string(count) + ".db");
      const std::string file = folder.at(std::to_string(count) + ".pftrace");
      const ProgramOutcome outcome =
          run_program(command + threads(count) + " --replace --out " + out + " --timeline " + file);
      INFO(outcome.err);
      REQUIRE(outcome.code == 0);
      if (count == 1) {
        content = stored_content(out);
        timeline = TemporaryFolder::read(file);
        CHECK(timeline.size() > 5000);
        CHECK(stored_rows(out, "SELECT sum(executed) FROM hot_spot") == std::to_string(2 * 24 * 2 * 6) + "\n");
      } else {
        CHECK((stored_content(out) == content));
        CHECK((TemporaryFolder::read(file) == timeline));
      }
    }
  }
}

TEST_CASE("exec: a program gives the same with any number of threads") {
  const TemporaryFolder folder;
  const std::string program = std::string(" -- ") + test::cuda_programs() + "/driver_calls store";
  const auto stored = [&](std::uint32_t count) {
    const std::string out = folder.at(std::to_string(count) + ".db");
    const ProgramOutcome outcome =
        run_program("exec --gpu test_tiny --hot-spots --out " + out + threads(count) + program);
    INFO(outcome.err);
    CHECK(outcome.code == 0);
    return stored_content(out);
  };
  const std::string content = stored(1);
  CHECK((stored(2) == content));
  CHECK((stored(4) == content));
}

TEST_CASE("run and compare: one note says that there are more threads than processors") {
  const OneProcessor restriction;
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "w");
  const std::string run = "run --gpu test_tiny --progress never --replace --out " + folder.at("r.db") + " " + trace;
  const ProgramOutcome many = run_program(run + " --threads 3");
  CHECK(many.code == 0);
  CHECK(many.err == note("3 threads"));
  // One trace is one job.
  CHECK(run_program(run + " --jobs 9").err.empty());
  const std::string other = write_trace(folder, "v");
  CHECK(run_program(run + " " + other + " --jobs 4 --threads 2").err == note("2 jobs with 2 threads each"));
  const ProgramOutcome compared =
      run_program("compare " + trace + " --gpu test_tiny --gpu h200 --progress never --threads 2 --json");
  CHECK(compared.code == 0);
  CHECK(compared.err == note("2 threads"));
}

TEST_CASE("run with PTX: one note says that there are more threads than processors") {
  const OneProcessor restriction;
  const std::string example = WARPSIM_SOURCE_DIR "/examples/vector_add/";
  const std::string run = "run " + example + "vector_add.ptx --launch " + example + "launch.yaml --gpu h200";
  CHECK(run_program(run + " --threads 2").err == note("2 threads"));
  CHECK(run_program(run).err.empty());
}

TEST_CASE("exec: one note says that there are more threads than processors") {
  const OneProcessor restriction;
  const std::string program = std::string(" -- ") + test::cuda_programs() + "/runtime_calls 0";
  CHECK(count(run_program("exec --gpu v100 --threads 2" + program).err, note("2 threads")) == 1);
  CHECK(count(run_program("exec --gpu v100 --threads 1" + program).err, "note: ") == 0);
  const ProgramOutcome wrong = run_program("exec --gpu v100 --threads 257" + program);
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("--threads '257': expected a whole number from 1 to 256"));
}

TEST_CASE("sweep: finished points stay valid for another number of threads") {
  const OneProcessor restriction;
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "s.yaml", "gpus: test_tiny\ntraces: " + write_trace(folder, "w") + "\ngrid: {l2.num_ways: [2, 4]}\n");
  const std::string sweep = "sweep " + file + " --progress never --out ";
  const std::string one = folder.at("one.db");
  const std::string two = folder.at("two.db");
  const ProgramOutcome usual = run_program(sweep + one);
  CHECK(usual.code == 0);
  CHECK(usual.err.empty());
  CHECK_THAT(run_program(sweep + one + " --threads 2").out, Contains("(2 were finished before)"));
  // By default there are not more jobs than processors for their threads.
  const ProgramOutcome threaded = run_program(sweep + two + " --threads 2");
  CHECK(threaded.code == 0);
  CHECK(threaded.err == note("2 threads"));
  CHECK((stored_content(one) == stored_content(two)));
  CHECK_THAT(stored_rows(two, "SELECT command FROM run_host WHERE run_id = 1"), Contains("--threads=2"));
  CHECK_THAT(stored_rows(one, "SELECT command FROM run_host WHERE run_id = 1"), !Contains("--threads"));
  const ProgramOutcome many = run_program(sweep + folder.at("three.db") + " --threads 2 --jobs 7");
  CHECK(many.code == 0);
  CHECK(many.err == note("2 jobs with 2 threads each"));
}

}  // namespace
}  // namespace warpsim
