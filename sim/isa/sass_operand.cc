#include "isa/sass_operand.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>

#include "base/trim.h"

namespace warpsim {
namespace {

constexpr std::string_view kSigns = "-+|~!";

[[noreturn]] void fail(std::string_view what, std::string_view text) {
  throw std::invalid_argument(std::string(what) + " '" + std::string(text) + "'");
}

bool parse_number(std::string_view text, std::uint64_t& value) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// "R12" with prefix "R" gives 12; "RZ" or "PT" give `constant`.
bool parse_indexed(std::string_view name, std::string_view prefix, char constant_letter, std::uint8_t constant,
                   std::uint8_t& index) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) {
    return false;
  }
  name.remove_prefix(prefix.size());
  if (name.size() == 1 && name[0] == constant_letter) {
    index = constant;
    return true;
  }
  std::uint64_t number = 0;
  if (name[0] < '0' || name[0] > '9' || !parse_number(name, number)) {
    return false;
  }
  if (number > constant) {
    fail("register number out of range in", name);
  }
  index = static_cast<std::uint8_t>(number);
  return true;
}

bool is_number_text(std::string_view text) {
  return (text[0] >= '0' && text[0] <= '9') || text == "INF" || text == "QNAN" || text == "SNAN" || text == "NAN";
}

// The terms of "R2.64+UR4+0x10".
void parse_inner(std::string_view text, SassOperand& out) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('+', at), text.size());
    std::string_view term = trim(text.substr(at, end - at));
    at = end + 1;
    while (!term.empty() && (term[0] == '-' || term[0] == '~')) {
      term.remove_prefix(1);
    }
    const std::string_view name = term.substr(0, term.find('.'));
    SassOperand::Inner inner;
    inner.width = term.find(".64") != std::string_view::npos ? 2 : 1;
    if (parse_indexed(name, "UR", 'Z', 63, inner.index)) {
      inner.uniform = true;
    } else if (!parse_indexed(name, "R", 'Z', 255, inner.index)) {
      std::uint64_t number = 0;
      if (parse_number(term, number)) {
        out.offset = static_cast<std::uint32_t>(number);
      }
      continue;
    }
    out.reuse = out.reuse || term.find(".reuse") != std::string_view::npos;
    if (out.inner_count < out.inner.size()) {
      out.inner[out.inner_count++] = inner;
    }
  }
}

// The contents of each bracket pair of "desc[UR4][R2.64]".
std::vector<std::string_view> brackets(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t open = text.find('[');
  while (open != std::string_view::npos) {
    const std::size_t close = text.find(']', open);
    if (close == std::string_view::npos) {
      fail("missing ']' in", text);
    }
    parts.push_back(text.substr(open + 1, close - open - 1));
    open = text.find('[', close);
  }
  return parts;
}

void parse_constant(std::string_view text, SassOperand& out) {
  const std::vector<std::string_view> parts = brackets(text);
  if (parts.size() != 2) {
    fail("expected c[bank][offset], got", text);
  }
  out.kind = SassOperand::Kind::kConstant;
  std::uint64_t bank = 0;
  std::uint64_t offset = 0;
  if (!parse_number(parts[0], bank)) {
    parse_inner(parts[0], out);
    out.indexed = true;
  }
  if (!parse_number(parts[1], offset)) {
    parse_inner(parts[1], out);
    offset = out.offset;
    out.indexed = true;
  }
  if (bank > 255 || offset > 0xffffffffU) {
    fail("constant bank or offset out of range in", text);
  }
  out.bank = static_cast<std::uint8_t>(bank);
  out.offset = static_cast<std::uint32_t>(offset);
}

// "c[0x0]" of "c[0x0] [0x8].H1" and "c" of "c [0x0] [0x8]", as XMAD and old versions of cuobjdump print them.
bool is_constant_bank(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSigns), text.size()));
  return text == "c" || text.starts_with("c[") || text.starts_with("c [");
}

void parse_bracketed(std::string_view text, SassOperand& out) {
  if (is_constant_bank(text) || text.starts_with("cx[")) {
    parse_constant(text, out);
    return;
  }
  out.kind = text.starts_with("gdesc") ? SassOperand::Kind::kDescriptor : SassOperand::Kind::kAddress;
  for (const std::string_view part : brackets(text)) {
    parse_inner(part, out);
  }
  // A descriptor has 64 bits, the two of a warpgroup operation have 128; a uniform base of 64-bit addresses is a pair.
  bool wide = false;
  for (std::uint8_t i = 0; i < out.inner_count; ++i) {
    wide = wide || out.inner[i].width == 2;
  }
  for (std::uint8_t i = 0; i < out.inner_count; ++i) {
    if (out.inner[i].uniform) {
      out.inner[i].width = out.kind == SassOperand::Kind::kDescriptor ? 4 : (wide ? 2 : 1);
    }
  }
}

void parse_scoreboard_set(std::string_view text, SassOperand& out) {
  out.kind = SassOperand::Kind::kScoreboardSet;
  for (const char c : text) {
    if (c >= '0' && c <= '5') {
      out.set = static_cast<std::uint8_t>(out.set | (1U << static_cast<unsigned>(c - '0')));
    }
  }
}

void parse_simple(std::string_view bare, bool negative, SassOperand& out) {
  const std::string_view name = bare.substr(0, bare.find_first_of(".|"));
  using Kind = SassOperand::Kind;
  if (parse_indexed(name, "R", 'Z', 255, out.index)) {
    out.kind = Kind::kRegister;
  } else if (parse_indexed(name, "UR", 'Z', 63, out.index)) {
    out.kind = Kind::kUniformRegister;
  } else if (parse_indexed(name, "P", 'T', 7, out.index)) {
    out.kind = Kind::kPredicate;
  } else if (parse_indexed(name, "UP", 'T', 7, out.index)) {
    out.kind = Kind::kUniformPredicate;
  } else if (name == "PR") {
    out.kind = Kind::kPredicateSet;
  } else if (parse_indexed(name, "SB", 'Z', 5, out.index)) {
    out.kind = Kind::kScoreboard;
  } else if (is_number_text(bare) && bare.find('D') == std::string_view::npos) {
    out.kind = Kind::kImmediate;
    std::uint64_t value = 0;
    if (parse_number(bare, value)) {
      out.value = static_cast<std::int64_t>(negative ? 0 - value : value);
    }
  }
  out.reuse = bare.find(".reuse") != std::string_view::npos;
}

SassOperand parse_operand(std::string_view text) {
  SassOperand out;
  out.text = text;
  std::string_view bare = text;
  bool negative = false;
  while (!bare.empty() && kSigns.find(bare[0]) != std::string_view::npos) {
    negative = negative || bare[0] == '-';
    bare.remove_prefix(1);
  }
  if (bare.empty()) {
    fail("empty operand in", text);
  }
  if (bare[0] == '{') {
    parse_scoreboard_set(bare, out);
  } else if (bare.find('[') != std::string_view::npos) {
    parse_bracketed(bare, out);
  } else {
    parse_simple(bare, negative, out);
  }
  return out;
}

}  // namespace

std::vector<SassOperand> parse_operands(std::string_view text) {
  std::vector<SassOperand> operands;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '[' || c == '{' || c == '(' ? 1 : (c == ']' || c == '}' || c == ')' ? -1 : 0);
    if (c == ' ' && depth == 0) {
      // A blank separates operands that have no comma between them ("R4 0x1760"), unless a comma follows.
      const std::string_view part = trim(text.substr(start, i - start));
      const std::string_view rest = trim(text.substr(i));
      if (part.empty() || rest.empty() || rest[0] == ',' || (rest[0] == '[' && is_constant_bank(part))) {
        continue;
      }
    } else if (c != ',' || (depth != 0 && i < text.size())) {
      continue;
    }
    const std::string_view part = trim(text.substr(start, i - start));
    start = i + 1;
    if (!part.empty()) {
      operands.push_back(parse_operand(part));
    } else if (c == ',' && i < text.size()) {
      fail("empty operand in", text);
    }
  }
  if (depth != 0) {
    fail("unbalanced brackets in", text);
  }
  return operands;
}

}  // namespace warpsim
