// --threads by the real program: what is stored does not depend on it, and too many threads are reported.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "support/program.h"
#include "support/stored_runs.h"
#include "sweep/local_engine.h"

namespace warpsim {
namespace {

using Catch::Matchers::Contains;
using test::ProgramOutcome;
using test::run_program;
using test::stored_content;
using test::stored_rows;

const std::string kVecadd = WARPSIM_SOURCE_DIR "/traces/vecadd.wtrace";
const std::string kSoftmax = WARPSIM_SOURCE_DIR "/traces/softmax.wtrace";

std::string threads(std::uint32_t count) {
  return " --threads " + std::to_string(count);
}

// "note: 256 threads for 2 processors: ..."
std::string note(const std::string& what) {
  const std::uint32_t processors = usable_processors();
  return "warpsim: note: " + what + " for " + std::to_string(processors) +
         (processors == 1 ? " processor" : " processors") +
         ": results do not change, but the simulation may take longer";
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
  for (const char* shown : {"first", "all"}) {
    for (const std::string& trace : {kVecadd, kSoftmax}) {
      const std::string command =
          "run " + trace + " --gpu test_tiny --progress never --sample-interval 500 --hot-spots " +
          "--timeline-blocks all --timeline-channels 0,1 --timeline-window 0:6000 " + "--timeline-sms " + shown;
      std::string content;
      std::string timeline;
      for (const std::uint32_t count : {1U, 2U, 4U}) {
        INFO(trace << ", " << count << " threads");
        const std::string out = folder.at(std::to_string(count) + ".db");
        const std::string file = folder.at(std::to_string(count) + ".pftrace");
        const ProgramOutcome outcome =
            run_program(command + threads(count) + " --replace --out " + out + " --timeline " + file);
        INFO(outcome.err);
        REQUIRE(outcome.code == 0);
        if (count == 1) {
          content = stored_content(out);
          timeline = TemporaryFolder::read(file);
          CHECK(timeline.size() > 10000);
          CHECK(stored_rows(out, "SELECT count(*) > 0 FROM hot_spot WHERE executed > 0") == "1\n");
        } else {
          CHECK((stored_content(out) == content));
          CHECK((TemporaryFolder::read(file) == timeline));
        }
      }
    }
  }
}

TEST_CASE("exec: a program gives the same with any number of threads") {
  const TemporaryFolder folder;
  const std::string program = std::string(" -- ") + WARPSIM_CUDA_PROGRAMS + "/driver_calls store";
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
  const TemporaryFolder folder;
  const std::string out = " --progress never --out " + folder.at("r.db");
  const ProgramOutcome many = run_program("run " + kVecadd + " --gpu test_tiny --threads 256" + out);
  CHECK(many.code == 0);
  CHECK_THAT(many.err, Contains(note("256 threads") + "\n"));
  CHECK(count(many.err, "note: ") == 1);
  // One trace is one job.
  CHECK(run_program("run " + kVecadd + " --gpu test_tiny --replace --jobs 9" + out).err.empty());
  const ProgramOutcome jobs =
      run_program("run " + kVecadd + " " + kSoftmax + " --gpu test_tiny --replace --jobs 4 --threads 128" + out);
  CHECK_THAT(jobs.err, Contains(note("2 jobs with 128 threads each") + "\n"));
  const ProgramOutcome compared =
      run_program("compare " + kVecadd + " --gpu test_tiny --gpu v100 --progress never --threads 256");
  CHECK(compared.code == 0);
  CHECK(count(compared.err, note("256 threads") + "\n") == 1);
  CHECK(compared.out.find("note: 256") == std::string::npos);
}

TEST_CASE("exec: one note says that there are more threads than processors") {
  const std::string program = std::string(" -- ") + WARPSIM_CUDA_PROGRAMS + "/runtime_calls 0";
  CHECK(count(run_program("exec --gpu v100 --threads 256" + program).err, note("256 threads") + "\n") == 1);
  CHECK(run_program("exec --gpu v100 --threads 1" + program).err.find("note: ") == std::string::npos);
  const ProgramOutcome wrong = run_program("exec --gpu v100 --threads 257" + program);
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("--threads '257': expected a whole number from 1 to 256"));
}

TEST_CASE("sweep: finished points stay valid for another number of threads") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("s.yaml", "gpus: test_tiny\ntraces: " + kVecadd + "\ngrid: {l2.num_ways: [2, 4]}\n");
  const std::string sweep = "sweep " + file + " --progress never --out ";
  const std::string one = folder.at("one.db");
  const std::string two = folder.at("two.db");
  CHECK(run_program(sweep + one).code == 0);
  const ProgramOutcome again = run_program(sweep + one + " --threads 2");
  CHECK_THAT(again.out, Contains("(2 were finished before)"));
  CHECK(run_program(sweep + two + " --threads 2 --jobs 1").code == 0);
  CHECK((stored_content(one) == stored_content(two)));
  CHECK_THAT(stored_rows(two, "SELECT command FROM run_host WHERE run_id = 1"), Contains("--threads=2"));
  CHECK_THAT(stored_rows(one, "SELECT command FROM run_host WHERE run_id = 1"), !Contains("--threads"));
  const ProgramOutcome many = run_program(sweep + folder.at("three.db") + " --threads 128 --jobs 7");
  CHECK(many.code == 0);
  CHECK(count(many.err, note("2 jobs with 128 threads each") + "\n") == 1);
  // The default number of jobs leaves processors for the threads.
  const ProgramOutcome usual =
      run_program(sweep + folder.at("four.db") + threads(std::max(1U, usable_processors() / 2)));
  CHECK(usual.err.find("note: ") == std::string::npos);
}

}  // namespace
}  // namespace warpsim
