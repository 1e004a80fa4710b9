// Branches, calls, convergence barriers, barriers of the block.
#include <fmt/format.h>

#include <string>

#include "emulator/machine_code/lifter.h"
#include "emulator/memory/generic_address.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

// Adds a statement that is executed if the instruction's second predicate holds, too.
void add_under(Lifter& l, std::size_t predicate, const std::string& statement) {
  if (!l.shown(predicate)) {
    l.add(statement);
    return;
  }
  l.add_under(l.predicate(predicate), statement);
}

// To code for lanes that are not all of a mask (DIV), or for those that are (CONV).
void lift_branch_of_mask(Lifter& l, const std::string& target, bool together) {
  constexpr std::uint8_t kZeroUniform = 63;
  const MachineOperand& mask = l.operand(1);
  // Before 8.0 there is no mask: all lanes are meant.
  const bool stated = mask.kind == Kind::kUniformRegister;
  std::string members = !stated || mask.complement ? "0xffffffff" : "0";
  if (stated && mask.index != kZeroUniform) {
    members = fmt::format("%u{}", mask.index);
    if (mask.complement) {
      const std::string others = l.scratch();
      l.add(fmt::format("not.b32 {}, {}", others, members));
      members = others;
    }
  }
  const std::string active = l.scratch();
  const std::string goes = l.predicate_scratch();
  l.add("activemask.b32 " + active);
  if (together) {
    l.add(fmt::format("and.b32 {0}, {0}, {1}", active, members));
  }
  l.add(fmt::format("setp.{}.u32 {}, {}, {}", together ? "eq" : "ne", goes, active, members));
  l.add_under(goes, "bra " + target);
}

void lift_branch(Lifter& l) {
  const std::string_view mode = l.modifier_text("branch");
  const std::size_t last = l.operand_count() - 1;
  const std::string target = l.target(last);
  if (mode == "DIV" || mode == "CONV") {
    lift_branch_of_mask(l, target, mode == "CONV");
    return;
  }
  if (l.modifier("ANY") != 0) {
    // All go if the guard holds for one of them.
    const std::string any = l.predicate_scratch();
    l.add_always(fmt::format("vote.any.pred {}, {}", any, l.guard()));
    l.add_always(fmt::format("@{} bra {}", any, target));
    return;
  }
  add_under(l, 0, "bra " + target);
}

// To an address in a register, relative to this instruction or to the start of the code.
void lift_jump(Lifter& l, std::size_t base, const std::string& predicate = {}) {
  const MachineOperand& displacement = l.operand(base + 1);
  const bool absolute = l.modifier_text("return_to") == "ABS";
  std::int64_t offset = displacement.value;
  if (displacement.kind == Kind::kDisplacement && !absolute) {
    offset += static_cast<std::int64_t>(l.instruction().address) + sass::kInstructionBytes;
  }
  l.jump(l.word(l.operand(base)), offset, predicate);
}

void lift_call(Lifter& l) {
  if (l.operand(0).kind == Kind::kTarget) {
    l.add("bra " + l.target(0));
  } else {
    lift_jump(l, 0);
  }
}

// Calls to absolute addresses: of functions, which lie in the space of code addresses, or of functions of the driver,
// whose addresses are above it and which return to the next instruction.
void lift_absolute_call(Lifter& l) {
  if (l.operand(0).kind == Kind::kDisplacement) {
    const auto address = static_cast<std::uint64_t>(l.operand(0).value);
    if (is_in(kFunctionWindow, address)) {
      l.call_system_function(address);
    } else {
      l.add("bra " + l.target(0));
    }
    return;
  }
  if (l.operand(0).kind != Kind::kRegister) {
    l.fail("only calls to addresses in general registers are supported");
  }
  const std::string address = l.pair(0);
  l.call_system_function(address);
  const std::string is_code = l.predicate_scratch();
  l.add(fmt::format("setp.lt.u64 {}, {}, {:#x}", is_code, address, kFunctionWindow));
  l.jump(l.word(l.operand(0)), l.operand_count() > 1 ? l.operand(1).value : 0, is_code);
}

// The address behind this instruction plus an offset (9.0), or that of the instruction (before).
void lift_address(Lifter& l) {
  const std::uint64_t value =
      l.operand_count() > 1 ? static_cast<std::uint64_t>(l.operand(1).value) : l.instruction().address;
  l.add(fmt::format("mov.b32 {}, {}", l.destination(0, 0), static_cast<std::uint32_t>(value)));
  l.add(fmt::format("mov.b32 {}, 0", l.destination(0, 1)));
}

void lift_return(Lifter& l) {
  lift_jump(l, 1, l.shown(0) ? l.predicate(0) : std::string());
}

void lift_exit(Lifter& l) {
  add_under(l, 0, "exit");
}

std::string barrier(Lifter& l, std::size_t number) {
  return fmt::format("%b{}", l.operand(number).value);
}

void lift_set_barrier(Lifter& l) {
  l.add("sass.bssy " + barrier(l, 0));
}
void lift_converge(Lifter& l) {
  add_under(l, 0, "sass.bsync " + barrier(l, 1));
}
void lift_break(Lifter& l) {
  add_under(l, 0, "sass.break " + barrier(l, 1));
}

// The executing lanes are saved, extended to quads for the levels of detail of textures, and restored.
void lift_active_lanes(Lifter& l) {
  const std::size_t state = l.operand(0).kind == Kind::kName ? 0 : 1;
  constexpr std::int64_t kActive = 26;
  if (l.operand(state).kind != Kind::kName || l.operand(state).value != kActive) {
    l.fail("this state of a warp is not supported");
  }
  if (state == 1) {
    l.add("sass.bssy " + barrier(l, 0));
  } else {
    l.add(fmt::format("sass.{} {}", l.modifier("PQUAD") != 0 ? "quads" : "active", barrier(l, 1)));
  }
}

void lift_barrier_move(Lifter& l) {
  if (l.operand(0).kind == Kind::kRegister) {
    if (l.destination(0) != "_") {
      l.add(fmt::format("sass.frombar {}, {}", l.destination(0), barrier(l, 1)));
    }
    if (l.modifier("CLEAR") != 0) {
      l.add("sass.clear " + barrier(l, 1));
    }
    return;
  }
  if (l.operand(1).kind != Kind::kRegister) {
    lift_active_lanes(l);
    return;
  }
  l.add(fmt::format("sass.tobar {}, {}", barrier(l, 0), l.word(l.operand(1))));
}

void lift_warp_sync(Lifter& l) {
  const bool all = l.operand_count() == 1 || (l.operand(1).kind == Kind::kInteger && l.operand(1).value == 0xffffffff);
  if (all) {
    // All lanes that have not ended; they wait for each other as at a convergence barrier.
    l.add("sass.bsync.all %all_lanes");
    return;
  }
  // Code for lanes that come together only for one instruction: up to ENDCOLLECTIVE, from where they continue.
  l.add("bar.warp.sync " + l.word(l.operand(1)));
}

void lift_block_barrier(Lifter& l) {
  const std::string_view mode = l.modifier_text("barrier");
  const MachineOperand& number = l.operand(0);
  const std::string id = number.kind == Kind::kRegister ? l.word(number) : std::to_string(number.value);
  std::string threads;
  if (l.shown(1)) {
    const MachineOperand& count = l.operand(1);
    threads = ", " + (count.kind == Kind::kRegister ? l.word(count) : std::to_string(count.value));
  }
  if (mode == "SYNC") {
    l.add(fmt::format("barrier.sync {}{}", id, threads));
  } else if (mode == "ARV") {
    l.add(fmt::format("barrier.arrive {}{}", id, threads));
  } else if (mode == "RED.POPC") {
    l.add(fmt::format("barrier.red.popc.u32 %barrier_count, {}{}, {}", id, threads, l.predicate(2)));
  } else if (mode == "RED.AND" || mode == "RED.OR") {
    l.add(fmt::format("barrier.red.{}.pred %barrier_vote, {}{}, {}", mode == "RED.AND" ? "and" : "or", id, threads,
                      l.predicate(2)));
  } else {
    l.fail("this barrier is not supported");
  }
}

// The result of the last reduction at a barrier.
void lift_barrier_result(Lifter& l) {
  if (l.modifier_text("barrier_result") != "RESULT") {
    l.fail("only the result of a reduction is supported");
  }
  if (l.destination(0) != "_") {
    l.add(fmt::format("mov.b32 {}, %barrier_count", l.destination(0)));
  }
  if (l.predicate_destination(1) != "_") {
    l.add(fmt::format("mov.pred {}, %barrier_vote", l.predicate_destination(1)));
  }
}

void lift_sleep(Lifter& l) {
  const MachineOperand& time = l.operand(1);
  l.add("nanosleep.u32 " + l.word(time));
}

void lift_trap(Lifter& l) {
  l.add(l.modifier_text("break") == "TRAP" ? "trap" : "brkpt");
}

void lift_nothing(Lifter& /*l*/) {}

void lift_cluster_arrive(Lifter& l) {
  l.add("barrier.cluster.arrive");
}
void lift_cluster_wait(Lifter& l) {
  l.add("barrier.cluster.wait");
}

constexpr LiftedOpcode kControlOpcodes[] = {
    {"BRA", lift_branch},
    {"CALL.REL", lift_call},
    {"CALL.ABS", lift_absolute_call},
    {"LEPC", lift_address},
    {"ENDCOLLECTIVE", lift_nothing},
    {"RET", lift_return},
    {"BRX", lift_return},
    {"BRXU", lift_return},
    {"EXIT", lift_exit},
    {"BSSY", lift_set_barrier},
    {"BSYNC", lift_converge},
    {"BREAK", lift_break},
    {"BMOV.32", lift_barrier_move},
    {"WARPSYNC", lift_warp_sync},
    {"WARPSYNC.ALL", lift_warp_sync},
    {"BAR", lift_block_barrier},
    {"B2R", lift_barrier_result},
    {"NANOSLEEP", lift_sleep},
    {"BPT", lift_trap},
    {"NOP", lift_nothing},
    {"YIELD", [](Lifter& l) { add_under(l, 0, "sass.yield"); }},
    {"PMTRIG", lift_nothing},
    {"PREEXIT", lift_nothing},
    {"ACQBULK", lift_nothing},
    {"UCGABAR_ARV", lift_cluster_arrive},
    {"UCGABAR_WAIT", lift_cluster_wait},
};

}  // namespace

std::span<const LiftedOpcode> lifted_control_opcodes() {
  return kControlOpcodes;
}

}  // namespace warpsim
