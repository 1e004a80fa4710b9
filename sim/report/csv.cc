#include "report/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace warpsim {

namespace {

class CsvParser {
 public:
  CsvParser(const std::string& text, const std::string& path, std::size_t first_line)
      : text_(text), path_(path), line_(first_line) {}

  std::vector<CsvRow> parse() {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    at_ = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (at_ < text_.size()) {
      row();
    }
    return std::move(rows_);
  }

 private:
  void row() {
    CsvRow row;
    row.line = line_;
    do {
      row.fields.push_back(at_ < text_.size() && text_[at_] == '"' ? quoted() : plain());
    } while (at_ < text_.size() && text_[at_++] == ',');
    ++line_;
    const bool blank = row.fields.size() == 1 && row.fields.front().empty();
    if (!blank) {
      rows_.push_back(std::move(row));
    }
  }

  // Up to the comma or line end, which is kept (a carriage return is removed).
  std::string plain() {
    const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    std::string field = text_.substr(at_, end - at_);
    at_ = end;
    if (!field.empty() && field.back() == '\r') {
      field.pop_back();
    }
    return field;
  }

  std::string quoted() {
    const std::size_t begin_line = line_;
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      const bool quote = text_[at_] == '"';
      if (quote && (at_ + 1 == text_.size() || text_[at_ + 1] != '"')) {
        ++at_;
        return field + plain();
      }
      line_ += text_[at_] == '\n' ? 1 : 0;
      at_ += quote ? 1 : 0;
      field += text_[at_];
    }
    throw UserError(fmt::format("{}:{}: a quoted field has no closing quote", path_, begin_line));
  }

  const std::string& text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::size_t line_;
  std::vector<CsvRow> rows_;
};

}  // namespace

std::vector<CsvRow> parse_csv(const std::string& text, const std::string& path, std::size_t first_line) {
  return CsvParser(text, path, first_line).parse();
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string result = "\"";
  for (const char c : text) {
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  }
  return result + "\"";
}

Dim3 dim3_in(const std::string& text) {
  std::uint32_t extents[3] = {1, 1, 1};
  const char* at = text.data();
  const char* end = at + text.size();
  for (std::uint32_t& extent : extents) {
    at = std::find_if(at, end, [](char c) { return c >= '0' && c <= '9'; });
    at = std::from_chars(at, end, extent).ptr;
  }
  return {extents[0], extents[1], extents[2]};
}

}  // namespace warpsim
