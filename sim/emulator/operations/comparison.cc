#include "emulator/operations/comparison.h"

#include <algorithm>
#include <array>

namespace warpsim {

namespace {

struct ConditionWord {
  std::string_view word;
  unsigned relations;
};
constexpr auto kWords = std::to_array<ConditionWord>({
    {"eq", kEqual},
    {"ne", kLess | kGreater},
    {"lt", kLess},
    {"le", kLess | kEqual},
    {"gt", kGreater},
    {"ge", kGreater | kEqual},
    {"lo", kLess},
    {"ls", kLess | kEqual},
    {"hi", kGreater},
    {"hs", kGreater | kEqual},
    {"equ", kEqual | kUnordered},
    {"neu", kLess | kGreater | kUnordered},
    {"ltu", kLess | kUnordered},
    {"leu", kLess | kEqual | kUnordered},
    {"gtu", kGreater | kUnordered},
    {"geu", kGreater | kEqual | kUnordered},
    {"num", kLess | kEqual | kGreater},
    {"nan", kUnordered},
});

}  // namespace

std::optional<unsigned> comparison_of(std::string_view word) {
  const auto* const found = std::ranges::find(kWords, word, &ConditionWord::word);
  return found == kWords.end() ? std::nullopt : std::optional(found->relations);
}

}  // namespace warpsim
