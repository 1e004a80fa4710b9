#include "report/text_table_formats.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "report/csv.h"

namespace warpsim {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// An underscore inside a word does not start emphasis.
bool emphasises(const std::string& text, std::size_t at) {
  return text[at] != '_' || at == 0 || at + 1 == text.size() || !is_word(text[at - 1]) || !is_word(text[at + 1]);
}

const char* latex_replacement(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    // An unescaped bar is a dash in LaTeX's default font encoding.
    case '|':
      return "\\textbar{}";
    case '\n':
    case '\r':
      return " ";
    default:
      return nullptr;
  }
}

// The format for siunitx: digits before and after the decimal point, and of the exponent.
struct NumberShape {
  std::size_t whole = 1;
  std::size_t fraction = 0;
  std::size_t exponent = 0;
  bool negative = false;
  bool negative_exponent = false;

  void add(std::string_view cell) {
    const std::size_t e = cell.find_first_of("eE");
    if (e != std::string_view::npos) {
      std::string_view digits = cell.substr(e + 1);
      negative_exponent = negative_exponent || digits.starts_with('-');
      digits.remove_prefix(digits.starts_with('-') || digits.starts_with('+') ? 1 : 0);
      exponent = std::max(exponent, digits.size());
    }
    std::string_view mantissa = cell.substr(0, e);
    negative = negative || mantissa.starts_with('-');
    mantissa.remove_prefix(mantissa.starts_with('-') ? 1 : 0);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    whole = std::max(whole, point);
    fraction = std::max(fraction, point == mantissa.size() ? 0 : mantissa.size() - point - 1);
  }

  std::string column() const {
    std::string text = std::string("S[table-format=") + (negative ? "-" : "") + std::to_string(whole);
    text += fraction == 0 ? "" : "." + std::to_string(fraction);
    if (exponent != 0) {
      text += std::string("e") + (negative_exponent ? "-" : "") + std::to_string(exponent);
    }
    return text + "]";
  }
};

std::string latex_columns(const PrintedTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].align != CellAlign::kNumber) {
      text += table.columns[i].align == CellAlign::kText ? 'l' : 'r';
      continue;
    }
    NumberShape shape;
    for (const auto& row : table.rows) {
      if (!row[i].empty()) {
        shape.add(row[i]);
      }
    }
    text += shape.column();
  }
  return text;
}

std::string latex_cell(const PrintedColumn& column, const std::string& cell, bool first) {
  if (column.align == CellAlign::kNumber) {
    return cell.empty() ? "{--}" : cell;
  }
  const std::string text = latex_escaped(cell);
  // At the beginning of a row, a bracket would be parsed as an argument of the preceding line break.
  return first && text.starts_with('[') ? "{}" + text : text;
}

}  // namespace

std::optional<TableFormat> table_format(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".csv") {
    return TableFormat::kCsv;
  }
  if (suffix == ".md") {
    return TableFormat::kMarkdown;
  }
  if (suffix == ".tex") {
    return TableFormat::kLatex;
  }
  return std::nullopt;
}

std::string latex_escaped(const std::string& text) {
  constexpr std::string_view kBehindBackslash = "_%&#${}";
  std::string result;
  for (const char c : text) {
    if (const char* replacement = latex_replacement(c)) {
      result += replacement;
      continue;
    }
    result += kBehindBackslash.find(c) == std::string_view::npos ? "" : "\\";
    result += c;
  }
  return result;
}

std::string markdown_escaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n' || c == '\r') {
      result += ' ';
      continue;
    }
    const bool special = std::string_view("\\|*<`_").find(c) != std::string_view::npos;
    result += special && emphasises(text, i) ? "\\" : "";
    result += c;
  }
  return result;
}

std::string csv_table(const PrintedTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += (i == 0 ? "" : ",") + csv_field(table.columns[i].heading);
  }
  text += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += (i == 0 ? "" : ",") + csv_field(row[i]);
    }
    text += '\n';
  }
  return text;
}

std::string markdown_table(const PrintedTable& table) {
  std::string text;
  std::string rule;
  for (const PrintedColumn& column : table.columns) {
    text += "| " + markdown_escaped(column.heading) + " ";
    rule += column.align == CellAlign::kText ? "| --- " : "| ---: ";
  }
  text += "|\n" + rule + "|\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      // Inside backticks only a bar requires a backslash.
      const bool code = table.columns[i].code && row[i].find_first_of("`|\n") == std::string::npos;
      text += "| " + (code ? "`" + row[i] + "`" : markdown_escaped(row[i])) + " ";
    }
    text += "|\n";
  }
  return text;
}

std::string latex_table(const PrintedTable& table) {
  std::string heading;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string name = latex_escaped(table.columns[i].heading);
    heading += (i == 0 ? "" : " & ") + (table.columns[i].align == CellAlign::kNumber ? "{" + name + "}" : name);
  }
  std::string text = "\\begin{tabular}{" + latex_columns(table) + "}\n\\toprule\n" + heading + " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += (i == 0 ? "" : " & ") + latex_cell(table.columns[i], row[i], i == 0);
    }
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace warpsim
