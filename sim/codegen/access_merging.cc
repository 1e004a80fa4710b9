#include "codegen/access_merging.h"

#include <algorithm>
#include <map>
#include <optional>

#include "codegen/address_alignment.h"
#include "codegen/body_editor.h"
#include "codegen/constant_places.h"
#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr std::uint32_t kWidest = AddressAlignment::kMost;  // bytes of an access
constexpr std::uint32_t kWidestConstant = 8;                // of one to constant memory

class Merger {
 public:
  Merger(const ptx::Module& module, ptx::Function& function, bool reads_constants)
      : module_(module),
        function_(function),
        reads_constants_(reads_constants),
        graph_(ptx::make_flow_graph(function)),
        facts_(function, graph_),
        alignment_(module, function, graph_, facts_),
        editor_(function) {
    find_loop_bases();
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

  // Addresses in registers that loops change.
  void find_loop_bases() {
    for (const Instruction& instruction : function_.body) {
      const auto access = access_of(instruction);
      if (access && access->base->kind == Operand::Kind::kRegister &&
          facts_.only_write(access->base->number) == RegisterFacts::kNowhere) {
        alignment_.learn_loop_base(access->base->number, access->space == Space::kConstant ? kWidestConstant : kWidest);
      }
    }
  }

  enum class Space : std::uint8_t { kShared, kConstant, kGlobal };
  struct Access {
    bool loads = false;
    Space space = Space::kShared;
    std::uint32_t bytes = 0;
    std::int64_t offset = 0;
    const Operand* base = nullptr;
    const Operand* value = nullptr;
  };

  std::optional<Space> space_of_access(const Instruction& instruction) const {
    const std::size_t words = instruction.modifiers.size();
    if (is_of_constants(instruction)) {
      return words == 2 ? std::optional(Space::kConstant) : std::nullopt;
    }
    if (instruction.modifiers[0] == "shared") {
      return words == 2 ? std::optional(Space::kShared) : std::nullopt;
    }
    const bool is_plain = words == 2 || (words == 3 && instruction.modifiers[1] == "nc");
    return instruction.modifiers[0] == "global" && is_plain ? std::optional(Space::kGlobal) : std::nullopt;
  }

  // A plain access of a word or two.
  std::optional<Access> access_of(const Instruction& instruction) const {
    if ((instruction.opcode != "ld" && instruction.opcode != "st") || instruction.modifiers.size() < 2) {
      return std::nullopt;
    }
    const std::optional<Space> space = space_of_access(instruction);
    const auto type = ptx::data_type_of(instruction.modifiers.back());
    if (!space || !type || (ptx::bytes_of(*type) != 4 && ptx::bytes_of(*type) != 8)) {
      return std::nullopt;
    }
    Access access;
    access.loads = instruction.opcode == "ld";
    access.space = *space;
    access.bytes = ptx::bytes_of(*type);
    const Operand& place = instruction.operands[access.loads ? 1 : 0];
    access.value = &instruction.operands[access.loads ? 0 : 1];
    access.base = &place.elements[0];
    access.offset = place.offset + access.base->offset;
    const bool simple = access.value->kind == Operand::Kind::kRegister && access.value->component < 0 &&
                        (access.base->kind == Operand::Kind::kRegister || access.base->kind == Operand::Kind::kSymbol);
    const bool is_operand = access.space == Space::kConstant && access.base->kind == Operand::Kind::kSymbol &&
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

  // Whether an access further down may move up to the first one (loads), or the first one down to it (stores).
  bool blocks(const Instruction& between, const Access& start) const {
    if (between.opcode == "ld" || between.opcode == "st") {
      return start.space == Space::kGlobal ? blocks_far(between, start) : blocks_near(between, start.loads);
    }
    return between.opcode == "atom" || between.opcode == "red" || between.opcode == "bar" ||
           between.opcode == "barrier" || between.opcode == "call" || between.opcode == "membar" ||
           between.opcode == "fence" || between.opcode == "cp" || between.opcode == "mbarrier" ||
           between.opcode == "wmma" || between.opcode == "stmatrix" || between.opcode == "shfl" ||
           ptx::ends_block(between);
  }

  static bool blocks_near(const Instruction& between, bool loads) {
    const bool near = has_word(between, "shared");
    const bool far = has_word(between, "global") || has_word(between, "param") || has_word(between, "const") ||
                     has_word(between, "local");
    return !far && (!near || between.opcode == "st" || !loads) && !(loads && near && between.opcode == "ld");
  }

  // Stores at other offsets from the same base are elsewhere.
  bool blocks_far(const Instruction& between, const Access& start) const {
    const bool elsewhere = has_word(between, "shared") || has_word(between, "param") || has_word(between, "const") ||
                           has_word(between, "local") || has_word(between, "nc");
    if (elsewhere || (start.loads && between.opcode == "ld" && !has_word(between, "volatile"))) {
      return false;
    }
    const Operand& place = between.operands[between.opcode == "ld" ? 1 : 0];
    return between.opcode == "ld" || !has_word(between, "global") || !same_base(place.elements[0], *start.base);
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
    const std::uint32_t alignment = alignment_.of(whole_base, first);
    std::map<std::int64_t, std::uint32_t> found{{start->offset, first}};
    std::vector<std::uint32_t> touched;  // registers that instructions in between read or write
    for (std::uint32_t i = first + 1; i < end && i < first + kFurthest; ++i) {
      const Instruction& candidate = function_.body[i];
      const auto access = access_of(candidate);
      const bool fits =
          access && access->loads == start->loads && access->space == start->space &&
          candidate.modifiers.size() == function_.body[first].modifiers.size() &&
          candidate.modifiers[0] == function_.body[first].modifiers[0] && access->bytes == start->bytes && !taken(i) &&
          same_base(*access->base, *start->base) && same_guard(candidate, function_.body[first]) &&
          std::ranges::find(touched, access->value->number) == touched.end() && !found.contains(access->offset);
      if (fits) {
        found.emplace(access->offset, i);
        if (!start->loads) {
          continue;
        }
      } else if (start->space != Space::kConstant && blocks(candidate, *start)) {
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
    for (std::uint32_t bytes = std::min(alignment, start.space == Space::kConstant ? kWidestConstant : kWidest);
         bytes > start.bytes; bytes /= 2) {
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
    merged.modifiers.insert(merged.modifiers.end() - 1, members.size() == 4 ? "v4" : "v2");
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
  AddressAlignment alignment_;
  BodyEditor editor_;
  std::vector<std::uint32_t> taken_;
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
