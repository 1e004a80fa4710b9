// Cubins of the examples (tests/data/sass/examples), executed with the launch files of the examples, which state the
// expected results; and machine code that cannot be executed.
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "support/program.h"
#include "unit/sass/cubin_file.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::ProgramOutcome;
using test::run_program;

const std::string kExampleCubins = WARPSIM_SOURCE_DIR "/tests/data/sass/examples/";
const std::string kExampleFolder = WARPSIM_SOURCE_DIR "/examples/";

struct CompiledExample {
  std::string name;
  std::string architecture;  // "sm_75"
  std::string path;
};

std::vector<CompiledExample> compiled_examples() {
  std::vector<CompiledExample> examples;
  for (const fs::directory_entry& entry : fs::directory_iterator(kExampleCubins)) {
    if (entry.path().extension() == ".cubin") {
      const std::string stem = entry.path().stem().string();
      const std::size_t dot = stem.rfind('.');
      examples.push_back({stem.substr(0, dot), stem.substr(dot + 1), entry.path().string()});
    }
  }
  return examples;
}

std::string gpu_of(const std::string& architecture) {
  return architecture == "sm_75" ? "t4" : architecture == "sm_80" ? "a100" : "h200";
}

ProgramOutcome run_cubin(const std::string& path, const std::string& gpu, const std::string& launch,
                         const std::string& options = " --functional-only") {
  return run_program("run " + path + " --gpu " + gpu + " --launch " + launch + options);
}

ProgramOutcome run_vector_add(const std::string& path, const std::string& options = " --functional-only") {
  return run_cubin(path, "h200", kExampleFolder + "vector_add/launch.yaml", options);
}

void check_error(const ProgramOutcome& outcome, const std::string& message) {
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  REQUIRE(outcome.err_lines().size() == 1);
  CHECK_THAT(outcome.err, StartsWith("warpsim: error: "));
  CHECK_THAT(outcome.err, Contains(message));
}

// vector_add.sm_90.cubin with other words in place of the instruction at this address.
std::string changed_vector_add(const TemporaryFolder& folder, std::size_t address, std::uint64_t low,
                               std::uint64_t high) {
  std::string file = TemporaryFolder::read(kExampleCubins + "vector_add.sm_90.cubin");
  const std::size_t place = sass::test::content_of(file, ".text._Z10vector_addPKfS0_Pfi") + address;
  sass::test::put(file, place, low);
  sass::test::put(file, place + sizeof low, high);
  return folder.write("changed.cubin", file);
}

TEST_CASE("machine code of the examples has the results that their launch files state", "[machine_code][exhaustive]") {
  const std::vector<CompiledExample> examples = compiled_examples();
  REQUIRE(examples.size() == 51);
  for (const CompiledExample& example : examples) {
    std::size_t launches = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(kExampleFolder + example.name)) {
      if (entry.path().extension() != ".yaml") {
        continue;
      }
      INFO(example.path << " " << entry.path());
      const ProgramOutcome outcome = run_cubin(example.path, gpu_of(example.architecture), entry.path().string());
      INFO(outcome.err);
      CHECK(outcome.code == 0);
      // This one only states that the launch has no failure.
      const bool has_values = entry.path().filename() != "launch_holds.yaml";
      CHECK_THAT(outcome.out, EndsWith(has_values ? " as expected\n" : "block (64, 1, 1)\n"));
      ++launches;
    }
    CHECK(launches >= 1);
  }
}

TEST_CASE("machine code that computes something else fails the expectations of its launch file", "[machine_code]") {
  // FADD R9, R4, R3 becomes FADD R9, R4, -R3.
  const TemporaryFolder folder;
  const std::string path = changed_vector_add(folder, 0x110, 0x8000000304097221, 0x000fca0000000000);
  const ProgramOutcome outcome = run_vector_add(path);
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.err, Contains("'sum' differs in 999 of 1000 elements; the first is [1]: got 1, expected 3"));
}

TEST_CASE("machine code prints what its kernel prints", "[machine_code]") {
  const ProgramOutcome outcome =
      run_cubin(kExampleCubins + "printing.sm_80.cubin", "a100", kExampleFolder + "printing/launch.yaml");
  CHECK_THAT(outcome.out, StartsWith("thread 0 says 1.2345\nthread 1 says 1.2345\n"));
  CHECK_THAT(outcome.out, Contains("\n-7 7 ff w text  3.14|42    |000042|+42|1099511627776|1.500000e+03|%\n"));
  CHECK_THAT(outcome.out, Contains("\nreturned: 2 elements as expected\n"));
}

TEST_CASE("machine code runs on GPUs of other capabilities, with a note unless they run it too", "[machine_code]") {
  const std::string launch = kExampleFolder + "vector_add/launch.yaml";
  const ProgramOutcome own = run_cubin(kExampleCubins + "vector_add.sm_80.cubin", "rtx4090", launch);
  CHECK(own.code == 0);
  CHECK(own.err.empty());
  struct Other {
    const char* architecture;
    const char* gpu;
    const char* capability;
  };
  for (const Other other :
       {Other{"75", "h200", "9.0"}, {"90", "a100", "8.0"}, {"75", "v100", "7.0"}, {"90", "gtx480", "2.0"}}) {
    const std::string cubin = "vector_add.sm_" + std::string(other.architecture) + ".cubin";
    for (const std::string timing : {"", " --functional-only"}) {
      const ProgramOutcome outcome = run_cubin(kExampleCubins + cubin, other.gpu, launch, timing);
      INFO(cubin << " on " << other.gpu << timing);
      CHECK(outcome.code == 0);
      CHECK_THAT(outcome.out, Contains("sum: 1000 elements as expected\n"));
      CHECK_THAT(outcome.err,
                 Contains(cubin + ": machine code for sm_" + other.architecture +
                          " is executed on compute capability " + other.capability + ", where a GPU refuses it\n"));
    }
  }
}

TEST_CASE("machine code with timing has the same results", "[machine_code]") {
  const ProgramOutcome outcome = run_vector_add(kExampleCubins + "vector_add.sm_90.cubin", " --max-cycles 100000");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Contains("sum: 1000 elements as expected\n"));
}

TEST_CASE("a launch of a kernel with an instruction that is not supported names it and its address", "[machine_code]") {
  // FADD R9, R4, R3 becomes a sum of quads of a kind that no compiler writes.
  const TemporaryFolder folder;
  const std::string path = changed_vector_add(folder, 0x110, 0x0000000004097822, 0x000fca0000000003);
  const ProgramOutcome outcome = run_vector_add(path);
  check_error(outcome, "vector_add/launch.yaml:2:1: ");
  CHECK_THAT(outcome.err, Contains("kernel _Z10vector_addPKfS0_Pfi: machine instruction at 0x0110, FSWZADD R9, R4, R3, "
                                   "PPPPPPPP: sums that are 0 in quads with lanes elsewhere are not supported\n"));
}

TEST_CASE("a launch of a kernel with a word that is no instruction names its address", "[machine_code]") {
  const TemporaryFolder folder;
  const std::string path = changed_vector_add(folder, 0x60, 0x0000000000000fff, 0x000fe20000000000);
  const ProgramOutcome outcome = run_vector_add(path);
  check_error(outcome, "vector_add/launch.yaml:2:1: ");
  CHECK_THAT(outcome.err, Contains("kernel _Z10vector_addPKfS0_Pfi: ") && Contains("0x0060"));
}

TEST_CASE("a damaged cubin is one error with its name", "[machine_code]") {
  const TemporaryFolder folder;
  const std::string whole = TemporaryFolder::read(kExampleCubins + "vector_add.sm_90.cubin");
  const ProgramOutcome outcome = run_vector_add(folder.write("half.cubin", whole.substr(0, whole.size() / 2)));
  check_error(outcome, folder.at("half.cubin"));
}

}  // namespace
}  // namespace warpsim
