#include "codegen/instruction_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "codegen/instruction_effects.h"
#include "codegen/predicate_limit.h"
#include "codegen/register_facts.h"
#include "codegen/result_latency.h"
#include "codegen/run_graph.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;

// Registers of both kinds, or a difference of them.
struct Amount {
  std::int32_t words = 0;
  std::int32_t predicates = 0;
};

// What a run of instructions of one block needs of registers.
struct Room {
  const OrderLimits& limits;
  std::uint32_t last_part = 0;     // that the run's end belongs to
  ptx::RegisterSet needed_behind;  // values
};

class RunOrder {
 public:
  RunOrder(const ptx::Function& function, const RegisterPressure& pressure, std::uint32_t begin, std::uint32_t end,
           Room room)
      : function_(function),
        pressure_(pressure),
        begin_(begin),
        graph_(function, pressure, begin, end),
        limits_(room.limits),
        part_(room.last_part),
        live_(std::move(room.needed_behind)) {}

  // Instructions of the run in their new order.
  std::vector<std::uint32_t> order() { return schedule(); }
  // From the last part to the first one.
  const std::vector<TightPart>& tight() const { return tight_; }

 private:
  const Instruction& at(std::uint32_t node) const { return function_.body[begin_ + node]; }

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
    for (std::uint32_t i = 0; i < graph_.nodes().size(); ++i) {
      if (graph_.nodes()[i].missing == 0) {
        ready.push_back(i);
      }
    }
    std::uint32_t now = 0;
    while (!ready.empty()) {
      const std::size_t best = choose(ready, now);
      const std::uint32_t node = ready[best];
      note(node);
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(best));
      now = std::max(now + 1, graph_.nodes()[node].ready_at);
      place(node);
      order.push_back(begin_ + node);
      for (const auto& [earlier, cycles] : graph_.nodes()[node].before) {
        graph_.nodes()[earlier].ready_at = std::max(graph_.nodes()[earlier].ready_at, now + cycles);
        if (--graph_.nodes()[earlier].missing == 0) {
          ready.push_back(earlier);
        }
      }
    }
    finish_part();
    std::ranges::reverse(order);
    return order;
  }

  // Counts what the node says of its part, which a fence begins.
  void note(std::uint32_t node) {
    constexpr std::uint32_t kFar = 100;  // cycles
    if (graph_.memory_uses()[node].effect == Effect::kFence && part_ != 0) {
      finish_part();
      --part_;
    }
    loads_ += latency_of(at(node)) > kFar ? 1 : 0;
  }
  void finish_part() {
    if (is_tight_ && loads_ > 1) {
      tight_.push_back({part_, loads_});
    }
    is_tight_ = false;
    loads_ = 0;
  }
  bool fits_at_all(const Amount& change) const {
    return fits(change.words, taken_.words, static_cast<std::int32_t>(limits_.words[part_])) &&
           fits(change.predicates, taken_.predicates, static_cast<std::int32_t>(kPredicateRegisters));
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
  std::size_t choose(const std::vector<std::uint32_t>& ready, std::uint32_t now) {
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
      rank.fits = fits_at_all(change);
      is_tight_ = is_tight_ || !rank.fits;
      rank.meets = graph_.memory_uses()[node].effect == Effect::kFence;
      rank.waits = graph_.nodes()[node].ready_at > now + 1;
      rank.ready_at = rank.waits ? graph_.nodes()[node].ready_at : 0;
      rank.depth = graph_.nodes()[node].depth / kSimilar;
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
  RunGraph graph_;
  const OrderLimits& limits_;
  std::uint32_t part_;  // of the next instruction
  bool is_tight_ = false;
  std::uint32_t loads_ = 0;  // of the part, from far memory
  std::vector<TightPart> tight_;
  ptx::RegisterSet live_;  // in front of what is placed
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

OrderLimits equal_limits(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t words) {
  const auto is_fence = [](const Instruction& instruction) { return memory_use(instruction).effect == Effect::kFence; };
  const auto fences = std::ranges::count_if(function.body, is_fence);
  return {std::vector<std::uint32_t>(graph.count() + static_cast<std::size_t>(fences), words)};
}

OrderedFunction order_for(const ptx::Function& function, const ptx::FlowGraph& graph, const RegisterPressure& pressure,
                          const OrderLimits& limits) {
  OrderedFunction result;
  result.order.reserve(function.body.size());
  std::uint32_t part = 0;
  for (std::uint32_t number = 0; number < graph.count(); ++number) {
    const ptx::FlowGraph::Block& block = graph.blocks[number];
    std::vector<ptx::RegisterSet> needed = needed_behind_runs(block, pressure, pressure.live_out(number));
    std::size_t run = 0;
    for (std::uint32_t begin = block.begin; begin < block.end; begin += kLongestRun, ++run) {
      const std::uint32_t end = std::min(block.end, begin + kLongestRun);
      for (std::uint32_t i = begin; i < end; ++i) {
        part += memory_use(function.body[i]).effect == Effect::kFence ? 1 : 0;
      }
      RunOrder ordered(function, pressure, begin, end, {limits, part, std::move(needed[run])});
      const std::vector<std::uint32_t> piece = ordered.order();
      result.order.insert(result.order.end(), piece.begin(), piece.end());
      result.tight.insert(result.tight.end(), ordered.tight().begin(), ordered.tight().end());
    }
    ++part;
  }
  return result;
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
