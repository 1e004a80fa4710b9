#include "sass/encoding_parser.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "sass/operand_reader.h"

namespace warpsim::sass {

namespace {

class RowReader {
 public:
  RowReader(const EncodingRow& row, std::uint32_t form, bool bindless, const NameTables& names)
      : row_(row), form_(form), bindless_(bindless), names_(names) {}

  Encoding read() {
    Encoding code;
    code.row = &row_;
    code.opcode = static_cast<std::uint16_t>(form_ << 9U | row_.number);
    std::string_view text = row_.text;
    if (text.starts_with('^')) {
      code.uniform_guard = true;
      text.remove_prefix(1);
    }
    const bool uniform_operation = code.uniform_guard;
    if (form_ != 0 && (uniform_operation || form_ == 6 || form_ == 7 || bindless_)) {
      code.opcode |= 0x1000;
    }
    const std::string rest = take_options(text, code);
    const std::size_t space = rest.find(' ');
    read_head(std::string_view(rest).substr(0, space), code);
    if (space != std::string::npos) {
      read_operands(std::string_view(rest).substr(space + 1), code);
    }
    code.know(bit_field("15-0"));
    code.know(bit_field("91-91"));
    code.know(bit_field("127-105"));
    return code;
  }

 private:
  // Takes " =bits:value", " #bits" and " style:name" off the text.
  std::string take_options(std::string_view text, Encoding& code) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t space = std::min(text.find(' ', at), text.size());
      const std::string_view word = text.substr(at, space - at);
      if (word.starts_with('=')) {
        const std::size_t colon = word.find(':');
        const BitField bits = bit_field(word.substr(1, colon - 1));
        code.fixed.push_back({bits, table_number(word.substr(colon + 1))});
        code.know(bits);
      } else if (word.starts_with('#')) {
        code.know(bit_field(word.substr(1)));
      } else if (word == "style:imad") {
        code.style = NameStyle::kMultiplyAdd;
      } else {
        out += (out.empty() ? "" : " ") + std::string(word);
      }
      at = space + 1;
    }
    return out;
  }

  void read_head(std::string_view text, Encoding& code) {
    const std::size_t end = std::min(text.find('{'), text.size());
    code.mnemonic = text.substr(0, end);
    text.remove_prefix(end);
    while (!text.empty()) {
      ModifierCode modifier;
      if (text.front() != '{') {
        const std::size_t next = std::min(text.find('{'), text.size());
        modifier.literal = text.substr(0, next);
        text.remove_prefix(next);
        code.modifiers.push_back(modifier);
        continue;
      }
      const std::size_t close = text.find('}');
      std::string_view inside = text.substr(1, close - 1);
      text.remove_prefix(close + 1);
      if (inside.starts_with('!')) {
        modifier.inverted = true;
        inside.remove_prefix(1);
      }
      const std::size_t colon = inside.find(':');
      const std::string_view name = inside.substr(0, colon);
      modifier.bits = bit_field(inside.substr(colon + 1));
      modifier.name = name;
      if (name.front() >= 'a' && name.front() <= 'z') {
        modifier.table = find_table(names_, name);
      } else if (modifier.bits.width() != 1) {
        throw std::logic_error("modifier " + std::string(name) + " has more than one bit");
      }
      code.know(modifier.bits);
      code.modifiers.push_back(std::move(modifier));
    }
  }

  void read_operands(std::string_view text, Encoding& code) const {
    const OperandReader reader({row_.text, form_, bindless_, code.uniform_guard}, names_);
    while (!text.empty()) {
      const std::size_t comma = text.find(", ");
      code.operands.push_back(reader.read(text.substr(0, comma), code));
      text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 2);
    }
  }

  const EncodingRow& row_;
  std::uint32_t form_;
  bool bindless_;
  const NameTables& names_;
};

}  // namespace

Encoding read_row(const EncodingRow& row, std::uint32_t form, bool bindless, const NameTables& names) {
  try {
    return RowReader(row, form, bindless, names).read();
  } catch (const std::logic_error& error) {
    throw std::logic_error("table of instructions, \"" + std::string(row.text) + "\": " + error.what());
  }
}

}  // namespace warpsim::sass
