#include "report/verdict.h"

#include <catch2/catch.hpp>

#include "report/verdict_findings.h"

using namespace warpsim;

namespace {

// A launch that fills the GPU, without a busy resource or a finding.
LaunchFacts plain_launch() {
  LaunchFacts facts;
  facts.values = {{"time_us", 100},        {"sms", 100},
                  {"blocks", 4000},        {"waves", 20},
                  {"overhead_pct", 0},     {"sm_active_pct", 97},
                  {"sm_balance_pct", 99},  {"occupancy_pct", 90},
                  {"issue_pct", 20},       {"l1_pct", 15},
                  {"l2_pct", 12},          {"dram_pct", 10},
                  {"bytes_used_pct", 100}, {"threads_per_instruction", 32}};
  facts.stalls = {{"long_scoreboard", 70}, {"wait", 20}, {"barrier", 10}};
  return facts;
}

bool has(const Verdict& verdict, const std::string& kind) {
  for (const Finding& finding : verdict.further) {
    if (finding.kind == kind) {
      return true;
    }
  }
  return false;
}

TEST_CASE("a launch without a busy resource is bound by latency, with the largest stall reason") {
  const Verdict verdict = judge(plain_launch());
  CHECK(verdict.limiter.kind == "latency");
  CHECK(verdict.limiter.sentence ==
        "Bound by latency: no resource is busy for more than 20 % of the time in which blocks run; 70 % of the stall "
        "time of warps is for results of loads from L1, L2 or DRAM.");
  REQUIRE(verdict.limiter.evidence.size() == 4);
  CHECK(verdict.limiter.evidence[0].name == "stall:long_scoreboard");
  CHECK(verdict.limiter.evidence[0].value == 70);
  CHECK(verdict.limiter.evidence[3].name == "issue_pct");
  CHECK(verdict.further.empty());
}

TEST_CASE("the busiest resource limits a launch from 60 % on, and is at its limit from 80 % on") {
  for (const char* column : {"dram_pct", "l2_pct", "l1_pct", "fma_pct", "alu_pct", "fp64_pct", "xu_pct", "issue_pct"}) {
    LaunchFacts facts = plain_launch();
    facts.values[column] = 59.9;
    CHECK(judge(facts).limiter.kind == "latency");
    facts.values[column] = 60;
    const Verdict bound = judge(facts);
    CHECK(bound.limiter.kind + "_pct" == column);
    CHECK(bound.limiter.sentence.rfind("Bound by", 0) == 0);
    CHECK(bound.limiter.evidence.front().name == column);
    facts.values[column] = 80;
    CHECK(judge(facts).limiter.sentence.rfind("At the limit of", 0) == 0);
  }
}

TEST_CASE("the busier of two resources is reported first, the other one as evidence") {
  LaunchFacts facts = plain_launch();
  facts.values["l2_pct"] = 70;
  facts.values["dram_pct"] = 75;
  facts.values["dram_gb_per_s"] = 3687.6;
  facts.values["dram_peak_gb_per_s"] = 4916.8;
  const Verdict verdict = judge(facts);
  CHECK(verdict.limiter.sentence == "Bound by DRAM bandwidth: 75 % of its peak while blocks run.");
  REQUIRE(verdict.limiter.evidence.size() == 3);
  CHECK(verdict.limiter.evidence[0].text == "DRAM bandwidth: 75 % of peak over the launch (3688 of 4917 GB/s)");
  CHECK(verdict.limiter.evidence[1].name == "l2_pct");
}

TEST_CASE("a launch that is mostly overhead is too short") {
  LaunchFacts facts = plain_launch();
  facts.values["overhead_pct"] = 49;
  CHECK(judge(facts).limiter.kind == "latency");
  CHECK(has(judge(facts), "launch_overhead"));
  facts.values["overhead_pct"] = 50;
  const Verdict verdict = judge(facts);
  CHECK(verdict.limiter.kind == "launch_overhead");
  CHECK_FALSE(has(verdict, "launch_overhead"));
}

TEST_CASE("resources and SMs are evaluated for the time in which blocks run") {
  LaunchFacts facts = plain_launch();
  facts.values["overhead_pct"] = 40;
  facts.values["dram_pct"] = 35;
  CHECK(judge(facts).limiter.kind == "latency");
  facts.values["dram_pct"] = 36;
  CHECK(judge(facts).limiter.sentence == "Bound by DRAM bandwidth: 60 % of its peak while blocks run.");
  CHECK(judge(facts).limiter.evidence.front().value == 36);
  facts.values["dram_pct"] = 10;
  facts.values["waves"] = 0.5;
  facts.values["sm_active_pct"] = 36;
  CHECK(judge(facts).limiter.kind == "latency");
  facts.values["sm_active_pct"] = 35;
  CHECK(judge(facts).limiter.kind == "few_blocks");
}

TEST_CASE("fewer blocks than SMs limit a launch, and so do blocks that leave SMs idle") {
  LaunchFacts facts = plain_launch();
  facts.values["waves"] = 0.5;
  facts.values["blocks"] = 99;
  CHECK(judge(facts).limiter.sentence == "The grid is too small: 99 blocks for 100 SMs.");
  facts.values["blocks"] = 100;
  CHECK(judge(facts).limiter.kind == "latency");
  facts.values["sm_active_pct"] = 59;
  CHECK(judge(facts).limiter.kind == "few_blocks");
  // A full wave is enough, independent of the activity of the SMs.
  facts.values["waves"] = 1;
  CHECK(judge(facts).limiter.kind == "latency");
}

TEST_CASE("SMs that work while most are done indicate uneven work") {
  LaunchFacts facts = plain_launch();
  facts.values["sm_balance_pct"] = 59;
  facts.values["sm_active_pct"] = 40;
  facts.values["waves"] = 0.9;
  CHECK(judge(facts).limiter.kind == "imbalance");
  facts.values["sm_balance_pct"] = 79;
  facts.values["sm_active_pct"] = 70;
  CHECK(judge(facts).limiter.kind == "latency");
  CHECK(has(judge(facts), "imbalance"));
  facts.values["sm_balance_pct"] = 80;
  CHECK_FALSE(has(judge(facts), "imbalance"));
}

TEST_CASE("a last wave that leaves a fifth of the slots empty is a tail") {
  LaunchFacts facts = plain_launch();
  facts.values["waves"] = 2.39;
  REQUIRE(has(judge(facts), "tail"));
  CHECK(judge(facts).further.front().sentence ==
        "Tail effect: 2.39 waves of blocks take the time of 3; 20 % of the GPU's block slots stay empty.");
  facts.values["waves"] = 2.41;
  CHECK_FALSE(has(judge(facts), "tail"));
  facts.values["waves"] = 0.4;
  CHECK_FALSE(has(judge(facts), "tail"));
}

TEST_CASE("low occupancy is reported if latency limits, with the reason that limits warps") {
  LaunchFacts facts = plain_launch();
  facts.values["occupancy_pct"] = 24;
  facts.occupancy_possible_pct = 25;
  facts.occupancy_limiter = "registers";
  REQUIRE(has(judge(facts), "occupancy"));
  CHECK(judge(facts).further.front().sentence == "Few warps: registers limit occupancy to 25 %.");
  facts.occupancy_possible_pct = 100;
  CHECK(judge(facts).further.front().sentence ==
        "Few warps: 24 % of an SM's warp slots are occupied on average, 100 % are possible.");
  facts.values["dram_pct"] = 90;
  CHECK_FALSE(has(judge(facts), "occupancy"));
}

TEST_CASE("accesses that move much more than threads use are uncoalesced, if they move a relevant amount") {
  LaunchFacts facts = plain_launch();
  facts.values["bytes_used_pct"] = 59;
  facts.values["sectors_per_load"] = 32;
  REQUIRE(has(judge(facts), "uncoalesced"));
  CHECK(judge(facts).further.front().evidence.back().text == "sectors per load request: 32.0");
  facts.values["l1_pct"] = facts.values["l2_pct"] = facts.values["dram_pct"] = 4;
  CHECK_FALSE(has(judge(facts), "uncoalesced"));
  facts.values["l1_pct"] = 10;
  facts.values["bytes_used_pct"] = 60;
  CHECK_FALSE(has(judge(facts), "uncoalesced"));
}

TEST_CASE("bank conflicts, divergence, local memory and a cycle limit are reported") {
  LaunchFacts facts = plain_launch();
  facts.values["conflict_pct"] = 15;
  CHECK_FALSE(has(judge(facts), "bank_conflicts"));
  facts.values["shared_pct"] = 5;
  CHECK(has(judge(facts), "bank_conflicts"));
  facts.values["threads_per_instruction"] = 23.9;
  CHECK(has(judge(facts), "divergence"));
  facts.values["local_loads"] = 1;
  CHECK(has(judge(facts), "local_memory"));
  facts.limited = true;
  CHECK(judge(facts).further.front().kind == "limited");
}

TEST_CASE("a launch without data still has a verdict") {
  const Verdict verdict = judge(LaunchFacts());
  CHECK(verdict.limiter.kind == "latency");
  CHECK(verdict.limiter.sentence == "Bound by latency: no resource is busy.");
}

TEST_CASE("the verdict is not repeated among the findings") {
  LaunchFacts facts = plain_launch();
  facts.values["overhead_pct"] = 60;
  CHECK(further_findings(facts, "launch_overhead").empty());
  CHECK(further_findings(facts, "dram").front().kind == "launch_overhead");
}

}  // namespace
