#include "codegen/live_ranges.h"

#include <algorithm>

#include "codegen/operand_use.h"
#include "ptx/register_set.h"

namespace warpsim::codegen {

namespace {

using ptx::RegisterSet;

void join(std::vector<LiveSegment>& range) {
  std::ranges::sort(range, {}, &LiveSegment::begin);
  std::vector<LiveSegment> joined;
  for (const LiveSegment& segment : range) {
    if (!joined.empty() && segment.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, segment.end);
    } else {
      joined.push_back(segment);
    }
  }
  range = std::move(joined);
}

// Vectors are tracked by their parts, everything else as a whole.
class Analysis {
 public:
  Analysis(const ptx::FlowGraph& graph, const SelectedFunction& selected)
      : graph_(graph),
        selected_(selected),
        use_(selected),
        live_in_(graph.count(), RegisterSet(selected.values.size())),
        written_(graph.count(), RegisterSet(selected.values.size())) {
    find_single_guards();
  }

  std::vector<std::vector<LiveSegment>> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Number block = graph_.count(); block-- > 0;) {
        RegisterSet live = live_behind(block);
        walk(block, live, [](Number, const RegisterSet&) {});
        changed = live_in_[block].merge(live) || changed;
      }
    }
    find_written();
    ranges_.resize(selected_.values.size());
    for (Number block = graph_.count(); block-- > 0;) {
      collect(block);
    }
    for (std::vector<LiveSegment>& range : ranges_) {
      join(range);
    }
    return std::move(ranges_);
  }

 private:
  Number begin_of(Number block) const { return selected_.places[graph_.blocks[block].begin].first; }
  Number end_of(Number block) const {
    const bool last = graph_.blocks[block].end + 1 == selected_.places.size();
    return last ? static_cast<Number>(selected_.code.size()) : selected_.places[graph_.blocks[block].end].first;
  }

  // Whether the write leaves no old value that is read later. A guarded write leaves none if all instructions with the
  // value have that guard, or if it is the first in the text: the other threads then hold another write's value. A
  // write of a part leaves none if it is the first of a value that one PTX instruction uses.
  bool begins_with(Number part, Number index, bool whole) const {
    if (!whole && (first_write_[part] != index || one_user_[part] == kNone)) {
      return false;
    }
    return selected_.code[index].guard.value == kNone || one_guard_[part] || first_write_[part] == index;
  }

  void find_single_guards() {
    first_write_.assign(selected_.values.size(), kNone);
    one_guard_.assign(selected_.values.size(), true);
    constexpr Number kUnused = kNone - 1;
    one_user_.assign(selected_.values.size(), kUnused);
    std::vector<const MachineOperand*> guards(selected_.values.size(), nullptr);
    for (Number i = 0; i < selected_.code.size(); ++i) {
      const MachineOperand& guard = selected_.code[i].guard;
      const auto see = [&](Number part) {
        const MachineOperand* const known = guards[part];
        const bool fits = guard.value != kNone &&
                          (known == nullptr || (known->value == guard.value && known->before == guard.before));
        guards[part] = &guard;
        const Number user = selected_.code[i].ptx;
        one_user_[part] = one_user_[part] == kUnused || one_user_[part] == user ? user : kNone;
        one_guard_[part] = one_guard_[part] && fits;
      };
      use_.each_read(i, see);
      use_.each_written(i, [&](Number part, bool) {
        see(part);
        first_write_[part] = std::min(first_write_[part], i);
      });
    }
  }

  RegisterSet live_behind(Number block) const {
    RegisterSet live(selected_.values.size());
    for (const Number next : graph_.blocks[block].successors) {
      live.merge(live_in_[next]);
    }
    return live;
  }

  // Backwards; `visit(i, live)` with the values that are live after each instruction.
  template <typename Visit>
  void walk(Number block, RegisterSet& live, Visit&& visit) const {
    for (Number i = end_of(block); i-- > begin_of(block);) {
      visit(i, live);
      use_.each_written(i, [&](Number part, bool whole) {
        if (begins_with(part, i, whole)) {
          live.remove(part);
        }
      });
      use_.each_read(i, [&](Number part) { live.add(part); });
    }
  }

  // Values that some path to each block's end has written.
  void find_written() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Number block = 0; block < graph_.count(); ++block) {
        RegisterSet written = written_before(block);
        for (Number i = begin_of(block); i < end_of(block); ++i) {
          use_.each_written(i, [&](Number part, bool) { written.add(part); });
        }
        changed = written_[block].merge(written) || changed;
      }
    }
  }
  RegisterSet written_before(Number block) const {
    RegisterSet written(selected_.values.size());
    for (const Number before : graph_.blocks[block].predecessors) {
      written.merge(written_[before]);
    }
    return written;
  }

  void add(Number part, Number begin, Number end) { ranges_[part].push_back({begin, end}); }

  void collect(Number block) {
    const RegisterSet before = written_before(block);
    std::vector<Number> end(selected_.values.size(), 0);  // of the segment that is open; 0: none
    RegisterSet live = live_behind(block);
    live.each([&](Number part) { end[part] = 2 * end_of(block); });
    for (Number i = end_of(block); i-- > begin_of(block);) {
      use_.each_written(i, [&](Number part, bool whole) {
        if (end[part] == 0) {
          add(part, 2 * i + 1, 2 * i + 2);  // never read, but written
        } else if (begins_with(part, i, whole) || (!before.contains(part) && is_first_write(block, i, part))) {
          add(part, 2 * i + 1, end[part]);
          end[part] = 0;
        }
      });
      use_.each_read(i, [&](Number part) { end[part] = end[part] == 0 ? 2 * i + 1 : end[part]; });
    }
    for (Number part = 0; part < end.size(); ++part) {
      if (end[part] != 0 && before.contains(part)) {
        add(part, 2 * begin_of(block), end[part]);
      }
    }
  }

  bool is_first_write(Number block, Number index, Number part) const {
    bool found = false;
    for (Number i = begin_of(block); i < index && !found; ++i) {
      use_.each_written(i, [&](Number other, bool) { found = found || other == part; });
    }
    return !found;
  }

  const ptx::FlowGraph& graph_;
  const SelectedFunction& selected_;
  OperandUse use_;
  std::vector<RegisterSet> live_in_;
  std::vector<RegisterSet> written_;  // at each block's end
  std::vector<bool> one_guard_;       // by value
  std::vector<Number> one_user_;      // by value: the only PTX instruction whose code has it; kNone: several
  std::vector<Number> first_write_;   // by value
  std::vector<std::vector<LiveSegment>> ranges_;
};

}  // namespace

std::vector<std::vector<LiveSegment>> find_live_ranges(const ptx::FlowGraph& graph, const SelectedFunction& selected) {
  return Analysis(graph, selected).run();
}

std::vector<std::vector<LiveSegment>> find_pending_reads(const SelectedFunction& selected,
                                                         const std::vector<bool>& accesses, Number instructions) {
  std::vector<std::vector<LiveSegment>> pending(selected.values.size());
  const OperandUse use(selected);
  for (Number i = 0; i < selected.code.size(); ++i) {
    if (accesses[i]) {
      use.each_read(i, [&](Number value) { pending[value].push_back({2 * i, 2 * (i + instructions)}); });
    }
  }
  std::ranges::for_each(pending, join);
  return pending;
}

}  // namespace warpsim::codegen
