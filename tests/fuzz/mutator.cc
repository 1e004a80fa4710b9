#include "fuzz/mutator.h"

#include <algorithm>

namespace warpsim {
namespace {

constexpr std::size_t kLongestText = 1 << 20;
constexpr std::size_t kMostChanges = 6;

constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "-1",
                                         "4294967295",
                                         "4294967296",
                                         "0x7fffffffffffffff",
                                         "0xffffffffffffffff",
                                         "18446744073709551616",
                                         "65536",
                                         "08",
                                         "0b11",
                                         "1.5",
                                         ".5e-3",
                                         "0f3f800000",
                                         "1e999",
                                         "0d0",
                                         "WARP_SZ",
                                         "5U"};
constexpr std::string_view kWords[] = {"{",
                                       "}",
                                       "(",
                                       ")",
                                       "[",
                                       "]",
                                       "<",
                                       ">",
                                       "|",
                                       "!",
                                       "@",
                                       "_",
                                       "-",
                                       "+",
                                       "%",
                                       "?",
                                       ":",
                                       ";",
                                       ",",
                                       ".",
                                       "=",
                                       "\"",
                                       "/*",
                                       "*/",
                                       "//",
                                       "::",
                                       "<<",
                                       "&&",
                                       "%tid.x",
                                       ".reg",
                                       ".b32",
                                       ".v4",
                                       ".param",
                                       ".global",
                                       ".entry k(",
                                       ".func",
                                       ".alias",
                                       ".align 8",
                                       ".branchtargets",
                                       ".calltargets",
                                       ".callprototype",
                                       ".loc 1 2 3",
                                       ".section .a {",
                                       ".pragma \"\";",
                                       "bra",
                                       "call",
                                       "generic(",
                                       "0xff(",
                                       "%r<9>",
                                       "[]",
                                       ".extern",
                                       ".weak",
                                       ".common",
                                       ".attribute(",
                                       ".ptr",
                                       ".noreturn",
                                       "\n",
                                       std::string_view("\0", 1)};

template <typename Table>
std::string_view one_of(Mutator& mutator, const Table& table) {
  return table[mutator.below(std::size(table))];
}

}  // namespace

std::size_t Mutator::below(std::size_t bound) {
  return bound == 0 ? 0 : random_() % bound;
}

Mutator::Range Mutator::range_of(std::string_view text, std::size_t longest) {
  const std::size_t begin = below(text.size() + 1);
  return {begin, std::min(below(longest) + 1, text.size() - begin)};
}

void Mutator::replace_number(std::string& text) {
  const std::size_t begin = text.find_first_of("0123456789", below(text.size() + 1));
  if (begin == std::string::npos) {
    return;
  }
  const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
  text.replace(begin, end - begin, one_of(*this, kNumbers));
}

void Mutator::repeat(std::string& text) {
  const Range range = range_of(text, 12);
  const std::string unit = text.substr(range.begin, range.size);
  // Mostly short, sometimes up to the limit.
  const std::size_t most = below(200) == 0 ? kLongestText : 600;
  std::string copies;
  for (std::size_t left = unit.empty() ? 0 : below(most) / unit.size(); left > 0; --left) {
    copies += unit;
  }
  text.insert(range.begin, copies);
}

void Mutator::change(std::string& text, const std::string& other) {
  const Range range = range_of(text, below(4) == 0 ? 200 : 8);
  const Range piece = range_of(other, below(2) == 0 ? 400 : 30);
  switch (below(9)) {
    case 0:
      text.erase(range.begin, range.size);
      break;
    case 1:
      text.insert(below(text.size() + 1), text.substr(range.begin, range.size));
      break;
    case 2:
      text.insert(range.begin, other, piece.begin, piece.size);
      break;
    case 3:
      text.replace(range.begin, range.size, other, piece.begin, piece.size);
      break;
    case 4:
      text.insert(range.begin, one_of(*this, kWords));
      break;
    case 5:
      text.replace(range.begin, std::min<std::size_t>(range.size, 1), one_of(*this, kWords));
      break;
    case 6:
      replace_number(text);
      break;
    case 7:
      repeat(text);
      break;
    default:
      if (!text.empty()) {
        text[below(text.size())] = static_cast<char>(below(256));
      }
  }
}

std::string Mutator::mutate(const std::vector<std::string>& texts) {
  std::string text = texts[below(texts.size())];
  for (std::size_t changes = below(kMostChanges) + 1; changes > 0; --changes) {
    change(text, texts[below(texts.size())]);
  }
  text.resize(std::min(text.size(), kLongestText));
  return text;
}

}  // namespace warpsim
