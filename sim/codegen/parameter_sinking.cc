#include "codegen/parameter_sinking.h"

#include <algorithm>
#include <map>
#include <vector>

#include "codegen/body_editor.h"
#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;

// Blocks in which the values of readers are read.
class ReadingBlocks {
 public:
  explicit ReadingBlocks(const ptx::FlowGraph& graph)
      : graph_(graph), above_(ptx::immediate_dominators(graph)), loops_(ptx::natural_loops(graph, above_)) {}

  // For a reader in `block`. kNoBlock: unreachable.
  std::uint32_t block_for(std::uint32_t block) const {
    const ptx::Loop* const loop = innermost_around(block);
    return loop != nullptr && holds_no_other(*loop) && is_in_each_round(*loop, block) ? above_[loop->header] : block;
  }

  bool dominates(std::uint32_t above, std::uint32_t below) const { return ptx::dominates(above_, above, below); }

 private:
  const ptx::Loop* innermost_around(std::uint32_t block) const {
    const ptx::Loop* found = nullptr;
    for (const ptx::Loop& loop : loops_) {
      if (loop.holds[block] && (found == nullptr || found->holds[loop.header])) {
        found = &loop;
      }
    }
    return found;
  }

  bool holds_no_other(const ptx::Loop& outer) const {
    return std::ranges::none_of(
        loops_, [&](const ptx::Loop& loop) { return loop.header != outer.header && outer.holds[loop.header]; });
  }

  bool is_in_each_round(const ptx::Loop& loop, std::uint32_t block) const {
    return std::ranges::all_of(graph_.blocks[loop.header].predecessors, [&](std::uint32_t before) {
      return !loop.holds[before] || ptx::dominates(above_, block, before);
    });
  }

  const ptx::FlowGraph& graph_;
  std::vector<std::uint32_t> above_;
  std::vector<ptx::Loop> loops_;
};

class Sinking {
 public:
  Sinking(ptx::Module& module, ptx::Function& function)
      : module_(module),
        function_(function),
        graph_(ptx::make_flow_graph(function)),
        blocks_(graph_),
        facts_(function, graph_),
        readers_(function.registers.size()),
        editor_(function) {
    for (std::uint32_t i = 0; i < function.body.size(); ++i) {
      ptx::visit_read_registers(function.body[i], [&](std::uint32_t reg) {
        if (readers_[reg].empty() || readers_[reg].back() != i) {
          readers_[reg].push_back(i);
        }
      });
    }
  }

  // Those for which `moves` is true.
  template <class Moves>
  void run(Moves&& moves) {
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
      const Instruction& instruction = function_.body[i];
      if (!instruction.guard && !instruction.operands.empty() &&
          instruction.operands[0].kind == ptx::Operand::Kind::kRegister &&
          facts_.only_write(instruction.operands[0].number) == i && moves(instruction, facts_)) {
        move(i);
      }
    }
    editor_.apply();
  }

 private:
  void move(std::uint32_t at) {
    const std::uint32_t reg = function_.body[at].operands[0].number;
    const std::uint32_t home = graph_.block_of[at];
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;  // readers by the block that reads for them
    for (const std::uint32_t reader : readers_[reg]) {
      const std::uint32_t block = blocks_.block_for(graph_.block_of[reader]);
      const bool can_move = block != ptx::kNoBlock && blocks_.dominates(home, block);
      groups[can_move ? block : home].push_back(reader);
    }
    bool is_first = true;
    for (const auto& [block, readers] : groups) {
      const std::uint32_t place = place_in(block, readers);
      if (!is_first) {
        editor_.insert(place, read_again(at, readers));
      } else if (block != home || place > at) {
        editor_.insert(place, editor_.take(at));
      }
      is_first = false;
    }
  }

  // In front of the readers in the block; where there are none, of the block's last instruction.
  std::uint32_t place_in(std::uint32_t block, const std::vector<std::uint32_t>& readers) const {
    std::uint32_t place = graph_.blocks[block].end - 1;
    for (const std::uint32_t reader : readers) {
      place = graph_.block_of[reader] == block ? std::min(place, reader) : place;
    }
    return place;
  }

  // A read into a register of its own.
  Instruction read_again(std::uint32_t at, const std::vector<std::uint32_t>& readers) {
    Instruction read = copy_of(function_.body[at]);
    const std::uint32_t reg = read.operands[0].number;
    const std::uint32_t own = add_register(module_, function_, "%sunk", function_.registers[reg].type);
    read.operands[0] = register_operand(own);
    for (const std::uint32_t reader : readers) {
      rename_reads(function_.body[reader], [&](std::uint32_t read_one) { return read_one == reg ? own : read_one; });
    }
    return read;
  }

  ptx::Module& module_;
  ptx::Function& function_;
  ptx::FlowGraph graph_;
  ReadingBlocks blocks_;
  RegisterFacts facts_;
  std::vector<std::vector<std::uint32_t>> readers_;  // by register
  BodyEditor editor_;
};

bool is_read(const Instruction& instruction, const RegisterFacts&) {
  return reads_launch_size(instruction) || reads_own_parameter(instruction);
}

// The address of a parameter's value in another form, which is no instruction.
bool is_renamed(const Instruction& instruction, const RegisterFacts& facts) {
  return instruction.opcode == "cvta" && instruction.operands[1].kind == ptx::Operand::Kind::kRegister &&
         facts.only_write(instruction.operands[1].number) != RegisterFacts::kNowhere;
}

}  // namespace

void sink_parameters(ptx::Module& module, ptx::Function& function) {
  if (function.is_entry) {
    Sinking(module, function).run(is_renamed);
    Sinking(module, function).run(is_read);
  }
}

}  // namespace warpsim::codegen
