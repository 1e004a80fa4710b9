#include "codegen/register_assignment.h"

#include <algorithm>
#include <array>
#include <optional>

#include "codegen/code_estimate.h"
#include "codegen/live_ranges.h"
#include "codegen/predicate_limit.h"
#include "codegen/register_pool.h"

namespace warpsim::codegen {

namespace {

// Which general registers are read together: for each value, the others and the weight of placing them in
// different banks.
struct Companion {
  Number value = 0;
  std::uint32_t weight = 0;
};

std::vector<std::vector<Companion>> companions_of(const ptx::FlowGraph& graph, const SelectedFunction& selected) {
  constexpr std::uint32_t kThree = 4;  // two of three reads always conflict
  constexpr std::uint32_t kOfLoop = 8;
  constexpr std::uint32_t kDeepest = 4;
  const std::vector<std::uint32_t> depth = ptx::loop_depths(graph, ptx::immediate_dominators(graph));
  std::vector<std::vector<Companion>> companions(selected.values.size());
  for (std::uint32_t block = 0; block < graph.count(); ++block) {
    std::uint32_t weight = 1;
    for (std::uint32_t i = 0; i < std::min(depth[block], kDeepest); ++i) {
      weight *= kOfLoop;
    }
    const Number end = selected.places[graph.blocks[block].end].first;
    for (Number i = selected.places[graph.blocks[block].begin].first; i < end; ++i) {
      std::vector<Number> read;
      const std::vector<MachineOperand>& operands = selected.code[i].operands;
      for (std::size_t k = 1; k < operands.size(); ++k) {
        const Number value = operands[k].value;
        if (value != kNone && selected.values[value].file == Value::File::kGeneral &&
            selected.values[value].words == 1 && std::ranges::find(read, value) == read.end()) {
          read.push_back(value);
        }
      }
      for (const Number one : read) {
        for (const Number other : read) {
          if (one != other) {
            companions[one].push_back({other, read.size() > 2 ? weight * kThree : weight});
          }
        }
      }
    }
  }
  return companions;
}

// The bank with fewer of the values that are read together with this one, as far as known.
std::optional<std::uint32_t> bank_for(const std::vector<Companion>& companions, const std::vector<Value>& values,
                                      const std::vector<std::uint32_t>& first, const std::vector<bool>& assigned) {
  std::array<std::uint32_t, RegisterPool::kBanks> taken{};
  for (const Companion& companion : companions) {
    const Value& value = values[companion.value];
    if (value.part_of != kNone) {  // vectors are aligned
      taken[value.word % RegisterPool::kBanks] += companion.weight;
    } else if (assigned[companion.value]) {
      taken[first[companion.value] % RegisterPool::kBanks] += companion.weight;
    }
  }
  if (taken[0] == taken[1]) {
    return {};
  }
  return taken[0] < taken[1] ? 0 : 1;
}

class Assignment {
 public:
  Assignment(const ptx::FlowGraph& graph, const SelectedFunction& selected)
      : selected_(selected),
        estimate_(graph, selected),
        ranges_(find_live_ranges(graph, selected)),
        pending_(selected.values.size()),
        companions_(companions_of(graph, selected)),
        claims_(selected.values.size()),
        parts_(selected.values.size()) {
    for (Number number = 0; number < selected.values.size(); ++number) {
      claims_[number].assign(selected.values[number].words, {&ranges_[number], &pending_[number]});
    }
    for (Number number = 0; number < selected.values.size(); ++number) {
      const Value& value = selected.values[number];
      if (value.part_of != kNone) {
        claims_[value.part_of][value.word] = {&ranges_[number], &pending_[number]};
        parts_[value.part_of].push_back(number);
      }
    }
  }

  // With as few registers as possible, or so that no result is written where a memory access may still read.
  AssignedRegisters run(const std::vector<std::uint32_t>& steps) {
    constexpr std::array<Number, 3> kReadTimes{16, 6, 3};  // assumed, in instructions
    constexpr std::uint32_t kFew = 2;                      // assumed
    AssignedRegisters best = assign(0);
    const auto step = std::ranges::lower_bound(steps, best.general);
    const std::uint32_t most = std::min(step == steps.end() ? best.general : *step, best.general + kFew);
    std::uint64_t best_cycles = estimate_.cycles(best);
    for (const Number time : kReadTimes) {
      std::ranges::move(find_pending_reads(selected_, estimate_.accesses(), time),
                        pending_.begin());  // claims_ point to the elements
      AssignedRegisters quiet = assign(most);
      if (quiet.general > most) {
        continue;
      }
      const std::uint64_t cycles = estimate_.cycles(quiet);
      if (cycles < best_cycles) {
        best = std::move(quiet);
        best_cycles = cycles;
      }
    }
    return best;
  }

 private:
  static constexpr std::uint32_t kGeneral = 255;
  static constexpr std::uint32_t kUniform = 63;
  static constexpr std::uint32_t kFirstUniform = 4;
  static constexpr std::uint32_t kStackPointer = 1;

  AssignedRegisters assign(std::uint32_t quiet_below) {
    files_ = {RegisterPool(0, kGeneral), RegisterPool(0, kPredicateRegisters), RegisterPool(kFirstUniform, kUniform),
              RegisterPool(0, kPredicateRegisters)};
    files_[0].keep(kStackPointer);
    files_[0].be_quiet_below(quiet_below);
    result_ = {};
    result_.first.assign(selected_.values.size(), 0);
    assigned_.assign(selected_.values.size(), false);
    for (const Number number : order()) {
      place(number);
    }
    result_.general = std::max({files_[0].most(), kStackPointer + 1, registers_of_paths()});
    return result_;
  }

  Number begin_of(Number number) const {
    Number begin = kNone;
    for (const RegisterPool::Word& word : claims_[number]) {
      begin = word.needed->empty() ? begin : std::min(begin, word.needed->front().begin);
    }
    return begin;
  }

  // Vectors first, which need aligned registers; single registers fit anywhere between.
  std::vector<Number> order() const {
    std::vector<Number> order;
    std::vector<Number> begins(selected_.values.size());
    for (Number number = 0; number < begins.size(); ++number) {
      begins[number] = begin_of(number);
      if (selected_.values[number].part_of == kNone && begins[number] != kNone) {
        order.push_back(number);
      }
    }
    std::ranges::stable_sort(order, [&](Number a, Number b) {
      const std::uint8_t words_a = selected_.values[a].words;
      const std::uint8_t words_b = selected_.values[b].words;
      return words_a != words_b ? words_a > words_b : begins[a] < begins[b];
    });
    return order;
  }

  void place(Number number) {
    const Value& value = selected_.values[number];
    RegisterPool& file = files_[static_cast<std::size_t>(value.file)];
    const Number near = place_near(number);
    if (near != kNone && file.take_there(result_.first[near], claims_[number])) {
      result_.first[number] = result_.first[near];
    } else {
      std::optional<std::uint32_t> bank;
      if (value.file == Value::File::kGeneral && value.words == 1) {
        bank = bank_for(companions_[number], selected_.values, result_.first, assigned_);
      }
      result_.first[number] = file.take(claims_[number], bank);
    }
    assigned_[number] = true;
    for (const Number part : parts_[number]) {
      result_.first[part] = result_.first[number] + selected_.values[part].word;
      assigned_[part] = true;
    }
  }

  // Registers where a rare path is called, beside the values that live on.
  std::uint32_t registers_of_paths() const {
    std::uint32_t most = 0;
    for (Number i = 0; i < selected_.code.size() && !selected_.path_registers.empty(); ++i) {
      const MachineInstruction& branch = selected_.code[i];
      const auto path = selected_.path_registers.find(branch.ptx);
      if (branch.opcode == "BRA" && branch.label == kNone && path != selected_.path_registers.end()) {
        most = std::max(most, words_across(i, path->first) + path->second + kStackPointer);
      }
    }
    return std::min(most, kGeneral);
  }

  // Words of values that are needed before and behind the machine instructions of a PTX instruction around `index`.
  std::uint32_t words_across(Number index, Number ptx) const {
    Number first = index;
    Number last = index;
    while (first > 0 && selected_.code[first - 1].ptx == ptx) {
      --first;
    }
    while (last + 1 < selected_.code.size() && selected_.code[last + 1].ptx == ptx) {
      ++last;
    }
    std::uint32_t words = 0;
    for (Number number = 0; number < ranges_.size(); ++number) {
      const Value& value = selected_.values[number];
      const bool lives_on = std::ranges::any_of(ranges_[number], [&](const LiveSegment& segment) {
        return segment.begin <= 2 * first && segment.end > 2 * last + 2;
      });
      const bool is_whole = parts_[number].empty();
      words += value.file == Value::File::kGeneral && is_whole && lives_on ? value.words : 0U;
    }
    return words;
  }

  // The value whose register this one takes best, so that sums stay in place: one that is read by the instruction that
  // first writes this one, or preferably one written by the instruction that reads this one last.
  Number place_near(Number number) const {
    const Value& value = selected_.values[number];
    if (value.words != 1 || ranges_[number].empty()) {
      return kNone;
    }
    Number found = kNone;
    const auto look = [&](Number index) {
      for (const MachineOperand& operand : selected_.code[index].operands) {
        const bool known = operand.value != kNone && operand.value != number && assigned_[operand.value];
        if (known && selected_.values[operand.value].words == 1 && selected_.values[operand.value].file == value.file) {
          found = operand.value;
        }
      }
    };
    look(ranges_[number].front().begin / 2);
    look(std::min(ranges_[number].back().end / 2, static_cast<Number>(selected_.code.size()) - 1));
    return found;
  }

  const SelectedFunction& selected_;
  CodeEstimate estimate_;
  std::vector<std::vector<LiveSegment>> ranges_;
  std::vector<std::vector<LiveSegment>> pending_;
  std::vector<std::vector<Companion>> companions_;
  std::vector<RegisterPool::Claim> claims_;  // by value
  std::vector<std::vector<Number>> parts_;   // by vector
  std::vector<bool> assigned_;
  std::array<RegisterPool, 4> files_{RegisterPool(0, kGeneral), RegisterPool(0, kPredicateRegisters),
                                     RegisterPool(kFirstUniform, kUniform), RegisterPool(0, kPredicateRegisters)};
  AssignedRegisters result_;
};

}  // namespace

AssignedRegisters assign_registers(const ptx::FlowGraph& graph, const SelectedFunction& selected,
                                   const std::vector<std::uint32_t>& steps) {
  return Assignment(graph, selected).run(steps);
}

}  // namespace warpsim::codegen
