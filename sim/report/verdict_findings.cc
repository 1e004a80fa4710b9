#include "report/verdict_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace warpsim {

namespace {

// All in per cent unless they say otherwise.
constexpr double kOverhead = 20;
constexpr double kTail = 20;          // of the last wave's block slots, weighted by its share of the launch
constexpr double kUneven = 80;        // mean activity of SMs over the maximum
constexpr double kLowOccupancy = 50;  // of the warps that fit
constexpr double kUsedBytes = 60;     // of the bytes that transactions move
constexpr double kConflicts = 15;     // of the passes through shared memory
constexpr double kThreads = 24;       // active lanes per instruction
constexpr double kFewMoved = 5;       // a resource used less than this is not mentioned
constexpr double kWaves = 1;
constexpr double kManyWaves = 20;

struct Graded {
  double weight = 0;  // approximate possible gain in per cent
  Finding finding;
};

std::string percent_text(double value) {
  return fmt::format("{:.0f} %", value);
}

Evidence evidence_of(const LaunchFacts& facts, const char* column, std::string text) {
  return {column, facts.value_or_zero(column), std::move(text)};
}

std::optional<Graded> launch_overhead(const LaunchFacts& facts) {
  const double share = facts.value_or_zero("overhead_pct");
  if (share < kOverhead) {
    return std::nullopt;
  }
  return Graded{share,
                {"launch_overhead",
                 percent_text(share) + " of the launch pass before its first and after its last block.",
                 "Fuse short kernels, or give each launch more work.",
                 {evidence_of(facts, "overhead_pct", "launch overhead: " + percent_text(share))}}};
}

// The last wave fills only a part of the GPU for the time of a full wave.
std::optional<Graded> tail(const LaunchFacts& facts) {
  const double waves = facts.value_or_zero("waves");
  if (waves <= kWaves || waves > kManyWaves) {
    return std::nullopt;
  }
  const double lost = 100 * (std::ceil(waves) - waves) / std::ceil(waves);
  if (lost < kTail) {
    return std::nullopt;
  }
  return Graded{
      lost,
      {"tail",
       fmt::format(
           "Tail effect: {:.2f} waves of blocks take the time of {:.0f}; {} of the GPU's block slots stay empty.",
           waves, std::ceil(waves), percent_text(lost)),
       "Choose a grid that fills whole waves, or persistent blocks that fetch their work.",
       {evidence_of(facts, "waves", fmt::format("waves: {:.2f}", waves))}}};
}

std::optional<Graded> uneven(const LaunchFacts& facts) {
  const auto balance = facts.value("sm_balance_pct");
  if (!balance || *balance >= kUneven) {
    return std::nullopt;
  }
  return Graded{
      100 - *balance,
      {"imbalance",
       fmt::format("Work is uneven: the average SM is active {} as long as the busiest.", percent_text(*balance)),
       "Give blocks equal work, or use more and smaller ones.",
       {evidence_of(facts, "sm_balance_pct", "mean over longest activity of SMs: " + percent_text(*balance))}}};
}

std::string limiter_text(const std::string& limiter) {
  if (limiter == "registers") {
    return "registers";
  }
  if (limiter == "shared_mem" || limiter == "shared memory") {
    return "shared memory";
  }
  return limiter.empty() ? "an unknown limit" : limiter;
}

std::optional<Graded> occupancy(const LaunchFacts& facts, const std::string& main) {
  const auto achieved = facts.value("occupancy_pct");
  // If resources are busy, more warps would only wait longer.
  if (!achieved || *achieved >= kLowOccupancy || main != "latency") {
    return std::nullopt;
  }
  const Evidence evidence = evidence_of(facts, "occupancy_pct", "achieved occupancy: " + percent_text(*achieved));
  if (facts.occupancy_possible_pct < kLowOccupancy) {
    return Graded{kLowOccupancy - facts.occupancy_possible_pct + 10,
                  {"occupancy",
                   fmt::format("Few warps: {} limit occupancy to {}.", limiter_text(facts.occupancy_limiter),
                               percent_text(facts.occupancy_possible_pct)),
                   "Fewer registers or less shared memory per block would let more warps hide latency.",
                   {evidence}}};
  }
  return Graded{kLowOccupancy - *achieved,
                {"occupancy",
                 fmt::format("Few warps: {} of an SM's warp slots are occupied on average, {} are possible.",
                             percent_text(*achieved), percent_text(facts.occupancy_possible_pct)),
                 "More blocks, or work spread more evenly over them, would fill the SMs.",
                 {evidence}}};
}

std::optional<Graded> coalescing(const LaunchFacts& facts) {
  const auto used = facts.value("bytes_used_pct");
  const double traffic =
      std::max({facts.value_or_zero("l1_pct"), facts.value_or_zero("l2_pct"), facts.value_or_zero("dram_pct")});
  if (!used || *used >= kUsedBytes || traffic < kFewMoved) {
    return std::nullopt;
  }
  Finding finding{
      "uncoalesced",
      fmt::format("Uncoalesced accesses: threads use {} of the bytes that transactions move.", percent_text(*used)),
      "Let neighbouring threads access neighbouring addresses; transpose through shared memory.",
      {evidence_of(facts, "bytes_used_pct", "bytes used: " + percent_text(*used))}};
  for (const auto& [column, what] : {std::pair("sectors_per_load", "load"), std::pair("sectors_per_store", "store")}) {
    if (const auto sectors = facts.value(column)) {
      finding.evidence.push_back(
          evidence_of(facts, column, fmt::format("sectors per {} request: {:.1f}", what, *sectors)));
    }
  }
  return Graded{(100 - *used) * traffic / 100, std::move(finding)};
}

std::optional<Graded> conflicts(const LaunchFacts& facts) {
  const double share = facts.value_or_zero("conflict_pct");
  if (share < kConflicts || facts.value_or_zero("shared_pct") < kFewMoved) {
    return std::nullopt;
  }
  return Graded{
      share * facts.value_or_zero("shared_pct") / 100,
      {"bank_conflicts",
       fmt::format("Bank conflicts: {} of the passes through shared memory are repeats.", percent_text(share)),
       "Pad rows by one word, or permute addresses so that a warp's lanes access different banks.",
       {evidence_of(facts, "conflict_pct", "passes because of conflicts: " + percent_text(share)),
        evidence_of(facts, "shared_pct", "shared memory busy: " + percent_text(facts.value_or_zero("shared_pct")))}}};
}

std::optional<Graded> divergence(const LaunchFacts& facts) {
  const auto threads = facts.value("threads_per_instruction");
  if (!threads || *threads >= kThreads) {
    return std::nullopt;
  }
  return Graded{
      (kThreads - *threads) / 2,
      {"divergence",
       fmt::format("Divergence: {:.1f} of 32 lanes are active per instruction on average.", *threads),
       "Let the threads of a warp take the same branch, or give them neighbouring work.",
       {evidence_of(facts, "threads_per_instruction", fmt::format("lanes per instruction: {:.1f}", *threads))}}};
}

std::optional<Graded> spills(const LaunchFacts& facts) {
  const double loads = facts.value_or_zero("local_loads");
  if (loads == 0) {
    return std::nullopt;
  }
  return Graded{1,
                {"local_memory",
                 fmt::format("{:.0f} warp instructions read local memory: arrays with computed indices, or spilled "
                             "registers.",
                             loads),
                 "Allow more registers per thread, or make indices constant.",
                 {evidence_of(facts, "local_loads", fmt::format("local loads: {:.0f}", loads))}}};
}

std::optional<Graded> cut_off(const LaunchFacts& facts) {
  if (!facts.limited) {
    return std::nullopt;
  }
  return Graded{1000,
                {"limited", "The launch was stopped at --max-cycles: all numbers describe its beginning.", "", {}}};
}

}  // namespace

std::vector<Finding> further_findings(const LaunchFacts& facts, const std::string& limiter) {
  std::vector<Graded> graded;
  for (std::optional<Graded> found :
       {cut_off(facts), launch_overhead(facts), tail(facts), uneven(facts), occupancy(facts, limiter),
        coalescing(facts), conflicts(facts), divergence(facts), spills(facts)}) {
    if (found && found->finding.kind != limiter) {
      graded.push_back(std::move(*found));
    }
  }
  std::stable_sort(graded.begin(), graded.end(), [](const Graded& a, const Graded& b) { return a.weight > b.weight; });
  std::vector<Finding> findings;
  findings.reserve(graded.size());
  for (Graded& entry : graded) {
    findings.push_back(std::move(entry.finding));
  }
  return findings;
}

}  // namespace warpsim
