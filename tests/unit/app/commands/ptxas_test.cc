// `--ptxas`: PTX that NVIDIA's assembler compiles before it is executed. A script takes its place, except in the last
// test, which runs if there is a ptxas.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/program.h"

namespace warpsim {
namespace {

using Catch::Matchers::Contains;
using test::ProgramOutcome;
using test::run_program;

const std::string kExamples = std::string(WARPSIM_SOURCE_DIR) + "/examples/";
const std::string kCubins = std::string(WARPSIM_SOURCE_DIR) + "/tests/data/sass/examples/";

std::string run_example(const std::string& name) {
  return "run " + kExamples + name + "/" + name + ".ptx --launch " + kExamples + name + "/launch.yaml";
}

// A script that behaves like ptxas: writes a cubin to the file after -o.
std::string assembler(const TemporaryFolder& folder, const std::string& text) {
  const std::string path = folder.write("assembler", "#!/bin/sh\n" + text);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

}  // namespace

TEST_CASE("ptxas: the assembler gets the capability of the GPU, and its code is executed", "[machine_code]") {
  const TemporaryFolder folder;
  const std::string command =
      assembler(folder, "echo \"$@\" > " + folder.at("words") + "\ncp " + kCubins + "atomic_cas.sm_75.cubin \"$4\"\n");
  const ProgramOutcome outcome =
      run_program(run_example("atomic_cas") + " --gpu t4 --functional-only --ptxas '" + command + " -O3'");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(TemporaryFolder::read(folder.at("words")), Catch::StartsWith("-O3 -arch=sm_75 -o /"));
}

TEST_CASE("ptxas: what the assembler says is the error", "[machine_code]") {
  const TemporaryFolder folder;
  const std::string command = assembler(folder, "echo 'line 7: no such thing' >&2\nexit 1\n");
  const ProgramOutcome failed = run_program(run_example("atomic_cas") + " --ptxas " + command);
  CHECK(failed.code == 2);
  CHECK_THAT(failed.err, Contains("atomic_cas.ptx: " + command + " does not compile it: line 7: no such thing\n"));
  const ProgramOutcome missing = run_program(run_example("atomic_cas") + " --ptxas no_such_assembler");
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Contains("no_such_assembler: No such file or directory; --ptxas names the assembler"));
  const ProgramOutcome empty = run_program(run_example("atomic_cas") + " --ptxas ''");
  CHECK(empty.code == 2);
  CHECK_THAT(empty.err, Contains("--ptxas: expected the assembler of a CUDA toolkit"));
}

// The launch files state the results that PTX has.
TEST_CASE("ptxas: machine code of the examples has the results of their PTX", "[machine_code][slow]") {
  if (std::system("ptxas --version > /dev/null 2>&1") != 0) {
    WARN("there is no ptxas: not tested");
    return;
  }
  std::size_t executed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
    const std::string name = entry.path().filename().string();
    if (!std::filesystem::exists(entry.path() / (name + ".ptx"))) {
      continue;
    }
    for (const std::string gpu : {"t4", "a100", "rtx3070", "rtx4090", "h200"}) {
      const std::string options = " --functional-only --gpu " + gpu + " --ptxas 'ptxas -fmad=false'";
      const ProgramOutcome ptx = run_program(run_example(name) + " --functional-only --gpu " + gpu);
      const ProgramOutcome machine = run_program(run_example(name) + options);
      INFO(name << " on " << gpu << ": " << machine.err << ptx.err);
      CHECK((machine.code == ptx.code || ptx.code == 2));
      executed += machine.code == 0 ? 1 : 0;
    }
  }
  CHECK(executed > 60);
}

}  // namespace warpsim
