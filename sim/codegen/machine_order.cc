#include "codegen/machine_order.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "codegen/code_estimate.h"
#include "codegen/instruction_effects.h"
#include "codegen/instruction_words.h"
#include "codegen/operand_use.h"
#include "codegen/predicate_limit.h"
#include "isa/opcode_table.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;

// Accesses to memory with instructions of their own, next to which others compute addresses and results.
constexpr std::string_view kAccesses[] = {"ld", "ldu", "st", "wmma"};

bool is_pure(const Instruction& instruction) {
  return !instruction.guard && !reads_clock(instruction) &&
         (reads_own_parameter(instruction) || is_computation(instruction));
}

bool is_access(const Instruction& instruction) {
  return !instruction.guard && std::ranges::find(kAccesses, instruction.opcode) != std::end(kAccesses) &&
         !(has_word(instruction, "param") && !reads_own_parameter(instruction));
}

constexpr std::uint32_t kToGuard = 13;  // from a comparison to the instruction that it guards
constexpr std::uint32_t kReach = 12;    // assumed: how far compilers look ahead of the first waiting instruction

class Order {
 public:
  Order(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t architecture,
        SelectedFunction& selected)
      : function_(function), graph_(graph), selected_(selected), use_(selected) {
    for (const MachineInstruction& instruction : selected.code) {
      StaticInstruction known;
      classify(instruction.opcode, architecture, known);
      latency_.push_back(latency_of(known));
      accesses_.push_back(known.space != MemorySpace::kNone && known.timing == TimingClass::kMemory);
    }
    selected.for_all.assign(selected.code.size(), false);
  }

  void run() {
    for (const ptx::FlowGraph::Block& block : graph_.blocks) {
      // No instruction passes one that reads a clock.
      std::uint32_t begin = block.begin;
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        if (reads_clock(function_.body[i])) {
          piece(begin, i);
          copy(i);
          begin = i + 1;
        }
      }
      piece(begin, block.end);
    }
    for (std::uint32_t i = static_cast<std::uint32_t>(function_.body.size()); i < selected_.places.size(); ++i) {
      copy(i);
    }
    selected_.code = std::move(code_);
    selected_.places = std::move(places_);
    selected_.for_all = std::move(for_all_);
  }

 private:
  struct Node {
    Number index = 0;  // in the code
    std::uint32_t owner = 0;
    bool fixed = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> after;  // dependents, with the distance in cycles
    std::uint32_t missing = 0;
    std::uint32_t ready_at = 0;
    std::uint32_t height = 0;  // cycles from here to the end
  };

  void put(Number index, bool for_all) {
    code_.push_back(std::move(selected_.code[index]));
    for_all_.push_back(for_all);
  }

  // Unchanged.
  void copy(std::uint32_t owner) {
    MachinePlace place = selected_.places[owner];
    const Number from = place.first;
    place.first = static_cast<Number>(code_.size());
    for (Number i = 0; i < place.count; ++i) {
      put(from + i, false);
    }
    places_.push_back(place);
  }

  // Whether it stays with its PTX instruction.
  bool is_fixed(std::uint32_t owner, Number index) const {
    const Instruction& instruction = function_.body[owner];
    const MachinePlace& place = selected_.places[owner];
    if (place.gathers && index == place.first) {
      return true;
    }
    if (is_pure(instruction)) {
      return false;
    }
    return !is_access(instruction) || accesses_[index] || index == place.first + place.effect;
  }

  void piece(std::uint32_t begin, std::uint32_t end) {
    std::vector<Node> nodes;
    for (std::uint32_t owner = begin; owner < end; ++owner) {
      const MachinePlace& place = selected_.places[owner];
      for (Number i = place.first; i < place.first + place.count; ++i) {
        Node& node = nodes.emplace_back();
        node.index = i;
        node.owner = owner;
        node.fixed = is_fixed(owner, i);
      }
    }
    find_dependences(nodes);
    limit_predicates(nodes);
    follow_uniform_reads(nodes);
    place_all(nodes, schedule(nodes), begin, end);
  }

  static void depend(std::vector<Node>& nodes, std::uint32_t later, std::uint32_t earlier, std::uint32_t cycles) {
    if (later != earlier) {
      nodes[earlier].after.emplace_back(later, cycles);
      ++nodes[later].missing;
    }
  }

  void find_dependences(std::vector<Node>& nodes) {
    constexpr std::uint32_t kNobody = 0xffffffffU;
    struct History {
      std::uint32_t writer = kNobody;
      std::vector<std::uint32_t> readers;
    };
    std::map<Number, History> known;  // by value
    std::uint32_t last_fixed = kNobody;
    std::uint32_t block_end = kNobody;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      const Number index = nodes[i].index;
      const Number guard = selected_.code[index].guard.value;
      use_.each_read(index, [&](Number value) {
        History& history = known[value];
        if (history.writer != kNobody) {
          const std::uint32_t cycles = latency_[nodes[history.writer].index];
          depend(nodes, i, history.writer, value == guard ? std::max(cycles, kToGuard) : cycles);
        }
        history.readers.push_back(i);
      });
      use_.each_written(index, [&](Number value, bool) {
        History& history = known[value];
        for (const std::uint32_t reader : history.readers) {
          depend(nodes, i, reader, 0);
        }
        if (history.writer != kNobody) {
          depend(nodes, i, history.writer, 1);
        }
        history.readers.clear();
        history.writer = i;
        if (guard != kNone) {  // keeps the old value for others
          history.readers.push_back(i);
        }
      });
      const bool ends = ptx::ends_block(function_.body[nodes[i].owner]);
      if (nodes[i].fixed) {
        for (std::uint32_t j = ends || last_fixed == kNobody ? 0 : last_fixed; j < i; ++j) {
          if (ends || j == last_fixed) {
            depend(nodes, i, j, 0);
          }
        }
        last_fixed = i;
      }
      // Around the slow path of a division: the fast path precedes it, everything else follows.
      if (block_end != kNobody) {
        depend(nodes, i, block_end, 1);
      }
      const std::string& opcode = selected_.code[index].opcode;
      if (!nodes[i].fixed && (opcode == "BRA" || opcode == "BSYNC")) {
        for (std::uint32_t j = i; j-- > 0 && nodes[j].owner == nodes[i].owner;) {
          depend(nodes, i, j, 0);
        }
        block_end = opcode == "BSYNC" ? i : block_end;
      }
      // Threads that waited for each other continue together.
      if (!nodes.front().fixed || !selected_.places[nodes.front().owner].gathers) {
        continue;
      }
      depend(nodes, i, 0, 1);
    }
  }

  void limit_predicates(std::vector<Node>& nodes) const {
    std::vector<Number> piece;
    piece.reserve(nodes.size());
    for (const Node& node : nodes) {
      piece.push_back(node.index);
    }
    for (const auto& [later, earlier] : order_of_predicates(selected_, use_, piece)) {
      depend(nodes, later, earlier, 0);
    }
  }

  // ULDC at a computed address stays after the readers of the one before it: see instruction_order.cc.
  void follow_uniform_reads(std::vector<Node>& nodes) const {
    std::vector<Number> values;  // of the last one
    std::vector<std::uint32_t> readers;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      const MachineInstruction& instruction = selected_.code[nodes[i].index];
      if (!instruction.opcode.starts_with("ULDC") || instruction.operands[1].value == kNone) {
        use_.each_read(nodes[i].index, [&](Number value) {
          if (std::ranges::find(values, value) != values.end()) {
            readers.push_back(i);
          }
        });
        continue;
      }
      for (const std::uint32_t reader : readers) {
        depend(nodes, i, reader, 0);
      }
      values.clear();
      readers.clear();
      use_.each_written(nodes[i].index, [&](Number value, bool) { values.push_back(value); });
    }
  }

  // In the order of the text, but an instruction that would wait lets others go first, and instructions without which
  // the rest would take longer go at once.
  static std::vector<std::uint32_t> schedule(std::vector<Node>& nodes) {
    for (std::size_t i = nodes.size(); i-- > 0;) {
      for (const auto& [later, cycles] : nodes[i].after) {
        nodes[i].height = std::max(nodes[i].height, nodes[later].height + cycles);
      }
    }
    std::vector<std::uint32_t> order;
    std::vector<bool> done(nodes.size(), false);
    std::uint32_t first = 0;  // not yet placed
    std::uint32_t now = 0;
    while (order.size() < nodes.size()) {
      std::uint32_t best = first;
      std::uint32_t best_at = 0xffffffffU;
      bool best_urgent = false;
      for (std::uint32_t i = first; i < nodes.size() && i < first + kReach; ++i) {
        const std::uint32_t at = std::max(nodes[i].ready_at, now);
        if (done[i] || nodes[i].missing != 0) {
          continue;
        }
        const std::size_t left = nodes.size() - order.size();
        const bool urgent = at == now && nodes[i].height >= left;
        const bool more_urgent = urgent && (!best_urgent || nodes[i].height > nodes[best].height);
        if (more_urgent || (!best_urgent && at < best_at)) {
          best = i;
          best_at = at;
          best_urgent = urgent;
        }
      }
      now = best_at + 1;
      done[best] = true;
      order.push_back(best);
      for (const auto& [later, cycles] : nodes[best].after) {
        nodes[later].ready_at = std::max(nodes[later].ready_at, best_at + cycles);
        --nodes[later].missing;
      }
      while (first < nodes.size() && done[first]) {
        ++first;
      }
    }
    return order;
  }

  // Instructions that are not fixed are assigned to the fixed ones before them.
  void place_all(const std::vector<Node>& nodes, const std::vector<std::uint32_t>& order, std::uint32_t begin,
                 std::uint32_t end) {
    std::vector<std::uint32_t> takers(order.size(), begin);
    std::uint32_t taker = begin;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      taker = nodes[order[i]].fixed ? nodes[order[i]].owner : taker;
      takers[i] = taker;
    }
    std::uint32_t next = 0;
    for (std::uint32_t owner = begin; owner < end; ++owner) {
      const MachinePlace& old = selected_.places[owner];
      MachinePlace place{static_cast<Number>(code_.size()), 0, 0, old.gathers};
      for (; next < order.size() && takers[next] == owner; ++next) {
        const Node& node = nodes[order[next]];
        if (node.fixed && node.owner == owner && node.index == old.first + old.effect) {
          place.effect = place.count;
        }
        ++place.count;
        put(node.index, !node.fixed);
      }
      const bool has_effect = old.count != 0 && is_fixed(owner, old.first + old.effect);
      place.effect = has_effect || place.count == 0 ? place.effect : static_cast<std::uint16_t>(place.count - 1);
      places_.push_back(place);
    }
  }

  const ptx::Function& function_;
  const ptx::FlowGraph& graph_;
  SelectedFunction& selected_;
  OperandUse use_;
  std::vector<std::uint32_t> latency_;  // by instruction
  std::vector<bool> accesses_;          // by instruction
  std::vector<MachineInstruction> code_;
  std::vector<MachinePlace> places_;
  std::vector<bool> for_all_;
};

}  // namespace

void order_machine_instructions(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t architecture,
                                SelectedFunction& selected) {
  Order(function, graph, architecture, selected).run();
}

}  // namespace warpsim::codegen
