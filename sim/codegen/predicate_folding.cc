#include "codegen/predicate_folding.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

class Folding {
 public:
  explicit Folding(ptx::Function& function)
      : function_(function), graph_(ptx::make_flow_graph(function)), facts_(function, graph_) {}

  void run() {
    for (reader_ = 0; reader_ < function_.body.size(); ++reader_) {
      Instruction& instruction = function_.body[reader_];
      if (instruction.guard) {
        const Source source = source_of(instruction.guard->predicate);
        instruction.guard->predicate = source.predicate;
        instruction.guard->negated = instruction.guard->negated != source.negated;
      }
      if (instruction.opcode == "selp") {
        choose_by_source(instruction);
      } else if (instruction.opcode == "setp" && instruction.operands.size() > 3) {
        combine_with_source(instruction.operands.back());
      }
    }
  }

 private:
  struct Source {
    std::uint32_t predicate = 0;
    bool negated = false;
  };

  // The only instruction that writes the register, if all threads execute it; null: there is none.
  const Instruction* maker_of(std::uint32_t reg) const {
    if (facts_.only_write(reg) == RegisterFacts::kNowhere) {
      return nullptr;
    }
    const Instruction& maker = function_.body[facts_.only_write(reg)];
    const bool whole = !maker.guard && maker.operands[0].kind == Operand::Kind::kRegister &&
                       maker.operands[0].second == nullptr && !maker.modifiers.empty() &&
                       maker.modifiers.back() == "pred";
    return whole ? &maker : nullptr;
  }

  std::optional<bool> constant(const Operand& operand) const {
    if (operand.kind == Operand::Kind::kInteger) {
      return operand.bits != 0;
    }
    const Instruction* const maker =
        operand.kind == Operand::Kind::kRegister && !operand.negated ? maker_of(operand.number) : nullptr;
    const bool is_number =
        maker != nullptr && maker->opcode == "mov" && maker->operands[1].kind == Operand::Kind::kInteger;
    return is_number ? std::optional(maker->operands[1].bits != 0) : std::nullopt;
  }

  // Whether the reader sees the value of `source` that instruction `copy` has read: both are written once, in one block
  // and in this order, and the reader is not between them.
  bool holds(std::uint32_t source, std::uint32_t copy) const {
    const std::uint32_t made = facts_.only_write(source);
    return made < copy && graph_.block_of[made] == graph_.block_of[copy] && (reader_ <= made || reader_ > copy);
  }

  // The operand that the maker copies or negates, and whether it negates.
  std::optional<Source> step(const Instruction& maker) const {
    const auto from = [&](std::size_t at, bool negated) -> std::optional<Source> {
      const Operand& operand = maker.operands[at];
      const auto copy = static_cast<std::uint32_t>(&maker - function_.body.data());
      const bool is_same = operand.kind == Operand::Kind::kRegister && holds(operand.number, copy);
      return is_same ? std::optional(Source{operand.number, operand.negated != negated}) : std::nullopt;
    };
    if (maker.opcode == "not") {
      return from(1, true);
    }
    for (const std::size_t at : {std::size_t{1}, std::size_t{2}}) {
      const std::optional<bool> other = maker.opcode == "xor" ? constant(maker.operands[3 - at]) : std::nullopt;
      if (other) {
        return from(at, *other);
      }
    }
    return std::nullopt;
  }

  Source source_of(std::uint32_t predicate) const {
    Source source{predicate, false};
    while (const Instruction* const maker = maker_of(source.predicate)) {
      const std::optional<Source> next = step(*maker);
      if (!next) {
        break;
      }
      source = {next->predicate, source.negated != next->negated};
    }
    return source;
  }

  void choose_by_source(Instruction& selection) const {
    Operand& condition = selection.operands[3];
    if (condition.kind != Operand::Kind::kRegister) {
      return;
    }
    const Source source = source_of(condition.number);
    condition.number = source.predicate;
    if (source.negated) {
      std::swap(selection.operands[1], selection.operands[2]);
    }
  }

  void combine_with_source(Operand& condition) const {
    if (condition.kind != Operand::Kind::kRegister ||
        function_.registers[condition.number].type != ptx::DataType::kPredicate) {
      return;
    }
    const Source source = source_of(condition.number);
    condition.number = source.predicate;
    condition.negated = condition.negated != source.negated;
  }

  ptx::Function& function_;
  ptx::FlowGraph graph_;
  RegisterFacts facts_;
  std::uint32_t reader_ = 0;  // the instruction that is changed
};

}  // namespace

void fold_predicates(ptx::Function& function) {
  Folding(function).run();
}

}  // namespace warpsim::codegen
