#include "codegen/register_assignment.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "codegen/live_ranges.h"

namespace warpsim::codegen {

namespace {

constexpr std::uint32_t kBanks = 2;  // of the register file, Volta and later

// The ranges in which the consecutive registers of a value are needed.
using Words = std::vector<const std::vector<LiveSegment>*>;

// Registers of one file, and when each is occupied.
class RegisterFile {
 public:
  RegisterFile(std::uint32_t first, std::uint32_t count) : first_(first), taken_(count) {}

  // Occupies `first` and the following ones if they are free whenever they are needed.
  bool take_there(std::uint32_t first, const Words& words) {
    const bool free = first + words.size() <= taken_.size() && are_free(first, words);
    if (free) {
      hold(first, words);
    }
    return free;
  }

  // The lowest registers that are free when needed; the last ones if none are. A single register comes from `bank`
  // if that needs no additional one.
  std::uint32_t take(const Words& words, std::optional<std::uint32_t> bank) {
    const auto count = static_cast<std::uint32_t>(words.size());
    const std::uint32_t alignment = std::bit_ceil(count);
    const auto size = static_cast<std::uint32_t>(taken_.size());
    std::uint32_t found = size;
    for (std::uint32_t at = (first_ + alignment - 1) / alignment * alignment; at + count <= size; at += alignment) {
      if (found < size && at >= most_ && !(found >= most_ && at < found + kBanks)) {
        break;
      }
      if (!are_free(at, words)) {
        continue;
      }
      found = std::min(found, at);
      if (!bank || count != 1 || at % kBanks == *bank) {
        found = at;
        break;
      }
    }
    if (found == size) {
      most_ = size;
      return size - count;
    }
    hold(found, words);
    return found;
  }
  void keep(std::uint32_t reg) { taken_[reg] = {{0, kNone}}; }
  std::uint32_t most() const { return most_; }

 private:
  bool are_free(std::uint32_t first, const Words& words) const {
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      const std::vector<LiveSegment>& taken = taken_[first + i];
      for (const LiveSegment& segment : *words[i]) {
        // The last occupied one that begins before the segment's end.
        const auto behind = std::ranges::lower_bound(taken, segment.end, {}, &LiveSegment::begin);
        if (behind != taken.begin() && std::prev(behind)->end > segment.begin) {
          return false;
        }
      }
    }
    return true;
  }
  void hold(std::uint32_t first, const Words& words) {
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      std::vector<LiveSegment>& taken = taken_[first + i];
      taken.insert(taken.end(), words[i]->begin(), words[i]->end());
      std::ranges::sort(taken, {}, &LiveSegment::begin);
    }
    most_ = std::max(most_, first + static_cast<std::uint32_t>(words.size()));
  }

  std::uint32_t first_;
  std::vector<std::vector<LiveSegment>> taken_;  // by register, in order
  std::uint32_t most_ = 0;
};

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
  std::array<std::uint32_t, kBanks> taken{};
  for (const Companion& companion : companions) {
    const Value& value = values[companion.value];
    if (value.part_of != kNone) {  // vectors are aligned
      taken[value.word % kBanks] += companion.weight;
    } else if (assigned[companion.value]) {
      taken[first[companion.value] % kBanks] += companion.weight;
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
        ranges_(find_live_ranges(graph, selected)),
        companions_(companions_of(graph, selected)),
        words_(selected.values.size()),
        parts_(selected.values.size()),
        assigned_(selected.values.size(), false) {
    result_.first.assign(selected.values.size(), 0);
    files_[0].keep(kStackPointer);
    for (Number number = 0; number < selected.values.size(); ++number) {
      words_[number].assign(selected.values[number].words, &ranges_[number]);
    }
    for (Number number = 0; number < selected.values.size(); ++number) {
      const Value& value = selected.values[number];
      if (value.part_of != kNone) {
        words_[value.part_of][value.word] = &ranges_[number];
        parts_[value.part_of].push_back(number);
      }
    }
  }

  AssignedRegisters run() {
    for (const Number number : order()) {
      place(number);
    }
    result_.general = std::max({files_[0].most(), kStackPointer + 1, registers_of_paths()});
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kGeneral = 255;
  static constexpr std::uint32_t kPredicates = 7;
  static constexpr std::uint32_t kUniform = 63;
  static constexpr std::uint32_t kFirstUniform = 4;
  static constexpr std::uint32_t kStackPointer = 1;

  Number begin_of(Number number) const {
    Number begin = kNone;
    for (const std::vector<LiveSegment>* const range : words_[number]) {
      begin = range->empty() ? begin : std::min(begin, range->front().begin);
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
    RegisterFile& file = files_[static_cast<std::size_t>(value.file)];
    const Number near = place_near(number);
    if (near != kNone && file.take_there(result_.first[near], words_[number])) {
      result_.first[number] = result_.first[near];
    } else {
      std::optional<std::uint32_t> bank;
      if (value.file == Value::File::kGeneral && value.words == 1) {
        bank = bank_for(companions_[number], selected_.values, result_.first, assigned_);
      }
      result_.first[number] = file.take(words_[number], bank);
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
  std::vector<std::vector<LiveSegment>> ranges_;
  std::vector<std::vector<Companion>> companions_;
  std::vector<Words> words_;                // by value
  std::vector<std::vector<Number>> parts_;  // by vector
  std::vector<bool> assigned_;
  std::array<RegisterFile, 4> files_{RegisterFile(0, kGeneral), RegisterFile(0, kPredicates),
                                     RegisterFile(kFirstUniform, kUniform), RegisterFile(0, kPredicates)};
  AssignedRegisters result_;
};

}  // namespace

AssignedRegisters assign_registers(const ptx::FlowGraph& graph, const SelectedFunction& selected) {
  return Assignment(graph, selected).run();
}

}  // namespace warpsim::codegen
