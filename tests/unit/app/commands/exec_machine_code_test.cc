// `warpsim exec` with a program that loads PTX, machine code, or both (tests/cuda_programs/add_vectors.cc), from files
// that need no CUDA toolkit. The PTX subtracts where the machine code adds: the result shows what was executed.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "support/build_paths.h"
#include "support/program.h"

namespace warpsim {
namespace {

using Catch::Matchers::Contains;
using test::ProgramOutcome;
using test::run_program;

constexpr const char* kSums = "3 897\n";
constexpr const char* kDifferences = "-1 -299\n";

std::string cubin(const std::string& architecture) {
  return TemporaryFolder::read(WARPSIM_SOURCE_DIR "/tests/data/sass/examples/vector_add.sm_" + architecture + ".cubin");
}

std::string subtracting_ptx() {
  std::string text = TemporaryFolder::read(WARPSIM_SOURCE_DIR "/examples/vector_add/vector_add.ptx");
  const std::size_t place = text.find("add.f32");
  REQUIRE(place != std::string::npos);
  return text.replace(place, 3, "sub");
}

template <class T>
std::string as_bytes(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// An entry of a fat binary, not compressed. Kind 1 is PTX, 2 is machine code.
std::string entry(std::uint16_t kind, std::uint32_t target, std::string code) {
  code.resize((code.size() + 8) / 8 * 8);
  std::string header = as_bytes(kind) + as_bytes(std::uint16_t{0x101}) + as_bytes(std::uint32_t{64}) +
                       as_bytes(std::uint64_t{code.size()});
  header.resize(28);
  header += as_bytes(target);
  header.resize(64);
  return header + code;
}

std::string container(const std::string& entries) {
  return as_bytes(std::uint32_t{0xba55ed50}) + as_bytes(std::uint16_t{1}) + as_bytes(std::uint16_t{16}) +
         as_bytes(std::uint64_t{entries.size()}) + entries;
}

ProgramOutcome run_with(const std::string& code, const std::string& options) {
  const TemporaryFolder folder;
  const std::string file = folder.write("code.fatbin", code);
  return run_program("exec " + options + " -- " + test::cuda_programs() + "/add_vectors " + file);
}

TEST_CASE("exec: a program with machine code only is executed without timing", "[machine_code]") {
  const std::string code = container(entry(2, 75, cubin("75")) + entry(2, 80, cubin("80")) + entry(2, 90, cubin("90")));
  const auto* const gpu = GENERATE("t4", "a100", "rtx4090", "h200");
  CAPTURE(gpu);
  const ProgramOutcome outcome = run_with(code, "--functional-only --gpu " + std::string(gpu));
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.out == kSums);
}

TEST_CASE("exec: machine code is chosen before PTX unless PTX is asked for", "[machine_code]") {
  const std::string both = container(entry(1, 75, subtracting_ptx()) + entry(2, 90, cubin("90")));
  CHECK(run_with(both, "--functional-only --gpu h200").out == kSums);
  CHECK(run_with(both, "--functional-only --gpu h200 --code ptx").out == kDifferences);
  CHECK(run_with(both, "--functional-only --gpu h200 --code machine").out == kSums);
  // The machine code is not for this GPU.
  CHECK(run_with(both, "--functional-only --gpu a100").out == kDifferences);
  const ProgramOutcome asked = run_with(both, "--functional-only --gpu a100 --code machine");
  CHECK(asked.out == kSums);
  CHECK_THAT(asked.err,
             Contains("machine code for sm_90 is executed on compute capability 8.0, where a GPU refuses it"));
  // PTX is the first choice where messages speak of its lines.
  CHECK(run_with(both, "--functional-only --gpu h200 --check races").out == kDifferences);
  CHECK(run_with(both, "--functional-only --gpu h200 --check races --code machine").out == kSums);
}

TEST_CASE("exec: machine code is used where the PTX is for newer GPUs", "[machine_code]") {
  const std::string code = container(entry(1, 90, subtracting_ptx()) + entry(2, 80, cubin("80")));
  CHECK(run_with(code, "--functional-only --gpu a100").out == kSums);
  CHECK(run_with(code, "--functional-only --gpu h200").out == kDifferences);
}

TEST_CASE("exec: machine code is timed", "[machine_code]") {
  const ProgramOutcome outcome = run_with(container(entry(2, 90, cubin("90"))), "--gpu h200");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.out == kSums);
}

TEST_CASE("exec: machine code for another capability is executed if there is nothing else", "[machine_code]") {
  const std::string code = container(entry(2, 75, cubin("75")) + entry(2, 80, cubin("80")));
  const ProgramOutcome outcome = run_with(code, "--gpu h200");
  CHECK(outcome.code == 0);
  CHECK(outcome.out == kSums);
  CHECK_THAT(outcome.err, Contains("machine code for sm_80 is executed on compute capability 9.0"));
  CHECK(run_with(code, "--functional-only --gpu p100").out == kSums);
}

TEST_CASE("exec: machine code that nothing can execute is named", "[machine_code]") {
  const std::string code = container(entry(2, 100, "code") + entry(2, 61, "code"));
  for (const std::string options : {"", "--code machine ", "--code ptx "}) {
    const ProgramOutcome outcome = run_with(code, options + "--functional-only --gpu h200");
    INFO(outcome.out);
    CHECK(outcome.code != 0);
    CHECK_THAT(outcome.err, Contains("(it holds sm_100, sm_61)"));
  }
}

}  // namespace
}  // namespace warpsim
