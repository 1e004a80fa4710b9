#include "codegen/register_assignment.h"

#include <algorithm>
#include <array>
#include <bit>

#include "ptx/flow_graph.h"
#include "ptx/liveness.h"

namespace warpsim::codegen {

namespace {

struct Interval {
  Number value = 0;
  Number begin = kNone;
  Number end = 0;
  void see(Number at) {
    begin = begin == kNone ? at : std::min(begin, at);
    end = std::max(end, at);
  }
};

// Registers of one file, taken and given back.
class RegisterFile {
 public:
  RegisterFile(std::uint32_t first, std::uint32_t count) : free_(count, true) {
    std::fill_n(free_.begin(), first, false);
  }
  // The lowest that fit; the last ones if none do.
  std::uint32_t take(std::uint32_t words) {
    const std::uint32_t alignment = std::bit_ceil(words);
    const auto size = static_cast<std::uint32_t>(free_.size());
    for (std::uint32_t at = 0; at + words <= size; at += alignment) {
      if (std::all_of(free_.begin() + at, free_.begin() + at + words, [](bool free) { return free; })) {
        std::fill_n(free_.begin() + at, words, false);
        most_ = std::max(most_, at + words);
        return at;
      }
    }
    most_ = size;
    return size - words;
  }
  void give_back(std::uint32_t first, std::uint32_t words) { std::fill_n(free_.begin() + first, words, true); }
  std::uint32_t most() const { return most_; }

 private:
  std::vector<bool> free_;
  std::uint32_t most_ = 0;
};

Number whole(const std::vector<Value>& values, Number value) {
  return values[value].part_of == kNone ? value : values[value].part_of;
}

std::vector<Interval> intervals_of(const ptx::Function& function, const SelectedFunction& selected) {
  std::vector<Interval> intervals(selected.values.size());
  for (Number i = 0; i < intervals.size(); ++i) {
    intervals[i].value = i;
  }
  const auto see = [&](Number value, Number at) { intervals[whole(selected.values, value)].see(at); };
  for (Number i = 0; i < selected.code.size(); ++i) {
    const auto see_operand = [&](const MachineOperand& operand) {
      if (operand.value != kNone) {
        see(operand.value, i);
      }
      if (operand.second != kNone) {
        see(operand.second, i);
      }
      if (operand.descriptor != kNone) {
        see(operand.descriptor, i);
      }
    };
    std::ranges::for_each(selected.code[i].operands, see_operand);
    see_operand(selected.code[i].guard);
  }
  // Round loops, and past what lies between in memory.
  const ptx::FlowGraph graph = ptx::make_flow_graph(function);
  const std::vector<ptx::RegisterSet> live = ptx::live_at_blocks(function, graph);
  for (std::uint32_t block = 0; block < graph.count(); ++block) {
    const Number begin = selected.places[graph.blocks[block].begin].first;
    live[block].each([&](std::uint32_t reg) {
      if (intervals[whole(selected.values, selected.value_of[reg])].begin != kNone) {
        see(selected.value_of[reg], begin);
      }
    });
    for (const std::uint32_t next : graph.blocks[block].successors) {
      const Number end = selected.places[graph.blocks[block].end].first;
      live[next].each([&](std::uint32_t reg) {
        if (intervals[whole(selected.values, selected.value_of[reg])].begin != kNone) {
          see(selected.value_of[reg], end == 0 ? 0 : end - 1);
        }
      });
    }
  }
  // What is folded into a loop is needed all the way round it.
  for (std::uint32_t block = 0; block < graph.count(); ++block) {
    for (const std::uint32_t header : graph.blocks[block].successors) {
      if (header > block) {
        continue;
      }
      const Number begin = selected.places[graph.blocks[header].begin].first;
      const Number end = selected.places[graph.blocks[block].end].first;
      for (Interval& interval : intervals) {
        if (interval.begin != kNone && interval.begin < begin && interval.end >= begin && interval.end < end) {
          interval.end = end - 1;
        }
      }
    }
  }
  return intervals;
}

}  // namespace

AssignedRegisters assign_registers(const ptx::Function& function, const SelectedFunction& selected) {
  std::vector<Interval> intervals = intervals_of(function, selected);
  std::erase_if(intervals, [](const Interval& interval) { return interval.begin == kNone; });
  std::ranges::stable_sort(intervals, {}, &Interval::begin);
  AssignedRegisters result;
  result.first.assign(selected.values.size(), 0);
  constexpr std::uint32_t kGeneral = 255;
  constexpr std::uint32_t kPredicates = 7;
  constexpr std::uint32_t kUniform = 63;
  constexpr std::uint32_t kFirstUniform = 4;
  // R1 is the stack pointer.
  std::array<RegisterFile, 4> files{RegisterFile(0, kGeneral), RegisterFile(0, kPredicates),
                                    RegisterFile(kFirstUniform, kUniform), RegisterFile(0, kPredicates)};
  RegisterFile& general = files[0];
  general.take(1);
  general.take(1);
  general.give_back(0, 1);
  std::vector<Interval> active;
  for (const Interval& interval : intervals) {
    std::erase_if(active, [&](const Interval& old) {
      const bool over = old.end < interval.begin || (old.end == interval.begin && old.begin != old.end);
      if (over) {
        const Value& value = selected.values[old.value];
        files[static_cast<std::size_t>(value.file)].give_back(result.first[old.value], value.words);
      }
      return over;
    });
    const Value& value = selected.values[interval.value];
    result.first[interval.value] = files[static_cast<std::size_t>(value.file)].take(value.words);
    active.push_back(interval);
  }
  for (Number i = 0; i < selected.values.size(); ++i) {
    const Value& value = selected.values[i];
    if (value.part_of != kNone) {
      result.first[i] = result.first[value.part_of] + value.word;
    }
  }
  result.general = general.most();
  return result;
}

}  // namespace warpsim::codegen
