#include "codegen/instruction_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "codegen/instruction_effects.h"
#include "codegen/predicate_limit.h"
#include "codegen/register_facts.h"
#include "codegen/result_latency.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;

constexpr std::uint32_t kToGuard = 13;  // from a comparison to the instruction that it guards

// Time runs backwards, from the run's end.
struct Node {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> before;  // what it depends on, with the distance in cycles
  std::uint32_t missing = 0;                                    // dependents that are not placed yet
  std::uint32_t depth = 0;                                      // cycles from the run's beginning to here
  std::uint32_t ready_at = 0;
};

// Registers of both kinds, or a difference of them.
struct Amount {
  std::int32_t words = 0;
  std::int32_t predicates = 0;
};

// What a run of instructions of one block needs of registers.
struct Room {
  Amount limit;                    // registers for values
  ptx::RegisterSet needed_behind;  // values
};

class RunOrder {
 public:
  RunOrder(const ptx::Function& function, const RegisterPressure& pressure, std::uint32_t begin, std::uint32_t end,
           Room room)
      : function_(function),
        pressure_(pressure),
        begin_(begin),
        nodes_(end - begin),
        room_(std::move(room)),
        live_(room_.needed_behind) {
    for (std::uint32_t i = 0; i < count(); ++i) {
      memory_uses_.push_back(memory_use(at(i)));
    }
  }

  // Instructions of the run in their new order.
  std::vector<std::uint32_t> order() {
    find_dependences();
    find_depths();
    return schedule();
  }

 private:
  const Instruction& at(std::uint32_t node) const { return function_.body[begin_ + node]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }

  void depend(std::uint32_t later, std::uint32_t earlier, std::uint32_t cycles) {
    nodes_[later].before.emplace_back(earlier, cycles);
    ++nodes_[earlier].missing;
  }

  // Of registers and carries.
  void find_dependences() {
    constexpr std::uint32_t kNobody = 0xffffffffU;
    std::vector<std::uint32_t> writer(function_.registers.size(), kNobody);
    std::vector<std::vector<std::uint32_t>> readers(function_.registers.size());
    std::uint32_t last_carry = kNobody;
    for (std::uint32_t i = 0; i < count(); ++i) {
      const Instruction& instruction = at(i);
      ptx::visit_read_registers(instruction, [&](std::uint32_t reg) {
        if (writer[reg] != kNobody && writer[reg] != i) {
          const bool guards = instruction.guard && instruction.guard->predicate == reg;
          depend(i, writer[reg], guards ? kToGuard : latency_of(at(writer[reg])));
        }
        readers[reg].push_back(i);
      });
      for (const std::uint32_t value : pressure_.reads(begin_ + i)) {  // also sources of what is folded into it
        readers[value].push_back(i);
      }
      ptx::visit_written_registers(instruction, [&](std::uint32_t reg) {
        for (const std::uint32_t reader : readers[reg]) {
          if (reader != i) {
            depend(i, reader, 0);
          }
        }
        readers[reg].clear();
        if (writer[reg] != kNobody && writer[reg] != i) {
          depend(i, writer[reg], 1);
        }
        writer[reg] = i;
        if (instruction.guard) {  // keeps the old value for others
          readers[reg].push_back(i);
        }
      });
      if (uses_carry(instruction)) {
        if (last_carry != kNobody) {
          depend(i, last_carry, 4);
        }
        last_carry = i;
      }
    }
    find_effect_dependences();
    find_uniform_dependences(readers);
  }

  // A uniform value is read just before it is needed, and after the readers of the one before it: ptxas 13.0 uses one
  // or two uniform registers in turn where there are many of them.
  void find_uniform_dependences(const std::vector<std::vector<std::uint32_t>>& readers) {
    std::vector<std::uint32_t> before;  // values of the last read
    for (std::uint32_t i = 0; i < count(); ++i) {
      std::vector<std::uint32_t> values;
      ptx::visit_written_registers(at(i), [&](std::uint32_t reg) {
        if (pressure_.is_uniform_value(reg)) {
          values.push_back(reg);
        }
      });
      if (values.empty()) {
        continue;
      }
      for (const std::uint32_t value : before) {
        for (const std::uint32_t reader : readers[value]) {
          if (reader < i) {
            depend(i, reader, 0);
          }
        }
      }
      before = std::move(values);
    }
  }

  // Of effects that others observe: memory, barriers, clocks, the end of the block.
  void find_effect_dependences() {
    constexpr std::uint32_t kNobody = 0xffffffffU;
    std::vector<std::uint32_t> loads;  // since the last fence, in order
    std::vector<std::uint32_t> others;
    std::uint32_t last_fence = kNobody;
    for (std::uint32_t i = 0; i < count(); ++i) {
      const bool ends = ptx::ends_block(at(i)) || reads_clock(at(i));
      const MemoryUse use = memory_uses_[i];
      if (ends || use.effect == Effect::kFence) {  // after everything before it
        for (std::uint32_t j = ends || last_fence == kNobody ? 0 : last_fence; j < i; ++j) {
          if (ends || memory_uses_[j].effect != Effect::kNone || j == last_fence) {
            depend(i, j, 0);
          }
        }
        loads.clear();
        others.clear();
        last_fence = i;
        continue;
      }
      const bool held = last_fence != kNobody && (use.effect != Effect::kNone || reads_clock(at(last_fence)));
      if (held) {
        depend(i, last_fence, 1);
      }
      if (use.effect == Effect::kNone) {
        continue;
      }
      const auto follow = [&](const std::vector<std::uint32_t>& earlier) {
        for (const std::uint32_t j : earlier) {
          const MemoryUse other = memory_uses_[j];
          const bool meet = (use.near && other.near) || (use.far && other.far);  // the same memory
          if (meet && (use.effect == Effect::kStore || other.effect == Effect::kStore)) {
            depend(i, j, 1);
          }
        }
      };
      follow(others);
      if (use.effect == Effect::kLoad) {
        loads.push_back(i);
      } else {
        follow(loads);
        others.push_back(i);
      }
    }
  }

  void find_depths() {
    for (Node& node : nodes_) {
      for (const auto& [earlier, cycles] : node.before) {
        node.depth = std::max(node.depth, nodes_[earlier].depth + std::max(1U, cycles));
      }
    }
  }

  // Registers that its operands would occupy minus those that its results free.
  Amount change_of(std::uint32_t node) const {
    Amount change;
    const auto count = [&](std::uint32_t value, std::int32_t sign) {
      change.words += sign * static_cast<std::int32_t>(pressure_.words(value));
      change.predicates += pressure_.is_predicate(value) ? sign : 0;
    };
    const std::vector<std::uint32_t>& reads = pressure_.reads(begin_ + node);
    for (const std::uint32_t value : pressure_.writes(begin_ + node)) {
      if (!at(node).guard && live_.contains(value) && std::ranges::find(reads, value) == reads.end()) {
        count(value, -1);
      }
    }
    for (const std::uint32_t value : reads) {
      if (!live_.contains(value)) {
        count(value, 1);
      }
    }
    return change;
  }

  static bool fits(std::int32_t change, std::int32_t taken, std::int32_t limit) {
    return change <= 0 || taken + change <= limit;
  }

  std::vector<std::uint32_t> schedule() {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> ready;
    taken_ = {static_cast<std::int32_t>(pressure_.words_of(live_)),
              static_cast<std::int32_t>(pressure_.predicates_of(live_))};
    for (std::uint32_t i = 0; i < count(); ++i) {
      if (nodes_[i].missing == 0) {
        ready.push_back(i);
      }
    }
    std::uint32_t now = 0;
    while (!ready.empty()) {
      const std::size_t best = choose(ready, now);
      const std::uint32_t node = ready[best];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(best));
      now = std::max(now + 1, nodes_[node].ready_at);
      place(node);
      order.push_back(begin_ + node);
      for (const auto& [earlier, cycles] : nodes_[node].before) {
        nodes_[earlier].ready_at = std::max(nodes_[earlier].ready_at, now + cycles);
        if (--nodes_[earlier].missing == 0) {
          ready.push_back(earlier);
        }
      }
    }
    std::ranges::reverse(order);
    return order;
  }

  void place(std::uint32_t node) {
    const Amount change = change_of(node);
    taken_ = {taken_.words + change.words, taken_.predicates + change.predicates};
    for (const std::uint32_t value : pressure_.writes(begin_ + node)) {
      if (!at(node).guard) {
        live_.remove(value);
      }
    }
    for (const std::uint32_t value : pressure_.reads(begin_ + node)) {
      live_.add(value);
    }
  }

  // Of the ready instructions for which there are registers, those whose dependents do not wait for them, and of these
  // the one with the longest path from the beginning; among similar ones the one that takes the fewest registers, from
  // the end of the text. If there are registers for none, the last of the text: there each value is close to its
  // readers.
  std::size_t choose(const std::vector<std::uint32_t>& ready, std::uint32_t now) const {
    constexpr std::uint32_t kSimilar = 16;  // cycles
    struct Rank {
      bool meets = false;  // a fence
      bool fits = false;
      bool waits = false;
      std::uint32_t ready_at = 0;
      std::uint32_t depth = 0;
      std::int32_t change = 0;
      std::uint32_t node = 0;
    };
    const auto rank_of = [&](std::uint32_t node) {
      Rank rank;
      const Amount change = change_of(node);
      rank.change = change.words;
      rank.fits = fits(change.words, taken_.words, room_.limit.words) &&
                  fits(change.predicates, taken_.predicates, room_.limit.predicates);
      rank.meets = memory_uses_[node].effect == Effect::kFence;
      rank.waits = nodes_[node].ready_at > now + 1;
      rank.ready_at = rank.waits ? nodes_[node].ready_at : 0;
      rank.depth = nodes_[node].depth / kSimilar;
      rank.node = node;
      return rank;
    };
    const auto better = [](const Rank& a, const Rank& b) {
      if (a.meets != b.meets) {
        return a.meets;
      }
      if (a.fits != b.fits) {
        return a.fits;
      }
      if (!a.fits) {
        return a.node > b.node;
      }
      if (a.ready_at != b.ready_at) {
        return a.ready_at < b.ready_at;
      }
      if (a.depth != b.depth) {
        return a.depth > b.depth;
      }
      return a.change != b.change ? a.change < b.change : a.node > b.node;
    };
    std::size_t best = 0;
    Rank best_rank = rank_of(ready[0]);
    for (std::size_t i = 1; i < ready.size(); ++i) {
      const Rank rank = rank_of(ready[i]);
      if (better(rank, best_rank)) {
        best = i;
        best_rank = rank;
      }
    }
    return best;
  }

  const ptx::Function& function_;
  const RegisterPressure& pressure_;
  std::uint32_t begin_;
  std::vector<Node> nodes_;
  Room room_;
  std::vector<MemoryUse> memory_uses_;  // by instruction
  ptx::RegisterSet live_;               // in front of what is placed
  Amount taken_;
};

// Longer blocks are ordered in pieces.
constexpr std::uint32_t kLongestRun = 1024;

// The values that are needed behind each run of a block, in order.
std::vector<ptx::RegisterSet> needed_behind_runs(const ptx::FlowGraph::Block& block, const RegisterPressure& pressure,
                                                 ptx::RegisterSet live) {
  std::vector<ptx::RegisterSet> needed;
  for (std::uint32_t i = block.end; i-- > block.begin;) {
    if (i + 1 == block.end || (i + 1 - block.begin) % kLongestRun == 0) {
      needed.push_back(live);
    }
    for (const std::uint32_t value : pressure.reads(i)) {
      live.add(value);
    }
  }
  std::ranges::reverse(needed);
  return needed;
}

}  // namespace

std::vector<std::uint32_t> order_for(const ptx::Function& function, const ptx::FlowGraph& graph,
                                     const RegisterPressure& pressure, std::uint32_t registers) {
  const Amount limit{static_cast<std::int32_t>(registers), static_cast<std::int32_t>(kPredicateRegisters)};
  std::vector<std::uint32_t> order;
  order.reserve(function.body.size());
  for (std::uint32_t number = 0; number < graph.count(); ++number) {
    const ptx::FlowGraph::Block& block = graph.blocks[number];
    std::vector<ptx::RegisterSet> needed = needed_behind_runs(block, pressure, pressure.live_out(number));
    std::size_t run = 0;
    for (std::uint32_t begin = block.begin; begin < block.end; begin += kLongestRun, ++run) {
      RunOrder ordered(function, pressure, begin, std::min(block.end, begin + kLongestRun),
                       {limit, std::move(needed[run])});
      const std::vector<std::uint32_t> part = ordered.order();
      order.insert(order.end(), part.begin(), part.end());
    }
  }
  return order;
}

void reorder(ptx::Function& function, const std::vector<std::uint32_t>& order) {
  std::vector<Instruction> body;
  body.reserve(order.size());
  for (const std::uint32_t i : order) {
    body.push_back(std::move(function.body[i]));
  }
  function.body = std::move(body);
}

}  // namespace warpsim::codegen
