#include "config/config_factor.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpsim {

namespace {

bool plain_scalar(const ConfigNode& node) {
  return node.kind == ConfigNode::Kind::kScalar && !node.quoted;
}

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

void apply_factor(const ConfigNode& base, ConfigNode& over) {
  if (!plain_scalar(base) || !plain_scalar(over) || !over.scalar.starts_with('x')) {
    return;
  }
  const std::optional<double> factor = number_in<double>(std::string_view(over.scalar).substr(1));
  const std::optional<double> value = number_in<double>(base.scalar);
  if (!factor || !value || !std::isfinite(*factor) || *factor < 0) {
    return;
  }
  const double product = *value * *factor;
  constexpr double kExact = 9007199254740992;  // integers up to 2^53 are exact
  const bool integer = number_in<std::uint64_t>(base.scalar).has_value();
  if (!integer) {
    over.scalar = fmt::format("{}", product);
  } else if (product < kExact) {
    over.scalar = std::to_string(std::llround(product));
  }
}

}  // namespace warpsim
