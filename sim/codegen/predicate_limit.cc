#include "codegen/predicate_limit.h"

#include <algorithm>
#include <map>

namespace warpsim::codegen {

namespace {

// Of a predicate in the piece; one that is made before it begins at its first place.
struct Span {
  std::uint32_t made = 0;
  std::uint32_t last = 0;  // the last instruction that reads or writes it
  bool is_made = false;
};

std::vector<Span> spans_of(const SelectedFunction& selected, const OperandUse& use, const std::vector<Number>& piece) {
  std::map<Number, Span> known;  // by value
  for (std::uint32_t i = 0; i < piece.size(); ++i) {
    const auto see = [&](Number value, bool is_write) {
      if (selected.values[value].file == Value::File::kPredicate) {
        const auto [at, is_new] = known.try_emplace(value, Span{is_write ? i : 0, i, is_write});
        at->second.last = i;
      }
    };
    use.each_read(piece[i], [&](Number value) { see(value, false); });
    use.each_written(piece[i], [&](Number value, bool) { see(value, true); });
  }
  std::vector<Span> spans;
  spans.reserve(known.size());
  for (const auto& [value, span] : known) {
    spans.push_back(span);
  }
  std::ranges::sort(spans, {}, &Span::made);
  return spans;
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> order_of_predicates(const SelectedFunction& selected,
                                                                         const OperandUse& use,
                                                                         const std::vector<Number>& piece) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<std::uint32_t> live;   // last places of predicates that are live
  std::vector<std::uint32_t> ended;  // those of the latest others, in order
  for (const Span& span : spans_of(selected, use, piece)) {
    const auto first_ended =
        std::partition(live.begin(), live.end(), [&](std::uint32_t last) { return last > span.made; });
    ended.insert(ended.end(), first_ended, live.end());
    live.erase(first_ended, live.end());
    live.push_back(span.last);
    std::ranges::sort(ended);
    // As many of the others as there are registers left may still be live when this one is made.
    const std::size_t free = kPredicateRegisters - std::min<std::size_t>(kPredicateRegisters, live.size());
    if (ended.size() > kPredicateRegisters) {
      ended.erase(ended.begin(), ended.end() - kPredicateRegisters);
    }
    for (std::size_t i = 0; span.is_made && i + free < ended.size(); ++i) {
      if (ended[i] != span.made) {
        pairs.emplace_back(span.made, ended[i]);
      }
    }
  }
  return pairs;
}

}  // namespace warpsim::codegen
