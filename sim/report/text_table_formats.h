// Table formats for other programs and papers: CSV (RFC 4180), Markdown (GitHub's), LaTeX (packages booktabs and,
// with columns of plain numbers, siunitx). Cells are already formatted as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

enum class TableFormat : std::uint8_t { kCsv, kMarkdown, kLatex };
// By the suffix of the file's name: .csv, .md, .tex; nothing for any other.
std::optional<TableFormat> table_format(const std::string& path);

enum class CellAlign : std::uint8_t {
  kText,    // left
  kRight,   // right, unchanged: "+1.5 %"
  kNumber,  // plain numbers or empty; LaTeX aligns their decimal points
};
struct PrintedColumn {
  std::string heading;
  CellAlign align = CellAlign::kText;
  bool code = false;  // monospaced in Markdown
};
struct PrintedTable {
  std::vector<PrintedColumn> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as columns
};

// Fields are quoted where needed; lines end with '\n'.
std::string csv_table(const PrintedTable& table);
std::string markdown_table(const PrintedTable& table);
std::string latex_table(const PrintedTable& table);

// Text with all special characters escaped.
std::string latex_escaped(const std::string& text);
std::string markdown_escaped(const std::string& text);

}  // namespace warpsim
