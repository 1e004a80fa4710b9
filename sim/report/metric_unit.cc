#include "report/metric_unit.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

namespace warpsim {

namespace {

constexpr const char* kClock = "cycle/second";

int exponent_of(char prefix) {
  switch (prefix) {
    case 'n':
      return -9;
    case 'u':
      return -6;
    case 'm':
      return -3;
    case 'K':
    case 'k':
      return 3;
    case 'M':
      return 6;
    case 'G':
      return 9;
    case 'T':
      return 12;
    case 'P':
      return 15;
    default:
      return 0;
  }
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

MetricUnit word_unit(std::string_view word) {
  for (const char* second : {"second", "s"}) {
    const std::string_view name = second;
    if (word == name) {
      return {"second", 0};
    }
    if (word.ends_with(name) && word.size() == name.size() + 1 &&
        std::string_view("num").find(word.front()) != std::string_view::npos) {
      return {"second", exponent_of(word.front())};
    }
  }
  const std::string small = lower(word);
  if (small == "hz" || (small.ends_with("hz") && small.size() == 3 && exponent_of(word.front()) > 0)) {
    return {kClock, small == "hz" ? 0 : exponent_of(word.front())};
  }
  const bool prefixed = word.size() > 1 && std::isupper(static_cast<unsigned char>(word[0])) != 0 &&
                        std::islower(static_cast<unsigned char>(word[1])) != 0 && exponent_of(word[0]) > 0;
  return prefixed ? MetricUnit{std::string(word.substr(1)), exponent_of(word[0])} : MetricUnit{std::string(word), 0};
}

bool is_measure(const std::string& base) {
  return base.find("byte") != std::string::npos || base.find("second") != std::string::npos || base == "%";
}

// Exact up to 10^22, as all powers here are.
double scaled(double value, int exponent) {
  return exponent >= 0 ? value * std::pow(10.0, exponent) : value / std::pow(10.0, -exponent);
}

}  // namespace

MetricUnit metric_unit(std::string_view text) {
  const std::size_t slash = text.find('/');
  MetricUnit unit = word_unit(text.substr(0, slash));
  if (slash != std::string_view::npos) {
    const MetricUnit below = word_unit(text.substr(slash + 1));
    unit.base += "/" + below.base;
    unit.exponent -= below.exponent;
  }
  return unit;
}

std::optional<double> converted(double value, const MetricUnit& from, const MetricUnit& to) {
  if (from.base != to.base && (is_measure(from.base) || is_measure(to.base))) {
    return std::nullopt;
  }
  return scaled(value, from.exponent - to.exponent);
}

std::string kept_unit(const MetricUnit& unit) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> kNames = {
      {{"second", "ns"}, {kClock, "Hz"}, {"byte/second", "byte/s"}}};
  for (const auto& [base, name] : kNames) {
    if (unit.base == base) {
      return name;
    }
  }
  return unit.base;
}

}  // namespace warpsim
