#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "report/verdict_findings.h"

namespace warpsim {

namespace {

// All in per cent. A resource that is busy for at least this share of the time in which blocks run limits the launch.
constexpr double kBusy = 60;
constexpr double kNearPeak = 80;
// A launch with a larger share of time before and after its blocks is too short.
constexpr double kMostlyOverhead = 50;
// SMs with a smaller share of active time while blocks run count as idle.
constexpr double kIdleSms = 60;
// Mean over maximum activity of SMs. Below it, some SMs still work when most have finished.
constexpr double kUnevenSms = 60;

struct Resource {
  const char* column;
  const char* name;
  const char* advice;
};

constexpr auto kResources = std::to_array<Resource>({
    {"dram_pct", "DRAM bandwidth",
     "Move fewer bytes: reuse data in registers, shared memory or L2, or use smaller types."},
    {"l2_pct", "L2 bandwidth", "Request less from L2: use L1 and shared memory for data that blocks reuse."},
    {"l1_pct", "the load/store unit of the SMs (L1 and shared memory)",
     "Access less often: wider loads, fewer bank conflicts, better coalescing, values kept in registers."},
    {"fma_pct", "the FMA pipes", "Arithmetic dominates; tensor cores or fewer operations would help."},
    {"alu_pct", "the ALU pipe",
     "Integer and logic operations fill their pipe: simplify addresses, indices and comparisons."},
    {"fp64_pct", "the FP64 pipe", "Use single precision where accuracy allows."},
    {"xu_pct", "the XU pipe (special functions, conversions)", "Use fewer special functions and conversions."},
    {"issue_pct", "the issue slots of the schedulers",
     "Execute fewer instructions: wider loads, unrolling, fewer indices."},
});

struct StallText {
  const char* reason;
  const char* sentence;
  const char* advice;
};

constexpr auto kStallTexts = std::to_array<StallText>({
    {"long_scoreboard", "results of loads from L1, L2 or DRAM",
     "More loads in flight would hide their latency: more warps, more independent loads per thread, or prefetching."},
    {"short_scoreboard", "results of shared memory, special functions or shuffles",
     "Give each thread independent work between such an instruction and the use of its result."},
    {"barrier", "other warps of the block at a barrier",
     "Smaller blocks, fewer barriers or more even work would help."},
    {"wait", "the fixed latency of the previous instruction",
     "More warps or more independent instructions would fill it."},
    {"math_pipe_throttle", "a busy execution pipe", "One pipe executes most of the work; mix kinds of instructions."},
    {"gmma", "warpgroup matrix operations", "Keep more of them in flight, or overlap them with other work."},
    {"lg_throttle", "room in the queue of local and global accesses", "Use fewer and wider accesses."},
    {"mio_throttle", "room in the queue of shared memory and special functions", "Use fewer and wider accesses."},
    {"tex_throttle", "room in the texture queue", "Fetch less often, or spread fetches over the kernel."},
    {"no_instruction", "instructions that were not fetched yet",
     "The code is long, jumps far or runs only once: shorter code or more work per launch would help."},
    {"branch_resolving", "the target of a branch", "Use fewer branches."},
    {"imc_miss", "constants that missed in their cache", "Short launches do not warm the cache; use fewer constants."},
    {"drain", "their outstanding stores after they exited", "Store less at the end, or coalesce these stores."},
    {"membar", "memory barriers", "Use fewer or narrower fences."},
    {"not_selected", "other warps that were also ready", "There are enough warps; fewer instructions would help."},
    {"dispatch_stall", "the dispatch stage", ""},
    {"sleeping", "the end of their sleep", ""},
    {"misc", "other reasons", ""},
});

// Shares of the whole launch as shares of its time without the overhead before and after its blocks.
double while_blocks_run(const LaunchFacts& facts, double share) {
  const double rest = 100 - facts.value_or_zero("overhead_pct");
  return rest > 0 ? std::min(100.0, 100 * share / rest) : 0;
}

std::string percent(double value) {
  return fmt::format("{:.0f} %", value);
}

Evidence evidence_of(const LaunchFacts& facts, const std::string& column, const std::string& text) {
  return {column, facts.value_or_zero(column), text};
}

std::string bandwidth_text(const LaunchFacts& facts, const std::string& level) {
  const auto used = facts.value(level + "_gb_per_s");
  const auto peak = facts.value(level + "_peak_gb_per_s");
  return used && peak ? fmt::format(" ({:.0f} of {:.0f} GB/s)", *used, *peak) : "";
}

std::string resource_text(const LaunchFacts& facts, const Resource& resource) {
  const std::string column = resource.column;
  std::string text = fmt::format("{}: {} of peak over the launch", resource.name, percent(facts.value_or_zero(column)));
  for (const char* level : {"dram", "l2"}) {
    if (column == std::string(level) + "_pct") {
      text += bandwidth_text(facts, level);
    }
  }
  return text;
}

// The columns of resources that the launch used, in descending order of utilisation.
std::vector<Resource> by_use(const LaunchFacts& facts) {
  std::vector<Resource> used;
  for (const Resource& resource : kResources) {
    if (facts.value_or_zero(resource.column) > 0) {
      used.push_back(resource);
    }
  }
  std::stable_sort(used.begin(), used.end(), [&facts](const Resource& a, const Resource& b) {
    return facts.value_or_zero(a.column) > facts.value_or_zero(b.column);
  });
  return used;
}

Finding overhead(const LaunchFacts& facts) {
  return {
      "launch_overhead",
      fmt::format("Too short for its launch: {} of its {:.1f} us pass before the first block starts and after the last "
                  "one is done.",
                  percent(facts.value_or_zero("overhead_pct")), facts.value_or_zero("time_us")),
      "Give a launch more work: fuse kernels, or combine several launches in one.",
      {evidence_of(facts, "overhead_pct", "launch overhead: " + percent(facts.value_or_zero("overhead_pct")))}};
}

Finding few_blocks(const LaunchFacts& facts) {
  const double blocks = facts.value_or_zero("blocks");
  const double sms = facts.value_or_zero("sms");
  std::string sentence =
      blocks < sms ? fmt::format("The grid is too small: {:.0f} blocks for {:.0f} SMs.", blocks, sms)
                   : fmt::format(
                         "The GPU is not filled: {:.0f} blocks are {:.2f} of the capacity of its {:.0f} SMs, and "
                         "an SM is active for {} of the time.",
                         blocks, facts.value_or_zero("waves"), sms, percent(facts.value_or_zero("sm_active_pct")));
  return {"few_blocks",
          std::move(sentence),
          "Use more and smaller blocks, or give the GPU other work at the same time.",
          {evidence_of(facts, "waves", fmt::format("waves: {:.2f}", facts.value_or_zero("waves"))),
           evidence_of(facts, "sm_active_pct", "SMs active: " + percent(facts.value_or_zero("sm_active_pct")))}};
}

Finding bound_by(const LaunchFacts& facts, const std::vector<Resource>& used) {
  const Resource& first = used.front();
  const double share = while_blocks_run(facts, facts.value_or_zero(first.column));
  const std::string kind = std::string(first.column).substr(0, std::string(first.column).rfind("_pct"));
  Finding finding{kind,
                  fmt::format("{} {}: {} of its peak while blocks run.",
                              share >= kNearPeak ? "At the limit of" : "Bound by", first.name, percent(share)),
                  first.advice,
                  {}};
  for (std::size_t i = 0; i < std::min<std::size_t>(used.size(), 3); ++i) {
    finding.evidence.push_back(evidence_of(facts, used[i].column, resource_text(facts, used[i])));
  }
  return finding;
}

const StallText* stall_text(const std::string& reason) {
  const auto* const found = std::find_if(kStallTexts.begin(), kStallTexts.end(),
                                         [&reason](const StallText& text) { return reason == text.reason; });
  return found == kStallTexts.end() ? nullptr : found;
}

// "long_scoreboard" as "long scoreboard".
std::string spaced(std::string reason) {
  std::replace(reason.begin(), reason.end(), '_', ' ');
  return reason;
}

Finding bound_by_latency(const LaunchFacts& facts, const std::vector<Resource>& used) {
  Finding finding{"latency", "", "", {}};
  const std::string busiest = used.empty()
                                  ? "no resource is busy"
                                  : fmt::format("no resource is busy for more than {} of the time in which blocks run",
                                                percent(while_blocks_run(facts, facts.value_or_zero(used[0].column))));
  if (facts.stalls.empty()) {
    finding.sentence = "Bound by latency: " + busiest + ".";
  } else {
    const LaunchFacts::Stall& top = facts.stalls.front();
    const StallText* const text = stall_text(top.reason);
    finding.sentence = fmt::format("Bound by latency: {}; {} of the stall time of warps is for {}.", busiest,
                                   percent(top.share_pct), text != nullptr ? text->sentence : top.reason);
    finding.advice = text != nullptr ? text->advice : "";
    for (std::size_t i = 0; i < std::min<std::size_t>(facts.stalls.size(), 3); ++i) {
      const LaunchFacts::Stall& stall = facts.stalls[i];
      finding.evidence.push_back({"stall:" + stall.reason, stall.share_pct,
                                  spaced(stall.reason) + ": " + percent(stall.share_pct) + " of waiting"});
    }
  }
  if (!used.empty()) {
    finding.evidence.push_back(evidence_of(facts, used[0].column, resource_text(facts, used[0])));
  }
  return finding;
}

Finding uneven_work(const LaunchFacts& facts) {
  const std::string balance = percent(facts.value_or_zero("sm_balance_pct"));
  Finding finding{"imbalance",
                  "Work is uneven: the average SM is active " + balance + " as long as the busiest.",
                  "Give blocks equal work, or use more and smaller ones.",
                  {evidence_of(facts, "sm_balance_pct", "mean over longest activity of SMs: " + balance)}};
  if (!facts.stalls.empty()) {
    const LaunchFacts::Stall& top = facts.stalls.front();
    finding.evidence.push_back(
        {"stall:" + top.reason, top.share_pct, spaced(top.reason) + ": " + percent(top.share_pct) + " of waiting"});
  }
  return finding;
}

bool lacks_blocks(const LaunchFacts& facts) {
  const auto waves = facts.value("waves");
  const auto active = facts.value("sm_active_pct");
  const auto sms = facts.value("sms");
  if (!waves || *waves >= 1) {
    return false;
  }
  const bool idle = active && while_blocks_run(facts, *active) < kIdleSms;
  const bool even = facts.value("sm_balance_pct").value_or(100) >= kUnevenSms;
  return (sms && facts.value_or_zero("blocks") < *sms) || (idle && even);
}

}  // namespace

std::optional<double> LaunchFacts::value(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional<double>(found->second);
}

Verdict judge(const LaunchFacts& facts) {
  const std::vector<Resource> used = by_use(facts);
  Verdict verdict;
  if (facts.value_or_zero("overhead_pct") >= kMostlyOverhead) {
    verdict.limiter = overhead(facts);
  } else if (!used.empty() && while_blocks_run(facts, facts.value_or_zero(used[0].column)) >= kBusy) {
    verdict.limiter = bound_by(facts, used);
  } else if (lacks_blocks(facts)) {
    verdict.limiter = few_blocks(facts);
  } else if (facts.value("sm_balance_pct").value_or(100) < kUnevenSms) {
    verdict.limiter = uneven_work(facts);
  } else {
    verdict.limiter = bound_by_latency(facts, used);
  }
  verdict.further = further_findings(facts, verdict.limiter.kind);
  return verdict;
}

}  // namespace warpsim
