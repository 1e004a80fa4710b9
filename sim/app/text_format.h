// Formats numbers, times and tables for readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {

std::string grouped(std::uint64_t value);         // 1,234,567
std::string short_count(double value);            // 999, 37.0 k, 1.23 M, 4.56 G
std::string short_seconds(double seconds);        // 12.3 us, 4.56 ms, 7.8 s, 3 min 05 s
std::string launches_text(std::size_t launches);  // 1 launch, 2 launches

enum class Align : std::uint8_t { kLeft, kRight };

// A table with a heading, a rule below it and columns of the necessary width.
class TextTable {
 public:
  struct Column {
    std::string heading;
    Align align;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // Each line is indented by two blanks and ends in a newline.
  std::string render() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Columns a text takes on a terminal (UTF-8 aware, no wide characters).
std::size_t display_width(const std::string& text);

// A kernel's readable name without its parameters and template arguments, at most `most` characters.
std::string short_kernel_name(const std::string& demangled, std::size_t most);

}  // namespace warpsim
