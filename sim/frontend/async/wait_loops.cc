#include "frontend/async/wait_loops.h"

#include <algorithm>

namespace warpsim {

namespace {

// Code between a check and its loop: the rest of an iteration of the main loop.
constexpr std::size_t kLookBack = 1024;

bool same_barrier(const AsyncOperation& a, const AsyncOperation& b) {
  return a.barrier == b.barrier && a.parity == b.parity && a.blocks == b.blocks;
}

}  // namespace

WaitLoops::WaitLoops(const StaticProgram& program, const ScalarProgram& scalar)
    : program_(&program), scalar_(&scalar), loop_of_(program.instructions.size(), kNone) {
  constexpr std::uint32_t kLongest = 64;
  for (const StaticInstruction& instruction : program.instructions) {
    checks_.push_back(instruction.kind == OpKind::kMbarrier &&
                      program.opcodes[instruction.opcode].find(".PHASECHK") != std::string::npos);
  }
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const StaticInstruction& branch = program.instructions[i];
    if (branch.kind != OpKind::kBranch || branch.immediate < 0 ||
        static_cast<std::uint32_t>(branch.immediate) >= branch.pc) {
      continue;
    }
    const auto target =
        std::ranges::find(program.instructions, static_cast<std::uint32_t>(branch.immediate), &StaticInstruction::pc);
    const Loop loop{static_cast<std::uint32_t>(target - program.instructions.begin()), i};
    if (target != program.instructions.end() && i - loop.head < kLongest && only_waits(loop)) {
      std::fill(loop_of_.begin() + loop.head, loop_of_.begin() + i + 1, static_cast<std::uint32_t>(loops_.size()));
      loops_.push_back(loop);
    }
  }
}

bool WaitLoops::only_waits(const Loop& loop) const {
  bool has_check = false;
  for (std::uint32_t i = loop.head; i <= loop.branch; ++i) {
    const OpKind kind = program_->instructions[i].kind;
    has_check = has_check || checks_[i];
    const bool harmless = checks_[i] || kind == OpKind::kSleep || kind == OpKind::kBranch || kind == OpKind::kNop ||
                          kind == OpKind::kCompute;
    if (!harmless || loop_of_[i] != kNone) {
      return false;
    }
  }
  return has_check;
}

// Rewrites the instructions of one block.
class WaitLoops::Folder {
 public:
  Folder(const WaitLoops& loops, BlockTrace& trace, WaitLoopStats& stats)
      : loops_(loops), trace_(trace), stats_(stats) {}

  void fold() {
    std::uint32_t begin = 0;
    for (std::uint32_t warp = 0; warp < trace_.warp_count(); ++warp) {
      const std::uint32_t end = trace_.warp_begin[warp + 1];
      const std::uint32_t kept = used_;
      fold_warp(begin, end, kept);
      trace_.warp_begin[warp] = kept;
      begin = end;
    }
    trace_.warp_begin.back() = used_;
    stats_.removed += trace_.instructions.size() - used_;
    trace_.instructions.resize(used_);
  }

 private:
  WarpInstruction& at(std::uint32_t position) { return trace_.instructions[position]; }
  AsyncOperation& operation_of(const WarpInstruction& record) { return trace_.operations[record.operation - 1]; }
  bool known_check(const WarpInstruction& record) const {
    return loops_.is_check(record.index) && record.operation != 0 && record.active != 0;
  }

  void fold_warp(std::uint32_t begin, std::uint32_t end, std::uint32_t start) {
    first_ = start;
    std::uint32_t read = begin;
    while (read < end) {
      const std::uint32_t loop = loops_.loop_of_[at(read).index];
      if (loop == kNone) {
        at(used_++) = at(read++);
      } else {
        read = visit(loops_.loops_[loop], loop, read, end);
      }
    }
    settle_checks(start);
  }

  // Copies one iteration of the loop's visit that begins at `read`; returns where the visit ends.
  std::uint32_t visit(const Loop& loop, std::uint32_t number, std::uint32_t read, std::uint32_t end) {
    std::uint32_t stop = read;
    std::uint32_t iteration = read;
    bool known = true;
    for (; stop < end && loops_.loop_of_[at(stop).index] == number; ++stop) {
      const WarpInstruction& record = at(stop);
      if (record.index == loop.head && record.active == at(read).active) {
        iteration = stop;
      }
      known = known && (!loops_.is_check(record.index) || record.active == 0 || record.operation != 0);
    }
    if (!known) {
      ++stats_.kept_as_recorded;
      while (read < stop) {
        at(used_++) = at(read++);
      }
      return stop;
    }
    if (at(read).index != loop.head) {
      return stop;  // late lanes; the wait of the others represents theirs
    }
    const std::uint32_t kept = used_;
    bool waits = false;
    for (std::uint32_t i = iteration; i < stop; ++i) {
      WarpInstruction record = at(i);
      if (i != iteration && record.index == loop.head) {
        break;  // iterations of late lanes
      }
      const bool check = loops_.is_check(record.index);
      if (waits && (check || loops_.program_->instructions[record.index].kind == OpKind::kSleep)) {
        record.active = 0;  // like after a check that succeeded at once
        record.operation = 0;
      }
      waits = waits || known_check(record);
      at(used_++) = record;
    }
    if (stop < end && left_out(kept, at(stop).index)) {
      return stop;
    }
    for (std::uint32_t i = kept; i < used_; ++i) {
      if (known_check(at(i))) {
        make_wait(at(i));
      }
    }
    return stop;
  }

  void make_wait(const WarpInstruction& record) {
    for (std::uint32_t i = record.operation - 1;; ++i) {
      trace_.operations[i].kind = AsyncOperation::Kind::kWait;
      if (trace_.operations[i].last) {
        break;
      }
    }
    ++stats_.waits;
  }

  // Whether the loop [kept, used_), which leads to `next`, would not have been entered had the latest check of the same
  // barrier succeeded. If so, the loop is removed and that check waits.
  bool left_out(std::uint32_t kept, std::uint32_t next) {
    if (kept == first_) {
      return false;
    }
    const StaticProgram& program = *loops_.program_;
    const WarpInstruction& branch = at(kept - 1);
    const StaticInstruction& code = program.instructions[branch.index];
    const bool taken = at(kept).index != branch.index + 1;
    const bool leads_on =
        taken ? branch.index + 1 == next : static_cast<std::uint32_t>(code.immediate) == program.instructions[next].pc;
    if (code.kind != OpKind::kBranch || !leads_on) {
      return false;
    }
    const auto check = std::find_if(trace_.instructions.begin() + kept, trace_.instructions.begin() + used_,
                                    [&](const WarpInstruction& record) { return known_check(record); });
    const std::uint32_t oldest = std::max(first_, kept - std::min<std::uint32_t>(kept, kLookBack));
    for (std::uint32_t i = kept - 1; i-- > oldest;) {
      if (known_check(at(i)) && same_barrier(operation_of(at(i)), operation_of(*check))) {
        if (operation_of(at(i)).kind != AsyncOperation::Kind::kCheck) {
          return false;
        }
        make_wait(at(i));
        used_ = kept;
        return true;
      }
    }
    return false;
  }

  // Checks outside of loops: those that succeeded wait.
  void settle_checks(std::uint32_t start) {
    for (std::uint32_t i = start; i < used_; ++i) {
      const WarpInstruction& record = at(i);
      if (known_check(record) && operation_of(record).kind == AsyncOperation::Kind::kCheck && succeeded(i)) {
        make_wait(record);
      }
    }
  }

  // From the first instruction that reads the check's predicate.
  bool succeeded(std::uint32_t position) {
    const StaticInstruction& check = loops_.program_->instructions[at(position).index];
    const std::uint32_t limit = std::min<std::uint32_t>(used_, position + kLookBack);
    for (std::uint32_t i = position + 1; i < limit; ++i) {
      const WarpInstruction& record = at(i);
      const StaticInstruction& code = loops_.program_->instructions[record.index];
      const ScalarInstruction& scalar = loops_.scalar_->instructions[record.index];
      if (code.guard != kNoPredicate && (check.predicate_destinations >> code.guard & 1U) != 0) {
        return (record.active != 0) != scalar.guard_negative;
      }
      if ((code.predicate_sources & check.predicate_destinations) != 0) {
        if (code.kind != OpKind::kBranch || i + 1 >= used_) {
          return true;  // kept: if it failed, a later loop waits for the same phase
        }
        const bool taken = at(i + 1).index != record.index + 1;
        return taken != scalar.predicate_sources[0].negative;
      }
      if ((code.predicate_destinations & check.predicate_destinations) != 0) {
        return false;  // the result is not used
      }
    }
    return false;
  }

  const WaitLoops& loops_;
  BlockTrace& trace_;
  WaitLoopStats& stats_;
  std::uint32_t used_ = 0;   // instructions written
  std::uint32_t first_ = 0;  // of the current warp
};

void WaitLoops::fold(BlockTrace& trace, WaitLoopStats& stats) const {
  if (trace.warp_count() != 0) {
    Folder(*this, trace, stats).fold();
  }
}

}  // namespace warpsim
