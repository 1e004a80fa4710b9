// Special registers, exchanges between lanes, moves to uniform registers.
#include <fmt/format.h>

#include <array>
#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

struct SpecialValue {
  std::uint32_t number;
  const char* text;  // the source of a move
};
// 0x37, SR_LMEMHIOFF: where the stack ends; accesses below it are faults here.
constexpr SpecialValue kSpecials[] = {
    {0x00, "%laneid"},
    {0x03, "%warpid"},
    {0x21, "%tid.x"},
    {0x22, "%tid.y"},
    {0x23, "%tid.z"},
    {0x25, "%ctaid.x"},
    {0x26, "%ctaid.y"},
    {0x27, "%ctaid.z"},
    {0x2f, "%shared_high"},
    {0x30, "0"},  // the lower half of the window of shared memory
    {0x32, "%total_smem_size"},
    {0x38, "%lanemask_eq"},
    {0x39, "%lanemask_lt"},
    {0x3a, "%lanemask_le"},
    {0x3b, "%lanemask_gt"},
    {0x3c, "%lanemask_ge"},
    {0x43, "%smid"},
    {0x50, "%clock"},
    {0x51, "%clock_hi"},
    {0x52, "%globaltimer_lo"},
    {0x53, "%globaltimer_hi"},
    {0x37, "0"},
    {0x88, "%cluster_ctarank"},
    {0xff, "0"},
};

std::string special(Lifter& l, std::size_t number) {
  const auto value = static_cast<std::uint32_t>(l.operand(number).value);
  for (const SpecialValue& each : kSpecials) {
    if (each.number == value) {
      return each.text;
    }
  }
  l.fail("this special register is not supported");
}

void lift_special(Lifter& l) {
  const std::string value = special(l, 1);
  if (value == "%shared_high") {
    // The upper half of generic addresses of shared memory.
    l.add(fmt::format("mov.b32 {}, {}", l.destination(0), l.constant(0, 0x1c)));
    return;
  }
  l.add(fmt::format("mov.u32 {}, {}", l.destination(0), value));
}

void lift_constant_special(Lifter& l) {
  const bool one_word = l.modifier("32") != 0;
  const std::string value = special(l, 1);
  if (one_word) {
    l.add(fmt::format("mov.u32 {}, {}", l.destination(0), value));
    return;
  }
  const std::string wide = l.wide_scratch();
  if (value == "0") {
    l.add(fmt::format("mov.u64 {}, 0", wide));
  } else if (value == "%clock") {
    l.add(fmt::format("mov.u64 {}, %clock64", wide));
  } else if (value == "%globaltimer_lo") {
    l.add(fmt::format("mov.u64 {}, %globaltimer", wide));
  } else {
    l.fail("this special register has no 64 bits");
  }
  l.set_pair(0, wide);
}

void lift_to_uniform(Lifter& l) {
  // Lanes whose value is another one get the predicate: a loop serves them in later rounds.
  const std::string others = l.predicate_destination(0);
  if (others == "_") {
    l.add(fmt::format("sass.r2ur {}, {}", l.destination(1), l.word(l.operand(2))));
    return;
  }
  const std::string value = l.scratch();
  l.add(fmt::format("mov.b32 {}, {}", value, l.word(l.operand(2))));
  l.add(fmt::format("sass.r2urdiff{} {}, {}, {}", l.modifier("OR") != 0 ? ".or" : "", l.destination(1), others, value));
}

constexpr std::array<const char*, 3> kVotes = {"all", "any", "uni"};

void lift_vote(Lifter& l) {
  const std::uint32_t mode = l.modifier("vote");
  const std::string source = l.predicate(2);
  if (l.destination(0) != "_") {
    l.add(fmt::format("vote.ballot.b32 {}, {}", l.destination(0), source));
  }
  if (l.predicate_destination(1) != "_") {
    l.add(fmt::format("vote.{}.pred {}, {}", kVotes[mode], l.predicate_destination(1), source));
  }
}

void lift_uniform_vote(Lifter& l) {
  static constexpr std::array<const char*, 3> kModes = {"all", "any", "eq"};
  l.add(fmt::format("sass.voteu.{} {}, {}, {}", kModes[l.modifier("vote")], l.destination(0),
                    l.predicate_destination(1), l.predicate(2)));
}

void lift_shuffle(Lifter& l) {
  static constexpr std::array<const char*, 4> kModes = {"idx", "up", "down", "bfly"};
  const std::string a = l.word(l.operand(2));
  const std::string lane = l.word(l.operand(3));
  const std::string clamp = l.word(l.operand(4));
  const std::string p = l.predicate_destination(0);
  const std::string d = l.destination(1) == "_" ? l.scratch() : l.destination(1);
  l.add(fmt::format("shfl.{}.b32 {}{}, {}, {}, {}", kModes[l.modifier("lanes")], d, p == "_" ? "" : "|" + p, a, lane,
                    clamp));
}

void lift_lane_reduction(Lifter& l) {
  static constexpr std::array<const char*, 6> kModes = {"and", "or", "xor", "sum", "min", "max"};
  const std::uint32_t mode = l.modifier("reduce");
  l.add(fmt::format("sass.redux.{}{} {}, {}", kModes[mode], mode >= 4 && l.modifier("S32") != 0 ? "s" : "",
                    l.destination(0), l.word(l.operand(1))));
}

void lift_match(Lifter& l) {
  const bool wide = l.modifier("U64") != 0;
  const std::string a = wide ? l.pair(2) : l.word(l.operand(2));
  const std::string active = l.scratch();
  l.add("activemask.b32 " + active);
  const std::string p = l.shown(0) ? l.predicate_destination(0) : "_";
  l.add(fmt::format("match.{}.sync.b{} {}{}, {}, {}", l.modifier("match") == 0 ? "all" : "any", wide ? 64 : 32,
                    l.destination(1) == "_" ? l.scratch() : l.destination(1), p == "_" ? "" : "|" + p, a, active));
}

// The return address of a warp, which code also uses to keep two words.
std::string return_address(const Lifter& l, std::size_t number) {
  return l.operand(number).value == 0 ? "%return_low" : "%return_high";
}
void lift_return_move(Lifter& l) {
  if (l.operand(0).kind == sass::MachineOperand::Kind::kName) {
    l.add(fmt::format("mov.b32 {}, {}", return_address(l, 0), l.word(l.operand(1))));
  } else if (l.destination(0) != "_") {
    l.add(fmt::format("mov.b32 {}, {}", l.destination(0), return_address(l, 1)));
  }
}

constexpr LiftedOpcode kWarpOpcodes[] = {
    {"RPCMOV.32", lift_return_move}, {"S2R", lift_special},     {"S2UR", lift_special},
    {"CS2R", lift_constant_special}, {"R2UR", lift_to_uniform}, {"VOTE", lift_vote},
    {"VOTEU", lift_uniform_vote},    {"SHFL", lift_shuffle},    {"REDUX", lift_lane_reduction},
    {"MATCH", lift_match},
};

}  // namespace

std::span<const LiftedOpcode> lifted_warp_opcodes() {
  return kWarpOpcodes;
}

}  // namespace warpsim
