// Divergence of one warp: a switch that sends lanes to one body of 64 dependent FFMAs per group, loops
// whose trip count differs by lane, and an if with 16 dependent FFMAs on each side. The shortest of four rounds counts.
// Of two groups that diverge, the one that falls through runs first; the order on the chip is unknown.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "microbench/listed_kernel.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

using SharedProgram = std::shared_ptr<const StaticProgram>;

constexpr std::uint32_t kRounds = 4;

double shortest(const GpuConfig& config, const SharedProgram& program, const Flow& flow) {
  Machine gpu(config, as_measured());
  ListedKernel kernel(trace_path(program, flow), {});
  gpu.run(kernel);
  return shortest_round(kernel.clocks());
}

LaneMask lanes_where(LaneMask lanes, const std::function<bool(std::uint32_t)>& condition) {
  LaneMask result = 0;
  for (LaneMask mask = lanes; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    result |= condition(lane) ? LaneMask{1} << lane : 0;
  }
  return result;
}

// Decides the branch at the end of the rounds: taken except the last time.
class Rounds {
 public:
  LaneMask again(LaneMask lanes) { return ++done_ < kRounds ? lanes : 0; }

 private:
  std::uint32_t done_ = 0;
};

// The comparison that decides the guard of a branch inside the switch: "ISETP.GT.AND P0, PT, R5, 0xf, PT".
bool compares(const StaticProgram& program, std::uint32_t pc, std::uint32_t group) {
  std::uint32_t index = pc / program.instruction_bytes;
  const bool negated = program.text[index].starts_with("@!");
  while (!program.text[index].starts_with("ISETP") || program.text[index].find(" P0,") == std::string::npos) {
    --index;
  }
  const std::string& text = program.text[index];
  const std::uint64_t limit = std::strtoull(&text[text.find("0x")], nullptr, 16);
  const bool holds = text.starts_with("ISETP.GT") ? group > limit : group != limit;
  return holds != negated;
}

// The beginning of the body of a group: "FADD R11, R4, 5", or "FADD R11, RZ, R4" for the first.
std::uint32_t body_of(const StaticProgram& program, std::uint32_t group) {
  const std::string begin = group == 0 ? "FADD R11, RZ, R4" : fmt::format("FADD R11, R4, {}", group);
  for (std::uint32_t i = 0; i < program.text.size(); ++i) {
    if (program.text[i] == begin) {
      return program.instructions[i].pc;
    }
  }
  SIM_CHECK(false, "no body for a group");
}

double switch_cycles(const GpuConfig& config, const SharedProgram& program, std::uint32_t groups) {
  constexpr std::uint32_t kEndOfRound = 0x8eb0;
  Rounds rounds;
  Flow flow;
  flow.taken = [&](std::uint32_t pc, LaneMask lanes) {
    return pc == kEndOfRound
               ? rounds.again(lanes)
               : lanes_where(lanes, [&](std::uint32_t lane) { return compares(*program, pc, lane % groups); });
  };
  flow.target = [&](std::uint32_t, std::uint32_t lane) { return body_of(*program, lane % groups); };
  return shortest(config, program, flow);
}

double trips_cycles(const GpuConfig& config, const SharedProgram& program, std::uint32_t extra) {
  constexpr std::uint32_t kSkipsLoop = 0x140;
  constexpr std::uint32_t kEndOfTrip = 0x190;
  Rounds rounds;
  std::array<std::uint32_t, kWarpSize> done{};
  Flow flow;
  flow.taken = [&](std::uint32_t pc, LaneMask lanes) -> LaneMask {
    if (pc == kSkipsLoop) {
      done.fill(0);
      return 0;
    }
    return pc == kEndOfTrip ? lanes_where(lanes, [&](std::uint32_t lane) { return ++done[lane] < 64 + extra * lane; })
                            : rounds.again(lanes);
  };
  return shortest(config, program, flow);
}

double if_cycles(const GpuConfig& config, const SharedProgram& program, std::uint32_t taken) {
  constexpr std::uint32_t kCondition = 0x160;
  constexpr std::uint32_t kEndOfIteration = 0x3a0;
  constexpr std::uint32_t kIterations = 64;
  Rounds rounds;
  std::uint32_t iterations = 0;
  Flow flow;
  flow.taken = [&](std::uint32_t pc, LaneMask lanes) -> LaneMask {
    if (pc == kCondition) {
      return lanes_where(lanes, [&](std::uint32_t lane) { return lane < taken; });
    }
    return pc == kEndOfIteration ? (++iterations % kIterations != 0 ? lanes : 0) : rounds.again(lanes);
  };
  return shortest(config, program, flow) / kIterations;
}

}  // namespace

Family diverge_family() {
  const Programs programs = load_programs("diverge");
  const SharedProgram groups_program = find_program(programs, "m_groups");
  const SharedProgram trips_program = find_program(programs, "m_trips");
  const SharedProgram if_program = find_program(programs, "m_ifelse");
  Family family;
  family.bench = "diverge";
  for (const std::uint32_t groups : {1U, 2U, 3U, 4U, 8U, 16U, 32U}) {
    family.probes.push_back({fmt::format("diverge.switch.groups{}", groups),
                             [=](const GpuConfig& config) { return switch_cycles(config, groups_program, groups); }});
  }
  for (const std::uint32_t extra : {0U, 1U, 2U, 4U}) {
    const std::string name = fmt::format("diverge.trips64.extra_per_lane{}", extra);
    family.probes.push_back(
        {name, [=](const GpuConfig& config) { return trips_cycles(config, trips_program, extra); }});
    family.probes.push_back({name + ".per_iteration", [=](const GpuConfig& config) {
                               return trips_cycles(config, trips_program, extra) / (64 + 31 * extra);
                             }});
  }
  for (const std::uint32_t taken : {0U, 1U, 8U, 16U, 31U, 32U}) {
    family.probes.push_back({fmt::format("diverge.ifelse16.taken{}", taken),
                             [=](const GpuConfig& config) { return if_cycles(config, if_program, taken); }});
  }
  return family;
}

}  // namespace warpsim::microbench
