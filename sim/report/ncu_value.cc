#include "report/ncu_value.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

namespace warpsim {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Commas only between groups of three digits, not after the decimal point: "1,234,567.8".
bool are_thousands(std::string_view digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  if (digits.find(',', point) != std::string_view::npos) {
    return false;
  }
  constexpr std::size_t kGroup = 3;
  std::string_view whole = digits.substr(0, point);
  while (true) {
    const std::size_t comma = whole.rfind(',');
    if (comma == std::string_view::npos) {
      return !whole.empty() && whole.size() <= kGroup;
    }
    if (whole.size() - comma - 1 != kGroup) {
      return false;
    }
    whole = whole.substr(0, comma);
  }
}

bool means_nothing(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word : {"", "n/a", "nan", "-nan", "inf", "-inf", "(!) n/a"}) {
    if (text == word) {
      return true;
    }
  }
  return false;
}

}  // namespace

NcuValue ncu_value(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  const std::size_t last = text.find_last_not_of(" \t");
  std::string word = first == std::string::npos ? "" : text.substr(first, last - first + 1);
  if (means_nothing(word)) {
    return {};
  }
  const bool begins = is_digit(word[0]) || (word.size() > 1 && (word[0] == '-' || word[0] == '.') && is_digit(word[1]));
  if (!begins) {
    return {NcuValueKind::kText, 0};
  }
  if (word.find(',') != std::string::npos) {
    if (!are_thousands(std::string_view(word).substr(word[0] == '-' ? 1 : 0))) {
      return {NcuValueKind::kDecimalComma, 0};
    }
    std::erase(word, ',');
  }
  double number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && stop == word.data() + word.size()) {
    return {NcuValueKind::kNumber, number};
  }
  const bool letters = std::ranges::any_of(word, [](unsigned char c) { return std::isalpha(c) != 0; });
  return {letters ? NcuValueKind::kText : NcuValueKind::kMalformed, 0};
}

}  // namespace warpsim
