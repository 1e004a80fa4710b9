// `warpsim occupancy` from the view of a user or script.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/warpsim_process.h"

namespace warpsim {
namespace {

using Json = nlohmann::json;

Json json_of(const std::string& arguments) {
  const Outcome outcome = warpsim("occupancy --json " + arguments);
  REQUIRE(outcome.code == 0);
  return Json::parse(outcome.output);
}

TEST_CASE("occupancy command: JSON names blocks, warps, share and every limiter") {
  const Json fermi = json_of("--gpu gtx480 --threads 256 --registers 20 --shared 2048");
  CHECK(fermi["blocks_per_sm"] == 6);
  CHECK(fermi["warps_per_sm"] == 48);
  CHECK(fermi["occupancy"] == 1.0);
  CHECK(fermi["limiters"] == Json({"warps", "registers"}));
  const Json hopper = json_of("--gpu h100 --threads 32 --registers 16 --shared 0");
  CHECK(hopper["blocks_per_sm"] == 32);
  CHECK(hopper["occupancy"] == 0.5);
  CHECK(hopper["limiters"] == Json({"blocks"}));
}

TEST_CASE("occupancy command: shared memory is that of the kernel, the driver's reserve is added") {
  // 164 KiB hold four blocks of 40 KiB + 1 KiB, but not with one more byte.
  CHECK(json_of("--gpu a100 --threads 32 --registers 16 --shared 40960")["blocks_per_sm"] == 4);
  CHECK(json_of("--gpu a100 --threads 32 --registers 16 --shared 40961")["blocks_per_sm"] == 3);
  CHECK(json_of("--gpu v100 --threads 32 --registers 16 --shared 49152")["blocks_per_sm"] == 2);
}

TEST_CASE("occupancy command: a carve-out is rounded up to a size that exists") {
  const std::string launch = "--gpu v100 --threads 64 --registers 16 --shared 8192 --carveout ";
  CHECK(json_of(launch + "16")["blocks_per_sm"] == 2);
  CHECK(json_of(launch + "17")["blocks_per_sm"] == 4);
  CHECK(json_of(launch + "0")["blocks_per_sm"] == 1);
  const Outcome wrong = warpsim("occupancy " + launch + "97");
  CHECK(wrong.code == 2);
  CHECK(wrong.output ==
        "warpsim: error: --carveout '97': NVIDIA Tesla V100 SXM2 has at most 96 KiB of shared memory per SM\n");
}

TEST_CASE("occupancy command: a launch that cannot run has 0 blocks, a reason and exit code 0") {
  const Json json = json_of("--gpu geforce8800gtx --threads 600 --registers 10 --shared 0");
  CHECK(json["blocks_per_sm"] == 0);
  CHECK(json["occupancy"] == 0.0);
  CHECK(json["limiters"] == Json({"warps"}));
  CHECK(json["reason"] == "a block of 600 threads exceeds the 512 that the GPU allows");
  const Outcome text = warpsim("occupancy --gpu geforce8800gtx --threads 600 --registers 10");
  CHECK(text.code == 0);
  CHECK(text.output.find("cannot run: a block of 600 threads") != std::string::npos);
}

TEST_CASE("occupancy command: arguments use shared memory only on 1.x") {
  // 4096 bytes, four blocks; 16 of arguments and 16 of configuration make it 4608, three blocks.
  const std::string launch = " --threads 64 --registers 8 --shared 4096 ";
  CHECK(json_of("--gpu gtx280" + launch)["limits"]["shared"] == 4);
  CHECK(json_of("--gpu gtx280 --arguments 16" + launch)["limits"]["shared"] == 3);
  CHECK(json_of("--gpu gtx480 --arguments 16" + launch)["limits"]["shared"] == 12);
}

TEST_CASE("occupancy command: the suggested block is the largest with the highest occupancy") {
  // 8192 registers, 20 per thread: 384 threads take 7680; 416 need more than the SM has.
  const Json json = json_of("--gpu geforce8800gtx --threads 256 --registers 20 --shared 0");
  CHECK(json["suggested_threads"] == 384);
  CHECK(json["suggested_occupancy"] == 0.5);
  const Outcome text = warpsim("occupancy --gpu geforce8800gtx --threads 256 --registers 20");
  CHECK(text.output.find("highest occupancy: 50.00 % with blocks of 384 threads (1 per SM)") != std::string::npos);
}

TEST_CASE("occupancy command: a sweep is a list of results over all block sizes") {
  const Json threads = json_of("--gpu gtx480 --registers 20 --shared 0 --sweep threads");
  REQUIRE(threads.size() == 32);
  CHECK(threads[0]["threads"] == 32);
  CHECK(threads[0]["occupancy"] == Approx(8.0 / 48));
  CHECK(threads[7]["blocks_per_sm"] == 6);
  CHECK(threads[31]["threads"] == 1024);
  const Json registers = json_of("--gpu gtx680 --threads 512 --shared 0 --sweep registers");
  CHECK(registers.front()["registers"] == 8);
  CHECK(registers.back()["registers"] == 63);
  const Json shared = json_of("--gpu k80 --threads 32 --registers 16 --sweep shared");
  REQUIRE(shared.size() == 49);
  CHECK(shared[48]["shared"] == 49152);
  CHECK(shared[48]["blocks_per_sm"] == 2);
}

TEST_CASE("occupancy command: the curve as a table has a bar and the limits") {
  const Outcome outcome = warpsim("occupancy --gpu v100 --registers 40 --sweep threads");
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("64         40         0      24     48    75.00 %  ########################  registers") !=
        std::string::npos);
}

TEST_CASE("occupancy command: values of the description can be changed") {
  CHECK(json_of("--gpu v100 --threads 32 --registers 16 --set occupancy.blocks_per_sm=7")["blocks_per_sm"] == 7);
}

}  // namespace
}  // namespace warpsim
