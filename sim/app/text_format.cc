#include "app/text_format.h"

#include <fmt/format.h>
#include <cmath>

#include <algorithm>

namespace warpsim {

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) {
    text.insert(at - 3, ",");
  }
  return text;
}

std::string short_count(double value) {
  constexpr double kThousand = 1000;
  if (value < kThousand) {
    return fmt::format("{:.0f}", value);
  }
  std::size_t step = 0;
  constexpr const char* kUnits[] = {"k", "M", "G", "T"};
  value /= kThousand;
  // 999.95 and more would be printed as 1000.
  while (value >= 999.5 && step + 1 < std::size(kUnits)) {
    value /= kThousand;
    ++step;
  }
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, digits, kUnits[step]);
}

std::string short_seconds(double seconds) {
  if (seconds < 1e-3) {
    return fmt::format("{:.2f} us", seconds * 1e6);
  }
  if (seconds < 1) {
    return fmt::format("{:.2f} ms", seconds * 1e3);
  }
  if (seconds < 100) {
    return fmt::format("{:.1f} s", seconds);
  }
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) {
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string launches_text(std::size_t launches) {
  return fmt::format("{} launch{}", launches, launches == 1 ? "" : "es");
}

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;  // continuation bytes take no column
  }));
}

std::string TextTable::render() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(display_width(columns_[i].heading));
    for (const std::vector<std::string>& row : rows_) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string text;
  const auto line = [&](const auto& cell) {
    std::string result = " ";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string content = cell(i);
      const std::string pad(widths[i] - display_width(content), ' ');
      result += (i == 0 ? " " : "  ") + (columns_[i].align == Align::kLeft ? content + pad : pad + content);
    }
    result.erase(result.find_last_not_of(' ') + 1);
    text += result + "\n";
  };
  line([&](std::size_t i) { return columns_[i].heading; });
  line([&](std::size_t i) { return std::string(widths[i], '-'); });
  for (const std::vector<std::string>& row : rows_) {
    line([&](std::size_t i) { return row[i]; });
  }
  return text;
}

std::string short_kernel_name(const std::string& demangled, std::size_t most) {
  std::string name;
  int depth = 0;
  for (const char c : demangled) {
    depth -= c == '>' ? 1 : 0;
    if (c == '(' && depth == 0 && !name.empty()) {
      break;
    }
    if (depth == 0 && c != '<' && c != '>') {
      name += c;
    }
    depth += c == '<' ? 1 : 0;
  }
  // "void f": a template's name carries its result type.
  if (const std::size_t blank = name.rfind(' '); blank != std::string::npos) {
    name.erase(0, blank + 1);
  }
  if (const std::size_t scope = name.rfind("::"); scope != std::string::npos) {
    name.erase(0, scope + 2);
  }
  return name.size() <= most ? name : name.substr(0, most - 2) + "..";
}

}  // namespace warpsim
