// `warpsim run` with input that is truncated, corrupt, hostile or missing: exit code 2, one message
// with the place and what was expected, and no database that looks complete.

#include <catch2/catch.hpp>
#include <filesystem>

#include "stats/database.h"
#include "support/program.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;
using test::ProgramOutcome;
using test::run_program;

const std::string kTinyGpuText = TemporaryFolder::read(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml");
const std::string kTrace = test::tiny_trace();

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

// Absent, or of runs that are all incomplete.
bool looks_whole(const std::string& database) {
  if (!fs::exists(database)) {
    return false;
  }
  const Database file(database, Database::Mode::kReadOnly);
  Statement runs(file, "SELECT count(*) FROM run WHERE status IS NOT 'incomplete'");
  return runs.step() && runs.integer(0) > 0;
}

// One message with `place` (after the folder's name) and `expectation`.
void check_message(const ProgramOutcome& outcome, const std::string& place, const std::string& expectation) {
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  const std::vector<std::string> lines = outcome.err_lines();
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Catch::StartsWith("warpsim: error: "));
  CHECK_THAT(lines[0], Catch::Contains(place));
  CHECK_THAT(lines[0], Catch::Contains(expectation));
}

// Runs one trace file with this content.
void check_trace(const std::string& file, const std::string& content, const std::string& place,
                 const std::string& expectation) {
  const TemporaryFolder folder;
  INFO(file << ": " << place);
  const std::string trace = folder.write(file, content);
  const std::string out = folder.at("r.db");
  check_message(run_program("run " + trace + " --gpu test_tiny --out " + out), folder.at(place), expectation);
  CHECK_FALSE(looks_whole(out));
}

// The tiny trace in the native format.
std::string native_trace() {
  const TemporaryFolder folder;
  folder.write("w/kernelslist.g", "kernel-1.traceg\n");
  folder.write("w/kernel-1.traceg", kTrace);
  REQUIRE(run_program("convert " + folder.at("w") + " " + folder.at("w.wtrace")).code == 0);
  return TemporaryFolder::read(folder.at("w.wtrace"));
}

}  // namespace

TEST_CASE("run errors: the trace and the description that the cases modify are valid") {
  const TemporaryFolder folder;
  for (const std::string& trace : {folder.write("a.traceg", kTrace), folder.write("b.wtrace", native_trace())}) {
    const std::string out = trace + ".db";
    CHECK(run_program("run " + trace + " --gpu " + folder.write("g.yaml", kTinyGpuText) + " --out " + out).code == 0);
    CHECK(looks_whole(out));
  }
}

TEST_CASE("run errors: truncated, corrupt and hostile text traces") {
  const auto cut = [](const std::string& at) { return kTrace.substr(0, kTrace.find(at)); };
  struct Case {
    std::string content;
    std::string place;
    std::string expectation;
  };
  const Case cases[] = {
      {"", "k.traceg", "expected"},
      {"\x7f"
       "ELF\x02\x01 not a trace",
       "k.traceg:1: ", "expected '-key = value'"},
      {replaced(kTrace, "-nregs = 8\n", ""), "k.traceg:14: ", "expected a line '-nregs = ...'"},
      {replaced(kTrace, "(1,1,1)", "(18446744073709551616,1,1)"), "k.traceg:3: ", "expected (x,y,z) with x from 1"},
      {replaced(kTrace, "-shmem = 0", "-shmem = 18446744073709551615"), "k.traceg:5: ", "expected an integer from 0"},
      {replaced(kTrace, "(32,1,1)", "(512,1,1)"), "k.traceg: kernel ", "a block of 512 threads exceeds the 256"},
      {cut("0020 "), "k.traceg:", "expected #END_TB"},
      {cut("#END_TB"), "k.traceg:", "expected #END_TB"},
      {replaced(kTrace, "(1,1,1)", "(3,1,1)"), "k.traceg:", "the file ends after 1 of 3 thread blocks; expected every"},
      {replaced(kTrace, "insts = 5", "insts = 4000000000"), "k.traceg:", "expected 4000000000 as its 'insts' line"},
      {replaced(kTrace, "insts = 5", "insts = 18446744073709551616"), "k.traceg:", "expected an integer from 0 to"},
      {replaced(kTrace, "00000105 1 R5 LDG.E 1 R2 4 2 0x7f2000001000 64 -32",
                "00000105 1 R5 LDG.E 1 R2 4 0 0x10 0x20 0x30 0x40"),
       "k.traceg:", "expected"},
      {replaced(kTrace, "0030 ffffffff 1 R4 FADD", "zz30 ffffffff 1 R4 FADD"), "k.traceg:", "expected"},
  };
  for (const Case& c : cases) {
    check_trace("k.traceg", c.content, c.place, c.expectation);
  }
}

TEST_CASE("run errors: native traces truncated anywhere, or with a flipped bit") {
  const std::string good = native_trace();
  for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 12) {
    check_trace("k.wtrace", good.substr(0, size), "k.wtrace", "expected");
  }
  check_trace("k.wtrace", good.substr(0, good.size() - 1), "k.wtrace", "expected");
  for (std::size_t at = 1; at < good.size(); at += 1 + good.size() / 12) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    INFO("byte " << at);
    check_trace("k.wtrace", bad, "k.wtrace", "expected");
  }
}

TEST_CASE("run errors: compressed traces whose archive is damaged") {
  const std::string xz = TemporaryFolder::read(WARPSIM_SOURCE_DIR "/tests/data/two_kernels/kernel-2.traceg.xz");
  REQUIRE(xz.size() > 1000);
  check_trace("k.traceg.xz", xz.substr(0, xz.size() / 2), "k.traceg.xz", "expected");
  check_trace("k.traceg.xz", xz.substr(0, xz.size() - 8), "k.traceg.xz", "expected");
  std::string bad = xz;
  bad[xz.size() / 2] = static_cast<char>(bad[xz.size() / 2] ^ 1);
  check_trace("k.traceg.xz", bad, "k.traceg.xz", "expected");
}

TEST_CASE("run errors: lists of kernels with missing files") {
  check_trace("kernelslist.g", "MemcpyHtoD,0x10,20\n", "kernelslist.g", "expected a line 'kernel-1.traceg'");
  check_trace("kernelslist.g", "kernel-7.traceg\n", "kernelslist.g:1: ", "expected it next to the list");
  check_trace("kernelslist.g", "MemcpyHtoD,0x10\nkernel-1.traceg\n", "kernelslist.g:1: ", "expected 'MemcpyHtoD,0x");
}

TEST_CASE("run errors: a later broken launch leaves an incomplete run") {
  const TemporaryFolder folder;
  folder.write("w/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  folder.write("w/kernel-1.traceg", kTrace);
  folder.write("w/kernel-2.traceg", kTrace.substr(0, kTrace.find("0020 ")));
  const std::string out = folder.at("r.db");
  check_message(run_program("run " + folder.at("w") + " --gpu test_tiny --out " + out), folder.at("w/kernel-2.traceg:"),
                "expected #END_TB");
  CHECK(fs::exists(out));
  CHECK_FALSE(looks_whole(out));
}

TEST_CASE("run errors: descriptions of GPUs that are wrong") {
  struct Case {
    std::string yaml;
    std::string place;  // after the folder
    std::string expectation;
  };
  const Case cases[] = {
      {"", "g.yaml", "expected"},
      {replaced(kTinyGpuText, "core_mhz: 1000", "core_mhz: [1000"), "g.yaml:", ""},
      {replaced(kTinyGpuText, "core_mhz: 1000", "core_mhz: fast"), "g.yaml:", "must be a number from"},
      {replaced(kTinyGpuText, "warps_per_sm: 8", "warps_per_sm: -8"), "g.yaml:", "must be a decimal integer from"},
      {replaced(kTinyGpuText, "core_mhz:", "core_mzh:"), "g.yaml:", "did you mean 'core_mhz'?"},
      {replaced(kTinyGpuText, "core_mhz: 1000", "core_mhz: 1000\n  core_mhz: 1001"), "g.yaml:", ""},
  };
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    const std::string gpu = folder.write("g.yaml", c.yaml);
    const std::string out = folder.at("r.db");
    const ProgramOutcome outcome =
        run_program("run " + folder.write("k.traceg", kTrace) + " --gpu " + gpu + " --out " + out);
    INFO(outcome.err);
    CHECK(outcome.code == 2);
    // A description may have several errors: one line for each.
    REQUIRE(!outcome.err_lines().empty());
    for (const std::string& line : outcome.err_lines()) {
      CHECK_THAT(line, Catch::StartsWith("warpsim: error: "));
    }
    CHECK_THAT(outcome.err, Catch::Contains(folder.at(c.place)));
    CHECK_THAT(outcome.err, Catch::Contains(c.expectation));
    CHECK_FALSE(fs::exists(out));
  }
}

TEST_CASE("run errors: unknown words of the command line") {
  const TemporaryFolder folder;
  const std::string trace = folder.write("k.traceg", kTrace);
  const std::string out = folder.at("r.db");
  const std::string to = " --out " + out;
  check_message(run_program("run " + trace + " --gpu " + folder.at("no.yaml") + to), "--gpu '" + folder.at("no.yaml"),
                "neither a file nor the name of a shipped description");
  check_message(run_program("run " + trace + " --gpu test_tiny --set l2.num_wyas=24" + to),
                "--set l2.num_wyas=24: ", "unknown key");
  check_message(run_program("run " + trace + " --gpu test_tiny --set clocks.core_mhz=x" + to),
                "--set clocks.core_mhz=x: ", "must be a number from");
  check_message(run_program("run " + folder.at("no") + " --gpu test_tiny" + to), folder.at("no"), "expected a trace");
  CHECK_FALSE(fs::exists(out));
}

TEST_CASE("run errors: places where no database can be") {
  const TemporaryFolder folder;
  const std::string run = "run " + folder.write("k.traceg", kTrace) + " --gpu test_tiny --out ";
  const std::string nowhere = folder.at("no/such/r.db");
  check_message(run_program(run + nowhere), nowhere, "cannot be written: there is no folder");
  check_message(run_program(run + folder.at(".")), folder.at("."), "it is a folder");
  check_message(run_program(run + "/dev/full"), "/dev/full: ", "");
  const std::string text = folder.write("text.db", "This is a text of mine, not a database; leave it as it is.\n");
  check_message(run_program(run + text), text, "not a warpsim results database");
  CHECK(TemporaryFolder::read(text) == "This is a text of mine, not a database; leave it as it is.\n");
}

TEST_CASE("run errors: a summary that cannot be written is also an error") {
  const TemporaryFolder folder;
  const ProgramOutcome outcome = run_program("run " + folder.write("k.traceg", kTrace) + " --gpu test_tiny --out " +
                                             folder.at("r.db") + " >/dev/full");
  CHECK(outcome.code == 2);
  CHECK(outcome.err == "warpsim: error: standard output cannot be written\n");
}

}  // namespace warpsim
