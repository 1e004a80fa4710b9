#include "ptx/liveness.h"

#include <algorithm>
#include <vector>

#include "ptx/operand_roles.h"

namespace warpsim::ptx {

namespace {

using Number = std::uint32_t;

class LiveSet {
 public:
  explicit LiveSet(std::size_t registers) : words_((registers + 63) / 64) {}
  bool add(Number reg) {
    std::uint64_t& word = words_[reg / 64];
    const std::uint64_t bit = std::uint64_t{1} << reg % 64;
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  bool remove(Number reg) {
    std::uint64_t& word = words_[reg / 64];
    const std::uint64_t bit = std::uint64_t{1} << reg % 64;
    const bool was_there = (word & bit) != 0;
    word &= ~bit;
    return was_there;
  }
  // Returns whether anything was added.
  bool merge(const LiveSet& other) {
    bool changed = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t merged = words_[i] | other.words_[i];
      changed = changed || merged != words_[i];
      words_[i] = merged;
    }
    return changed;
  }
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(static_cast<Number>(i * 64 + static_cast<Number>(__builtin_ctzll(rest))));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

bool ends_block(const Instruction& instruction) {
  return instruction.opcode == "bra" || instruction.opcode == "brx" || instruction.opcode == "ret" ||
         instruction.opcode == "exit" || instruction.opcode == "trap";
}

struct Block {
  Number begin = 0;
  Number end = 0;
  std::vector<Number> successors;
};

// Basic blocks in order of the text.
std::vector<Block> blocks_of(const Function& function) {
  const std::vector<Instruction>& body = function.body;
  std::vector<bool> starts(body.size() + 1, false);
  starts[0] = true;
  for (const Label& label : function.labels) {
    starts[label.instruction] = true;
  }
  for (Number i = 0; i < body.size(); ++i) {
    starts[i + 1] = starts[i + 1] || ends_block(body[i]);
  }
  std::vector<Block> blocks;
  std::vector<Number> block_of(body.size() + 1, 0);
  for (Number i = 0; i < body.size(); ++i) {
    if (starts[i]) {
      blocks.push_back({i, i, {}});
    }
    block_of[i] = static_cast<Number>(blocks.size()) - 1;
    blocks.back().end = i + 1;
  }
  block_of[body.size()] = static_cast<Number>(blocks.size());  // none
  for (Block& block : blocks) {
    const Instruction& last = body[block.end - 1];
    const auto connect = [&](Number instruction) {
      if (block_of[instruction] < blocks.size()) {
        block.successors.push_back(block_of[instruction]);
      }
    };
    if (last.opcode == "bra" && !last.operands.empty() && last.operands[0].kind == Operand::Kind::kLabel) {
      connect(function.labels[last.operands[0].number].instruction);
    } else if (last.opcode == "brx" && last.operands.size() > 1 &&
               last.operands[1].kind == Operand::Kind::kBranchTargets) {
      for (const Number label : function.branch_targets[last.operands[1].number].targets) {
        connect(function.labels[label].instruction);
      }
    }
    if (!ends_block(last) || last.guard) {
      connect(block.end);
    }
  }
  return blocks;
}

class Analysis {
 public:
  explicit Analysis(const Function& function) : function_(function), blocks_(blocks_of(function)) {
    for (const Register& reg : function.registers) {
      words_.push_back(reg.type == DataType::kPredicate ? 0 : std::max(1U, bytes_of(reg.type) / 4) * reg.vector);
    }
    live_in_.assign(blocks_.size(), LiveSet(function.registers.size()));
  }

  Number most() {
    // From the last block to the first, until nothing changes; bounded by the longest chain of loops.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = blocks_.size(); i-- > 0;) {
        changed = walk(i) || changed;
      }
    }
    return most_;
  }

 private:
  bool walk(std::size_t number) {
    const Block& block = blocks_[number];
    LiveSet live(function_.registers.size());
    for (const Number successor : block.successors) {
      live.merge(live_in_[successor]);
    }
    Number words = 0;
    live.each([&](Number reg) { words += words_[reg]; });
    most_ = std::max(most_, words);
    for (Number i = block.end; i-- > block.begin;) {
      const Instruction& instruction = function_.body[i];
      // A guarded write may leave the old value.
      if (!instruction.guard) {
        visit_written_registers(instruction, [&](Number reg) { words -= live.remove(reg) ? words_[reg] : 0; });
      }
      visit_read_registers(instruction, [&](Number reg) { words += live.add(reg) ? words_[reg] : 0; });
      most_ = std::max(most_, words);
    }
    return live_in_[number].merge(live);
  }

  const Function& function_;
  std::vector<Block> blocks_;
  std::vector<Number> words_;  // by register
  std::vector<LiveSet> live_in_;
  Number most_ = 0;
};

}  // namespace

std::uint32_t most_live_words(const Function& function) {
  return function.body.empty() ? 0 : Analysis(function).most();
}

}  // namespace warpsim::ptx
