#include "emulator/code/control_flow.h"

#include <algorithm>

namespace warpsim {

namespace {

using Number = std::uint32_t;

// Whether the end of a thread counts as a path to the end of the code.
enum class Exits : std::uint8_t { kLeadNowhere, kLeadToEnd };

// Basic blocks with their successors; the last one is the function's end.
class Graph {
 public:
  Graph(const FunctionCode& code, Exits exits) : code_(code), exits_(exits), block_of_(code.operations.size()) {
    find_blocks();
    successors_.resize(begins_.size());
    predecessors_.resize(begins_.size());
    for (Number block = 0; block + 1 < begins_.size(); ++block) {
      add_edges(block);
    }
  }

  Number count() const { return static_cast<Number>(begins_.size()); }
  Number end() const { return count() - 1; }
  Number begin_of(Number block) const { return begins_[block]; }
  Number block_of(Number operation) const { return block_of_[operation]; }
  const std::vector<Number>& predecessors(Number block) const { return predecessors_[block]; }
  const std::vector<Number>& successors(Number block) const { return successors_[block]; }

 private:
  void find_blocks() {
    const std::vector<Operation>& operations = code_.operations;
    std::vector<bool> starts(operations.size(), false);
    starts.front() = true;
    starts.back() = true;
    for (Number i = 0; i + 1 < operations.size(); ++i) {
      const Operation& operation = operations[i];
      if (operation.control == Control::kBranch) {
        starts[operation.target] = true;
      } else if (operation.control == Control::kIndirectBranch) {
        for (const Number target : code_.branch_tables[operation.target]) {
          starts[target] = true;
        }
      } else if (operation.control != Control::kReturn && operation.control != Control::kExit) {
        continue;
      }
      starts[i + 1] = true;
    }
    for (Number i = 0; i < operations.size(); ++i) {
      if (starts[i]) {
        begins_.push_back(i);
      }
      block_of_[i] = static_cast<Number>(begins_.size()) - 1;
    }
  }

  void connect(Number from, Number to) {
    successors_[from].push_back(to);
    predecessors_[to].push_back(from);
  }

  void add_edges(Number block) {
    const Operation& last = code_.operations[begins_[block + 1] - 1];
    const bool always = last.guard == kNoPlace;
    switch (last.control) {
      case Control::kBranch:
        connect(block, block_of_[last.target]);
        break;
      case Control::kIndirectBranch:
        for (const Number target : code_.branch_tables[last.target]) {
          connect(block, block_of_[target]);
        }
        break;
      case Control::kReturn:
        connect(block, end());
        break;
      case Control::kExit:
        if (exits_ == Exits::kLeadToEnd) {
          connect(block, end());
        }
        break;
      default:
        connect(block, block + 1);
        return;
    }
    if (!always) {
      connect(block, block + 1);
    }
  }

  const FunctionCode& code_;
  Exits exits_;
  std::vector<Number> begins_;
  std::vector<Number> block_of_;
  std::vector<std::vector<Number>> successors_;
  std::vector<std::vector<Number>> predecessors_;
};

// Blocks in postorder of the reversed graph, from the end; those that never reach it are omitted.
std::vector<Number> reverse_postorder(const Graph& graph) {
  std::vector<Number> order;
  std::vector<std::uint8_t> seen(graph.count(), 0);
  std::vector<std::pair<Number, std::size_t>> stack{{graph.end(), 0}};
  seen[graph.end()] = 1;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == graph.predecessors(block).size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const Number predecessor = graph.predecessors(block)[next++];
    if (seen[predecessor] == 0) {
      seen[predecessor] = 1;
      stack.emplace_back(predecessor, 0);
    }
  }
  std::ranges::reverse(order);
  return order;
}

constexpr Number kUnknown = 0xffffffffU;

// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, on the reversed graph.
std::vector<Number> post_dominators(const Graph& graph) {
  const std::vector<Number> order = reverse_postorder(graph);
  std::vector<Number> position(graph.count(), kUnknown);
  for (Number i = 0; i < order.size(); ++i) {
    position[order[i]] = i;
  }
  std::vector<Number> dominator(graph.count(), kUnknown);
  dominator[graph.end()] = graph.end();
  const auto meet = [&](Number a, Number b) {
    while (a != b) {
      while (position[a] > position[b]) {
        a = dominator[a];
      }
      while (position[b] > position[a]) {
        b = dominator[b];
      }
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Number block : order) {
      if (block == graph.end()) {
        continue;
      }
      Number best = kUnknown;
      for (const Number successor : graph.successors(block)) {
        if (dominator[successor] != kUnknown) {
          best = best == kUnknown ? successor : meet(successor, best);
        }
      }
      changed = changed || best != dominator[block];
      dominator[block] = best;
    }
  }
  return dominator;
}

}  // namespace

void find_reconvergence(FunctionCode& code) {
  // No thread waits for threads that end, so the others can meet without them; if all end, any place is correct.
  const Graph graph(code, Exits::kLeadNowhere);
  const std::vector<Number> dominator = post_dominators(graph);
  const std::vector<Number> with_exits = post_dominators(Graph(code, Exits::kLeadToEnd));
  for (Number i = 0; i < code.operations.size(); ++i) {
    Operation& operation = code.operations[i];
    if (operation.control == Control::kBranch || operation.control == Control::kIndirectBranch) {
      const Number own = graph.block_of(i);
      const Number block = dominator[own] == kUnknown ? with_exits[own] : dominator[own];
      operation.reconvergence = block == kUnknown ? code.end() : graph.begin_of(block);
    }
  }
}

}  // namespace warpsim
