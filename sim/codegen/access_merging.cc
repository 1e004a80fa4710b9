#include "codegen/access_merging.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "codegen/body_editor.h"
#include "codegen/constant_places.h"
#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr std::uint32_t kWidest = 16;         // bytes of an access
constexpr std::uint32_t kWidestConstant = 8;  // of one to constant memory
constexpr std::uint32_t kDeepest = 12;        // maximum of definitions that are followed

const ptx::Variable* near_variable(const ptx::Module& module, const ptx::Function& function, const Operand& operand) {
  if (operand.kind != Operand::Kind::kSymbol) {
    return nullptr;
  }
  const ptx::Variable* variable = nullptr;
  if (operand.scope == Operand::Scope::kVariables) {
    variable = &function.variables[operand.number];
  } else if (operand.scope == Operand::Scope::kModule &&
             module.symbols[operand.number].kind == ptx::Symbol::Kind::kVariable) {
    variable = &module.variables[module.symbols[operand.number].number];
  }
  const bool is_near = variable != nullptr &&
                       (variable->space == ptx::StateSpace::kShared || variable->space == ptx::StateSpace::kConstant);
  return is_near ? variable : nullptr;
}

class Merger {
 public:
  Merger(const ptx::Module& module, ptx::Function& function, bool reads_constants)
      : module_(module),
        function_(function),
        reads_constants_(reads_constants),
        graph_(ptx::make_flow_graph(function)),
        facts_(function, graph_),
        editor_(function) {
    find_constant_bases();
  }

  void run() {
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
      split_wide(i);
    }
    for (const ptx::FlowGraph::Block& block : graph_.blocks) {
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        merge_from(i, block.end);
      }
    }
    editor_.apply();
  }

 private:
  // Variables in constant memory, and parameters of a kernel.
  bool is_of_constants(const Instruction& instruction) const {
    return instruction.modifiers[0] == "const" ||
           (instruction.modifiers[0] == "param" && instruction.opcode == "ld" && function_.is_entry);
  }

  // Addresses of constants in registers that loops change: each of their values is a multiple of what the first one
  // and the steps are multiples of.
  void find_constant_bases() {
    std::vector<std::vector<std::uint32_t>> writers(function_.registers.size());
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
      ptx::visit_written_registers(function_.body[i], [&](std::uint32_t reg) { writers[reg].push_back(i); });
    }
    for (const Instruction& instruction : function_.body) {
      const auto access = access_of(instruction);
      if (!access || !access->constant || access->base->kind != Operand::Kind::kRegister ||
          alignments_.contains(access->base->number) ||
          facts_.only_write(access->base->number) != RegisterFacts::kNowhere) {
        continue;
      }
      const std::uint32_t base = access->base->number;
      std::uint32_t least = kWidestConstant;
      alignments_[base] = least;  // until a step is known to have less
      for (const std::uint32_t writer : writers[base]) {
        const Instruction& step = function_.body[writer];
        const bool is_whole = step.operands[0].kind == Operand::Kind::kRegister;
        least = std::min(least, is_whole ? alignment_of_result(step, 0) : 1);
      }
      alignments_[base] = least;
    }
  }

  // The number of bytes by which the value is known to be divisible, up to kWidest.
  std::uint32_t alignment_of(const Operand& operand, std::uint32_t depth = 0) const {
    if (operand.kind == Operand::Kind::kInteger) {
      return alignment_of_number(operand.bits);
    }
    if (const ptx::Variable* const variable = near_variable(module_, function_, operand)) {
      return std::min(std::min(variable->alignment, kWidest),
                      alignment_of_number(static_cast<std::uint64_t>(operand.offset)));
    }
    if (operand.kind == Operand::Kind::kSymbol && operand.scope == Operand::Scope::kParameters) {
      return std::min(alignment_of_number(parameter_offset(function_, operand.number)),
                      alignment_of_number(static_cast<std::uint64_t>(operand.offset)));
    }
    if (operand.kind != Operand::Kind::kRegister || depth == kDeepest) {
      return 1;
    }
    if (const auto known = alignments_.find(operand.number); known != alignments_.end()) {
      return known->second;
    }
    const std::uint32_t at = facts_.only_write(operand.number);
    return at == RegisterFacts::kNowhere ? 1 : alignment_of_result(function_.body[at], depth + 1);
  }

  static std::uint32_t alignment_of_number(std::uint64_t bits) {
    return bits == 0 ? kWidest
                     : std::min<std::uint32_t>(kWidest, std::uint32_t{1} << std::min(std::countr_zero(bits), 8));
  }

  std::uint32_t alignment_of_result(const Instruction& made, std::uint32_t depth) const {
    const auto source = [&](std::size_t i) { return alignment_of(made.operands[i], depth); };
    const std::string_view opcode = made.opcode;
    if (opcode == "mov" || opcode == "cvta" || opcode == "cvt") {
      return made.operands[1].kind == Operand::Kind::kVector ? 1 : source(1);
    }
    if (opcode == "add" || opcode == "sub" || opcode == "or" || opcode == "xor") {
      return std::min(source(1), source(2));
    }
    if (opcode == "and") {
      return std::max(source(1), source(2));
    }
    if (opcode == "shl" && made.operands[2].kind == Operand::Kind::kInteger) {
      return std::min(kWidest, source(1) << std::min<std::uint64_t>(made.operands[2].bits, 8));
    }
    if (opcode == "mul" && (has_word(made, "lo") || has_word(made, "wide"))) {
      return std::min(kWidest, source(1) * source(2));
    }
    if (opcode == "mad" && (has_word(made, "lo") || has_word(made, "wide"))) {
      return std::min(std::min(kWidest, source(1) * source(2)), source(3));
    }
    return 1;
  }

  struct Access {
    bool loads = false;
    bool constant = false;
    std::uint32_t bytes = 0;
    std::int64_t offset = 0;
    const Operand* base = nullptr;
    const Operand* value = nullptr;
  };

  // A plain access of a word or two to shared memory.
  std::optional<Access> access_of(const Instruction& instruction) const {
    if ((instruction.opcode != "ld" && instruction.opcode != "st") || instruction.modifiers.size() != 2 ||
        (instruction.modifiers[0] != "shared" && !is_of_constants(instruction))) {
      return std::nullopt;
    }
    const auto type = ptx::data_type_of(instruction.modifiers[1]);
    if (!type || (ptx::bytes_of(*type) != 4 && ptx::bytes_of(*type) != 8)) {
      return std::nullopt;
    }
    Access access;
    access.loads = instruction.opcode == "ld";
    access.constant = is_of_constants(instruction);
    access.bytes = ptx::bytes_of(*type);
    const Operand& place = instruction.operands[access.loads ? 1 : 0];
    access.value = &instruction.operands[access.loads ? 0 : 1];
    access.base = &place.elements[0];
    access.offset = place.offset + access.base->offset;
    const bool simple = access.value->kind == Operand::Kind::kRegister && access.value->component < 0 &&
                        (access.base->kind == Operand::Kind::kRegister || access.base->kind == Operand::Kind::kSymbol);
    const bool is_operand = access.constant && access.base->kind == Operand::Kind::kSymbol &&
                            (reads_constants_ || instruction.modifiers[0] == "param");
    return simple && !is_operand ? std::optional(access) : std::nullopt;
  }

  static bool same_base(const Operand& a, const Operand& b) {
    return a.kind == b.kind && a.number == b.number && a.scope == b.scope;
  }

  static bool same_guard(const Instruction& a, const Instruction& b) {
    return a.guard.has_value() == b.guard.has_value() &&
           (!a.guard || (a.guard->predicate == b.guard->predicate && a.guard->negated == b.guard->negated));
  }

  // Whether an access further down may move up to `first` (loads), or the first one down to it (stores).
  bool blocks(const Instruction& between, bool loads) const {
    const bool is_memory = between.opcode == "ld" || between.opcode == "st";
    if (is_memory) {
      const bool near = has_word(between, "shared");
      const bool far = has_word(between, "global") || has_word(between, "param") || has_word(between, "const") ||
                       has_word(between, "local");
      return !far && (!near || between.opcode == "st" || !loads) && !(loads && near && between.opcode == "ld");
    }
    return between.opcode == "atom" || between.opcode == "red" || between.opcode == "bar" ||
           between.opcode == "barrier" || between.opcode == "call" || between.opcode == "membar" ||
           between.opcode == "fence" || between.opcode == "cp" || between.opcode == "mbarrier" ||
           between.opcode == "wmma" || between.opcode == "stmatrix" || between.opcode == "shfl" ||
           ptx::ends_block(between);
  }

  void merge_from(std::uint32_t first, std::uint32_t end) {
    if (taken(first)) {
      return;
    }
    const auto start = access_of(function_.body[first]);
    if (!start) {
      return;
    }
    Operand whole_base = copy_of(*start->base);
    const std::uint32_t alignment = std::min(alignment_of(whole_base), kWidest);
    std::map<std::int64_t, std::uint32_t> found{{start->offset, first}};
    std::vector<std::uint32_t> touched;  // registers that instructions in between read or write
    for (std::uint32_t i = first + 1; i < end && i < first + kFurthest; ++i) {
      const Instruction& candidate = function_.body[i];
      const auto access = access_of(candidate);
      const bool fits =
          access && access->loads == start->loads && access->constant == start->constant &&
          candidate.modifiers[0] == function_.body[first].modifiers[0] && access->bytes == start->bytes && !taken(i) &&
          same_base(*access->base, *start->base) && same_guard(candidate, function_.body[first]) &&
          std::ranges::find(touched, access->value->number) == touched.end() && !found.contains(access->offset);
      if (fits) {
        found.emplace(access->offset, i);
        if (!start->loads) {
          continue;
        }
      } else if (!start->constant && blocks(candidate, start->loads)) {
        break;
      }
      bool base_changes = false;
      ptx::visit_written_registers(candidate, [&](std::uint32_t reg) {
        touched.push_back(reg);
        base_changes = base_changes || (start->base->kind == Operand::Kind::kRegister && reg == start->base->number) ||
                       (function_.body[first].guard && reg == function_.body[first].guard->predicate);
      });
      if (start->loads) {
        ptx::visit_read_registers(candidate, [&](std::uint32_t reg) { touched.push_back(reg); });
      }
      if (base_changes) {
        break;
      }
    }
    combine(*start, found, alignment);
  }

  // The widest aligned group of neighbours that contains the first one.
  void combine(const Access& start, const std::map<std::int64_t, std::uint32_t>& found, std::uint32_t alignment) {
    for (std::uint32_t bytes = std::min(alignment, start.constant ? kWidestConstant : kWidest); bytes > start.bytes;
         bytes /= 2) {
      const auto width = static_cast<std::int64_t>(bytes);
      const std::int64_t begin =
          start.offset >= 0 ? start.offset / width * width : (start.offset - width + 1) / width * width;
      std::vector<std::uint32_t> members;
      for (std::int64_t at = begin; at < begin + width; at += start.bytes) {
        const auto member = found.find(at);
        if (member == found.end()) {
          break;
        }
        members.push_back(member->second);
      }
      if (members.size() * start.bytes != bytes) {
        continue;
      }
      write(start, members, begin);
      return;
    }
  }

  // Loads of constants have two words at most: wider ones in the PTX become several.
  void split_wide(std::uint32_t index) {
    const Instruction& load = function_.body[index];
    if (load.opcode != "ld" || load.modifiers.size() != 3 || !is_of_constants(load) ||
        load.operands[1].elements[0].kind != Operand::Kind::kRegister) {
      return;
    }
    const auto type = ptx::data_type_of(load.modifiers[2]);
    const std::vector<Operand>& elements = load.operands[0].elements;
    const std::uint32_t bytes = type ? ptx::bytes_of(*type) : 0;
    const std::size_t count = bytes == 0 ? 0 : kWidestConstant / bytes;  // elements of a load
    const bool overwrites = std::ranges::any_of(
        elements, [&](const Operand& element) { return element.number == load.operands[1].elements[0].number; });
    if (bytes < 4 || elements.size() <= count || overwrites) {
      return;
    }
    for (std::size_t first = 0; first < elements.size(); first += count) {
      Instruction part = copy_of(load);
      part.operands[1].offset += static_cast<std::int64_t>(first * bytes);
      if (count == 1) {
        part.operands[0] = copy_of(elements[first]);
        part.modifiers.erase(part.modifiers.begin() + 1);
      } else {
        part.operands[0].elements.clear();
        part.operands[0].elements.push_back(copy_of(elements[first]));
        part.operands[0].elements.push_back(copy_of(elements[first + 1]));
        part.modifiers[1] = "v2";
      }
      editor_.insert(index, std::move(part));
    }
    editor_.remove(index);
  }

  void write(const Access& start, const std::vector<std::uint32_t>& members, std::int64_t offset) {
    const auto [lowest, highest] = std::ranges::minmax(members);
    const std::uint32_t at = start.loads ? lowest : highest;
    Instruction merged = copy_of(function_.body[members.front()]);
    merged.place = function_.body[lowest].place;
    merged.modifiers.insert(merged.modifiers.begin() + 1, members.size() == 4 ? "v4" : "v2");
    Operand& value = merged.operands[start.loads ? 0 : 1];
    Operand vector;
    vector.kind = Operand::Kind::kVector;
    vector.place = value.place;
    for (const std::uint32_t member : members) {
      vector.elements.push_back(copy_of(function_.body[member].operands[start.loads ? 0 : 1]));
    }
    value = std::move(vector);
    Operand& place = merged.operands[start.loads ? 1 : 0];
    place.offset = offset - place.elements[0].offset;
    editor_.insert(at, std::move(merged));
    for (const std::uint32_t member : members) {
      editor_.remove(member);
      taken_.push_back(member);
    }
  }

  bool taken(std::uint32_t instruction) const { return std::ranges::find(taken_, instruction) != taken_.end(); }

  static constexpr std::uint32_t kFurthest = 64;  // maximum distance in instructions

  const ptx::Module& module_;
  ptx::Function& function_;
  bool reads_constants_;
  ptx::FlowGraph graph_;
  RegisterFacts facts_;
  BodyEditor editor_;
  std::vector<std::uint32_t> taken_;
  std::map<std::uint32_t, std::uint32_t> alignments_;  // by register
};

void align(ptx::Variable& variable) {
  if (variable.space == ptx::StateSpace::kShared || variable.space == ptx::StateSpace::kConstant) {
    variable.alignment = std::max(variable.alignment, kWidest);
  }
}

}  // namespace

void align_near_variables(ptx::Module& module) {
  std::ranges::for_each(module.variables, align);
  for (ptx::Function& function : module.functions) {
    std::ranges::for_each(function.variables, align);
  }
}

void merge_accesses(const ptx::Module& module, ptx::Function& function, bool reads_constants) {
  if (!function.body.empty()) {
    Merger(module, function, reads_constants).run();
  }
}

}  // namespace warpsim::codegen
