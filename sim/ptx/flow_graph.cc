#include "ptx/flow_graph.h"

#include <algorithm>
#include <functional>

namespace warpsim::ptx {

namespace {

using Number = std::uint32_t;

void find_blocks(const Function& function, FlowGraph& graph) {
  const std::vector<Instruction>& body = function.body;
  std::vector<bool> starts(body.size() + 1, false);
  starts[0] = true;
  // Labels without a branch divide nothing: branches become guards before the code is ordered.
  const auto mark = [&](Number label) { starts[function.labels[label].instruction] = true; };
  for (Number i = 0; i < body.size(); ++i) {
    starts[i + 1] = starts[i + 1] || ends_block(body[i]);
    for (const Operand& operand : body[i].operands) {
      if (operand.kind == Operand::Kind::kLabel) {
        mark(operand.number);
      }
    }
  }
  for (const TargetTable& table : function.branch_targets) {
    std::ranges::for_each(table.targets, mark);
  }
  graph.block_of.assign(body.size() + 1, 0);
  for (Number i = 0; i < body.size(); ++i) {
    if (starts[i]) {
      graph.blocks.push_back({i, i, {}, {}, false});
    }
    graph.block_of[i] = graph.count() - 1;
    graph.blocks.back().end = i + 1;
  }
  graph.block_of[body.size()] = graph.count();
}

void connect(const Function& function, FlowGraph& graph, Number from) {
  FlowGraph::Block& block = graph.blocks[from];
  const Instruction& last = function.body[block.end - 1];
  const auto to = [&](Number instruction) {
    const Number target = graph.block_of[instruction];
    if (target == graph.count()) {
      block.leaves = true;
    } else if (std::ranges::find(block.successors, target) == block.successors.end()) {
      block.successors.push_back(target);
    }
  };
  if (last.opcode == "bra" && !last.operands.empty() && last.operands[0].kind == Operand::Kind::kLabel) {
    to(function.labels[last.operands[0].number].instruction);
  } else if (last.opcode == "brx" && last.operands.size() > 1 &&
             last.operands[1].kind == Operand::Kind::kBranchTargets) {
    for (const Number label : function.branch_targets[last.operands[1].number].targets) {
      to(function.labels[label].instruction);
    }
  } else if (ends_block(last)) {
    block.leaves = true;
  }
  if (!ends_block(last) || last.guard) {
    to(block.end);
  }
}

// Dominators of a graph whose edges `before` gives, from `roots` on, by iteration in order of `order`, which begins
// with the roots. An additional node for the start is above all roots.
std::vector<Number> dominators_of(Number count, const std::vector<Number>& order, const std::vector<bool>& is_root,
                                  const std::function<const std::vector<Number>&(Number)>& before) {
  constexpr Number kUnknown = kNoBlock - 1;
  const Number top = count;
  std::vector<Number> place(count + 1, 0);
  for (Number i = 0; i < order.size(); ++i) {
    place[order[i]] = i + 1;
  }
  std::vector<Number> result(count + 1, kUnknown);
  result[top] = top;
  const auto meet = [&](Number a, Number b) {
    while (a != b) {
      Number& deeper = place[a] > place[b] ? a : b;
      deeper = result[deeper];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Number block : order) {
      Number above = is_root[block] ? top : kUnknown;
      for (const Number other : before(block)) {
        if (result[other] != kUnknown) {
          above = above == kUnknown ? other : meet(above, other);
        }
      }
      changed = changed || result[block] != above;
      result[block] = above;
    }
  }
  for (Number& block : result) {
    block = block >= top ? kNoBlock : block;
  }
  result.pop_back();
  return result;
}

// Reverse post-order of a depth-first walk.
std::vector<Number> order_of(Number count, const std::vector<bool>& is_root,
                             const std::function<const std::vector<Number>&(Number)>& after) {
  std::vector<Number> order;
  std::vector<bool> seen(count, false);
  std::vector<std::pair<Number, Number>> stack;  // block, number of its visited successors
  for (Number root = 0; root < count; ++root) {
    if (!is_root[root] || seen[root]) {
      continue;
    }
    seen[root] = true;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [block, visited] = stack.back();
      if (visited == after(block).size()) {
        order.push_back(block);
        stack.pop_back();
        continue;
      }
      const Number next = after(block)[visited++];
      if (!seen[next]) {
        seen[next] = true;
        stack.emplace_back(next, 0);
      }
    }
  }
  std::ranges::reverse(order);
  return order;
}

}  // namespace

bool ends_block(const Instruction& instruction) {
  return instruction.opcode == "bra" || instruction.opcode == "brx" || instruction.opcode == "ret" ||
         instruction.opcode == "exit" || instruction.opcode == "trap";
}

FlowGraph make_flow_graph(const Function& function) {
  FlowGraph graph;
  find_blocks(function, graph);
  for (Number block = 0; block < graph.count(); ++block) {
    connect(function, graph, block);
  }
  for (Number block = 0; block < graph.count(); ++block) {
    for (const Number next : graph.blocks[block].successors) {
      graph.blocks[next].predecessors.push_back(block);
    }
  }
  return graph;
}

std::vector<Number> immediate_dominators(const FlowGraph& graph) {
  std::vector<bool> is_root(graph.count(), false);
  if (!is_root.empty()) {
    is_root[0] = true;
  }
  const auto after = [&](Number block) -> const std::vector<Number>& { return graph.blocks[block].successors; };
  const auto before = [&](Number block) -> const std::vector<Number>& { return graph.blocks[block].predecessors; };
  return dominators_of(graph.count(), order_of(graph.count(), is_root, after), is_root, before);
}

std::vector<Number> immediate_post_dominators(const FlowGraph& graph) {
  std::vector<bool> is_root(graph.count(), false);
  for (Number block = 0; block < graph.count(); ++block) {
    is_root[block] = graph.blocks[block].leaves;
  }
  const auto after = [&](Number block) -> const std::vector<Number>& { return graph.blocks[block].predecessors; };
  const auto before = [&](Number block) -> const std::vector<Number>& { return graph.blocks[block].successors; };
  return dominators_of(graph.count(), order_of(graph.count(), is_root, after), is_root, before);
}

bool dominates(const std::vector<Number>& dominators, Number above, Number below) {
  while (below != above && below != kNoBlock) {
    below = dominators[below];
  }
  return below == above;
}

Number common_dominator(const std::vector<Number>& dominators, Number one, Number other) {
  while (one != kNoBlock && !dominates(dominators, one, other)) {
    one = dominators[one];
  }
  return one;
}

std::vector<Loop> natural_loops(const FlowGraph& graph, const std::vector<Number>& dominators) {
  std::vector<Loop> loops;
  for (Number header = 0; header < graph.count(); ++header) {
    std::vector<Number> waiting;
    for (const Number from : graph.blocks[header].predecessors) {
      if (dominates(dominators, header, from)) {
        waiting.push_back(from);
      }
    }
    if (waiting.empty()) {
      continue;
    }
    Loop loop{header, std::vector<bool>(graph.count(), false)};
    loop.holds[header] = true;
    while (!waiting.empty()) {
      const Number block = waiting.back();
      waiting.pop_back();
      if (!loop.holds[block]) {
        loop.holds[block] = true;
        std::ranges::copy(graph.blocks[block].predecessors, std::back_inserter(waiting));
      }
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

std::vector<Number> loop_depths(const FlowGraph& graph, const std::vector<Number>& dominators) {
  std::vector<Number> depths(graph.count(), 0);
  for (const Loop& loop : natural_loops(graph, dominators)) {
    for (Number block = 0; block < graph.count(); ++block) {
      depths[block] += loop.holds[block] ? 1 : 0;
    }
  }
  return depths;
}

}  // namespace warpsim::ptx
