// Branches, convergence barriers, barriers of the block.
#include <fmt/format.h>

#include <string>

#include "emulator/machine_code/lifter.h"

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
    // All go if the guard and the second predicate hold for one of them.
    const std::string any = l.predicate_scratch();
    std::string goes = l.guard();
    if (l.shown(0) && last > 0) {
      goes = l.predicate_scratch();
      l.add_always(fmt::format("and.pred {}, {}, {}", goes, l.guard(), l.predicate(0)));
    }
    l.add_always(fmt::format("vote.any.pred {}, {}", any, goes));
    l.add_always(fmt::format("@{} bra {}", any, target));
    return;
  }
  add_under(l, 0, "bra " + target);
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
    {"ENDCOLLECTIVE", lift_nothing},
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
    {"PREEXIT", [](Lifter& l) { l.add("griddepcontrol.launch_dependents"); }},
    {"ACQBULK", [](Lifter& l) { l.add("griddepcontrol.wait"); }},
    {"UCGABAR_ARV", lift_cluster_arrive},
    {"UCGABAR_WAIT", lift_cluster_wait},
};

}  // namespace

std::span<const LiftedOpcode> lifted_control_opcodes() {
  return kControlOpcodes;
}

}  // namespace warpsim
