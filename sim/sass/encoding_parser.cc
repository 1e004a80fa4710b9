#include "sass/encoding_parser.h"

#include <charconv>
#include <stdexcept>
#include <utility>
#include <vector>

namespace warpsim::sass {

namespace {

using Kind = MachineOperand::Kind;
using Core = OperandCode::Core;

// Places of operands in the word, with the bits of their modifiers.
struct Place {
  std::string_view bits;
  std::uint8_t negative;
  std::uint8_t absolute;
  std::uint8_t halves;
  std::uint8_t half_negative;  // of pairs of halves
  std::uint8_t half_absolute;
  std::uint8_t slot;
};
constexpr Place kPlaceA = {"31-24", 72, 73, 74, 72, 73, 0};
constexpr Place kPlaceB = {"39-32", 63, 62, 60, 63, 62, 1};
constexpr Place kPlaceC = {"71-64", 75, 74, 81, 84, 83, 2};

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
    uniform_ = uniform_operation;
    const std::string rest = take_options(text, code);
    const std::size_t space = rest.find(' ');
    read_head(std::string_view(rest).substr(0, space), code);
    if (space != std::string::npos) {
      read_operands(std::string_view(rest).substr(space + 1), code);
    }
    mark(code, field("15-0"));
    mark(code, field("91-91"));
    mark(code, field("127-105"));
    return code;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error("instruction table, \"" + std::string(row_.text) + "\": " + what);
  }

  std::uint32_t number(std::string_view text) const {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail("expected a number, found '" + std::string(text) + "'");
    }
    return value;
  }

  // "79-76,72"
  BitField field(std::string_view text) const {
    BitField out;
    while (!text.empty()) {
      const std::size_t comma = text.find(',');
      const std::string_view run = text.substr(0, comma);
      const std::size_t dash = run.find('-');
      const std::uint32_t last = number(run.substr(0, dash));
      const std::uint32_t first = dash == std::string_view::npos ? last : number(run.substr(dash + 1));
      if (first > last || last > 127 || out.count == out.runs.size()) {
        fail("wrong bits '" + std::string(text) + "'");
      }
      out.runs[out.count++] = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last)};
      text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return out;
  }

  static void mark(Encoding& code, const BitField& bits) {
    for (std::uint32_t i = 0; i < bits.count; ++i) {
      for (std::uint32_t bit = bits.runs[i].first; bit <= bits.runs[i].last; ++bit) {
        (bit < 64 ? code.known.low : code.known.high) |= std::uint64_t{1} << (bit % 64);
      }
    }
  }
  static void mark_bit(Encoding& code, std::uint32_t bit) {
    if (bit != kNoBit) {
      (bit < 64 ? code.known.low : code.known.high) |= std::uint64_t{1} << (bit % 64);
    }
  }

  const NameTable* table(std::string_view name) const {
    const auto found = names_.find(name);
    if (found == names_.end()) {
      fail("no list '" + std::string(name) + "'");
    }
    return &found->second;
  }

  // Takes " =bits:value", " #bits" and " style:name" off the text.
  std::string take_options(std::string_view text, Encoding& code) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t space = std::min(text.find(' ', at), text.size());
      const std::string_view word = text.substr(at, space - at);
      if (word.starts_with('=')) {
        const std::size_t colon = word.find(':');
        const BitField bits = field(word.substr(1, colon - 1));
        code.fixed.push_back({bits, number(word.substr(colon + 1))});
        mark(code, bits);
      } else if (word.starts_with('#')) {
        mark(code, field(word.substr(1)));
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
      modifier.bits = field(inside.substr(colon + 1));
      modifier.name = name;
      if (name.front() >= 'a' && name.front() <= 'z') {
        modifier.table = table(name);
      } else if (modifier.bits.width() != 1) {
        fail("modifier " + std::string(name) + " has more than one bit");
      }
      mark(code, modifier.bits);
      code.modifiers.push_back(std::move(modifier));
    }
  }

  void read_operands(std::string_view text, Encoding& code) {
    while (!text.empty()) {
      const std::size_t comma = text.find(", ");
      code.operands.push_back(read_operand(text.substr(0, comma), code));
      text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 2);
    }
  }

  OperandCode read_operand(std::string_view text, Encoding& code) {
    OperandCode out;
    std::vector<BitCondition> conditions;
    std::int32_t hidden = -1;
    for (;;) {
      if (text.starts_with("if")) {
        const std::size_t space = text.find(' ');
        std::string_view list = text.substr(2, space - 2);
        while (!list.empty()) {
          const std::size_t next = list.find('&');
          std::string_view one = list.substr(0, next);
          const bool inverted = one.starts_with('!');
          const auto bit = static_cast<std::uint8_t>(number(one.substr(inverted ? 1 : 0)));
          conditions.push_back({bit, !inverted});
          mark_bit(code, bit);
          list = next == std::string_view::npos ? std::string_view() : list.substr(next + 1);
        }
        text.remove_prefix(space + 1);
      } else if (text.starts_with('?') && text.size() > 1 && text[1] >= '0' && text[1] <= '9') {
        const std::size_t space = text.find(' ');
        hidden = static_cast<std::int32_t>(number(text.substr(1, space - 1)));
        text.remove_prefix(space + 1);
      } else if (text.starts_with('?')) {
        hidden = -2;
        text.remove_prefix(1);
      } else {
        break;
      }
    }
    if (text.starts_with('[')) {
      out = read_address(text, code);
    } else {
      out = read_plain(text, code);
    }
    out.conditions = std::move(conditions);
    out.hidden_value = hidden;
    mark(code, out.bits);
    mark(code, out.base);
    mark(code, out.uniform);
    mark(code, out.offset);
    mark(code, out.scale);
    mark(code, out.target);
    mark(code, out.suffix_bits);
    for (const std::uint8_t bit : {out.negative, out.absolute, out.complement, out.half_word, out.wide, out.descriptor,
                                   out.absolute_target, out.transposed_a, out.transposed_b, out.negates_upper}) {
      mark_bit(code, bit);
    }
    for (const std::uint8_t bit : {out.halves, out.byte}) {
      if (bit != kNoBit) {
        mark_bit(code, bit);
        mark_bit(code, bit + 1U);
      }
    }
    return out;
  }

  static std::uint8_t slot_of(std::string_view bits) {
    return bits == kPlaceA.bits ? 0 : bits == kPlaceB.bits ? 1 : bits == kPlaceC.bits ? 2 : 255;
  }

  // The operand at B's or C's place in this form.
  OperandCode by_form(bool third, char immediate, const Place*& place) const {
    OperandCode out;
    // Forms 2, 3 and 7 have B at C's place, and what is not a register as C.
    const bool swapped = form_ == 2 || form_ == 3 || form_ == 7;
    const bool at_c = third != swapped;
    const bool two_sources = !third && swapped && !has_third();
    const bool other = two_sources || (third ? swapped : !swapped);
    place = &kPlaceC;
    if (!other || (at_c && !two_sources)) {
      out.kind = uniform_ ? Kind::kUniformRegister : Kind::kRegister;
      out.bits = field(uniform_ ? "69-64" : "71-64");
      out.slot = uniform_ ? 255 : 2;
      return out;
    }
    place = &kPlaceB;
    switch (form_) {
      case 1:
        out.kind = uniform_ ? Kind::kUniformRegister : Kind::kRegister;
        out.bits = field(uniform_ ? "37-32" : "39-32");
        out.slot = uniform_ ? 255 : 1;
        break;
      case 2:
      case 4:
        out.bits = field("63-32");
        out.kind = immediate == 'i'   ? Kind::kSigned
                   : immediate == 'f' ? Kind::kFloat
                   : immediate == 'd' ? Kind::kDouble
                   : immediate == 'h' ? Kind::kHalves
                                      : Kind::kInteger;
        place = nullptr;
        break;
      case 3:
      case 5:
        out.core = bindless_ ? Core::kBindless : Core::kConstant;
        out.bits = field("58-38");
        if (bindless_) {
          out.bits = field("53-38");
          out.uniform = field("37-32");
        }
        break;
      default:
        out.kind = Kind::kUniformRegister;
        out.bits = field("37-32");
        break;
    }
    return out;
  }

  // Whether the row has an operand C.
  bool has_third() const {
    const std::string_view text = row_.text;
    for (std::size_t at = text.find("C"); at != std::string_view::npos; at = text.find("C", at + 1)) {
      const bool begins = at == 0 || text[at - 1] == ' ' || (text[at - 1] == 'U' && at > 1 && text[at - 2] == ' ');
      const char next = at + 1 < text.size() ? text[at + 1] : ' ';
      if (begins && (next == ':' || next == '(' || next == ',' || next == ' ') &&
          !text.substr(at).starts_with("C:58")) {
        return true;
      }
    }
    return false;
  }

  OperandCode read_plain(std::string_view text, Encoding& code) {
    // Decorations at the end.
    std::string_view decorations;
    if (const std::size_t open = text.find('('); open != std::string_view::npos && text.ends_with(')')) {
      decorations = text.substr(open + 1, text.size() - open - 2);
      text = text.substr(0, open);
    }
    std::string_view suffix;
    if (const std::size_t dot = text.find('.'); dot != std::string_view::npos) {
      suffix = text.substr(dot + 1);
      text = text.substr(0, dot);
    }
    std::string_view target;
    if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
      target = text.substr(plus + 1);
      text = text.substr(0, plus);
    }
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    const std::string_view where = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    const Place* place = nullptr;
    OperandCode out;
    const auto plain = [&](Kind kind, std::string_view bits) {
      out.kind = kind;
      out.bits = field(bits);
      out.slot = kind == Kind::kRegister ? slot_of(bits) : 255;
      place = bits == kPlaceA.bits   ? &kPlaceA
              : bits == kPlaceB.bits ? &kPlaceB
              : bits == kPlaceC.bits ? &kPlaceC
                                     : nullptr;
    };
    const auto literal = [&](Kind kind, const char* printed) {
      out.core = Core::kLiteral;
      out.kind = kind;
      out.text = printed;
    };
    if (name == "D") {
      plain(Kind::kRegister, "23-16");
    } else if (name == "A") {
      plain(Kind::kRegister, kPlaceA.bits);
    } else if (name == "UD") {
      plain(Kind::kUniformRegister, "21-16");
    } else if (name == "UA") {
      plain(Kind::kUniformRegister, "29-24");
      place = &kPlaceA;
    } else if (form_ != 0 && (name == "B" || name == "UB")) {
      out = by_form(false, where.empty() ? 'x' : where.front(), place);
    } else if (form_ != 0 && (name == "C" || name == "UC")) {
      out = by_form(true, where.empty() ? 'x' : where.front(), place);
    } else if (name == "C") {
      read_constant(where, out);
    } else if (name == "R") {
      plain(Kind::kRegister, where);
    } else if (name == "UR") {
      plain(Kind::kUniformRegister, where);
    } else if (name == "P" || name == "Q") {
      plain(Kind::kPredicate, where);
      out.reversed = name == "Q";
    } else if (name == "UP" || name == "UQ") {
      plain(Kind::kUniformPredicate, where);
      out.reversed = name == "UQ";
    } else if (name == "I") {
      plain(Kind::kInteger, where);
    } else if (name == "T" || name == "TB") {
      plain(Kind::kTarget, where);
      out.target_scale = name == "T" ? 4 : 1;
    } else if (name == "J") {
      plain(Kind::kDisplacement, where);
      out.target_scale = 4;
    } else if (name == "PR") {
      literal(Kind::kPredicates, "PR");
    } else if (name == "UPR") {
      literal(Kind::kUniformPredicates, "UPR");
    } else if (name == "GB") {
      literal(Kind::kName, "gsb0");
      mark(code, field(where));
    } else if (name == "GS") {
      literal(Kind::kName, "gsb0");
      out.bits = field(where);
    } else if (name == "GD") {
      plain(Kind::kMatrixMemory, where);
    } else if (name == "SR") {
      plain(Kind::kName, where);
      out.text = "SR";
    } else if (name == "SW") {
      plain(Kind::kName, where);
      out.text = "SW";
    } else if (name == "BB") {
      plain(Kind::kBarrier, where);
    } else if (name == "SB") {
      plain(Kind::kScoreboard, where);
    } else if (name == "SS") {
      plain(Kind::kScoreboardSet, where);
    } else if (text.starts_with("desc[UR:")) {
      out.core = Core::kDescribed;
      out.bits = field(text.substr(8, text.size() - 9));
    } else if (!name.empty() && name.front() >= 'a' && name.front() <= 'z') {
      plain(Kind::kName, where);
      out.table = table(name);
    } else {
      fail("unknown operand '" + std::string(text) + "'");
    }
    if (!target.empty()) {
      out.core = Core::kWithTarget;
      out.displacement = target.front() == 'K';
      out.absolute_target = target.front() == 'Y' ? 85 : kNoBit;
      out.target = field(target.substr(2));
    }
    if (!suffix.empty()) {
      const std::size_t at = suffix.find(':');
      out.suffix = table(suffix.substr(0, at));
      out.suffix_bits = field(suffix.substr(at + 1));
    }
    decorate(decorations, place, out);
    return out;
  }

  // "58-38", "58-38[A]", "58-38[UR:29-24]"
  void read_constant(std::string_view where, OperandCode& out) const {
    out.core = Core::kConstant;
    const std::size_t open = where.find('[');
    out.bits = field(where.substr(0, open));
    if (open == std::string_view::npos) {
      return;
    }
    std::string_view base = where.substr(open + 1);
    base.remove_suffix(1);
    out.core = Core::kBoundConstant;
    if (base.empty()) {
      out.base_is_uniform = true;  // bytes can be addressed, but there is no register
      return;
    }
    out.base_is_uniform = base.starts_with("UR:");
    out.base = field(out.base_is_uniform ? base.substr(3) : kPlaceA.bits);
  }

  void decorate(std::string_view text, const Place* place, OperandCode& out) const {
    const bool pairs = text.find_first_of("hm") != std::string_view::npos;
    const bool immediate =
        form_ != 0 && (out.kind == Kind::kInteger || out.kind == Kind::kSigned || out.kind == Kind::kFloat ||
                       out.kind == Kind::kDouble || out.kind == Kind::kHalves);
    std::size_t at = 0;
    while (at < text.size()) {
      const char letter = text[at++];
      std::size_t end = at;
      while (end < text.size() && text[end] >= '0' && text[end] <= '9') {
        ++end;
      }
      const bool given = end > at;
      const auto bit = given ? static_cast<std::uint8_t>(number(text.substr(at, end - at))) : kNoBit;
      at = end;
      if (immediate || (!given && place == nullptr)) {
        continue;  // an immediate value has no modifiers
      }
      switch (letter) {
        case '!':
        case '-':
          out.negative = given ? bit : pairs ? place->half_negative : place->negative;
          break;
        case 'n':
          out.negative = given ? bit : place->negative;
          out.complement_with_x = true;
          break;
        case '|':
          out.absolute = given ? bit : pairs ? place->half_absolute : place->absolute;
          break;
        case '~':
          out.complement = given ? bit : place->negative;
          break;
        case 'h':
          out.halves = given ? bit : place->halves;
          break;
        case 'H':
          out.half_word = given ? bit : 60;
          break;
        case 'b':
          out.byte = given ? bit : 60;
          break;
        case 'm':
          break;  // the bits of pairs, without a choice of halves
        case 'q':
          out.negates_upper = bit;
          break;
        case 't':
          (out.transposed_a == kNoBit && bit == 61 ? out.transposed_a : out.transposed_b) = bit;
          break;
        default:
          fail(std::string("unknown decoration '") + letter + "'");
      }
    }
  }

  OperandCode read_address(std::string_view text, Encoding& code) {
    OperandCode out;
    out.kind = Kind::kAddress;
    if (text.starts_with("[UR:")) {
      out.core = Core::kUniformAddress;
      out.bits = field(text.substr(4, text.size() - 5));
      return out;
    }
    out.core = Core::kAddress;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
      const std::size_t space = text.find(' ');
      const std::string_view part = text.substr(0, space);
      text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
      const std::string_view bits = part.size() > 2 ? part.substr(2) : std::string_view();
      if (part == "A" || part == "A.64") {
        out.base = field(kPlaceA.bits);
        out.slot = 0;
        out.always_wide = part == "A.64";
      } else if (part == "D") {
        out.base = field("23-16");
      } else if (part == "Z") {
        out.shows_zero = true;
      } else if (part == "0:72") {
        out.shows_zero_base = true;
      } else if (part.starts_with("U:") && out.base.count == 0) {
        out.base = field(bits);
        out.base_is_uniform = true;
      } else if (part.starts_with("U:")) {
        out.uniform = field(bits);
      } else if (part.starts_with("N:")) {
        out.uniform = field(bits);
        out.uniform_step = 1;
      } else if (part.starts_with("W:")) {
        out.wide = static_cast<std::uint8_t>(number(bits));
      } else if (part.starts_with("S:")) {
        out.offset = field(bits);
      } else if (part.starts_with("D:")) {
        out.descriptor = static_cast<std::uint8_t>(number(bits));
      } else if (part.starts_with("X:")) {
        out.scale = field(bits);
      } else {
        fail("unknown part of an address '" + std::string(part) + "'");
      }
    }
    (void)code;
    return out;
  }

  const EncodingRow& row_;
  std::uint32_t form_;
  bool bindless_;
  const NameTables& names_;
  bool uniform_ = false;
};

// Shapes of warpgroup products by the number in the instruction: 64 rows, N columns, a depth in elements.
std::vector<std::string> warpgroup_shapes(std::string_view rule) {
  std::vector<std::string> names(128, kInvalidName);
  const auto shape = [](std::uint32_t columns, std::uint32_t depth) {
    return "64x" + std::to_string(columns) + "x" + std::to_string(depth);
  };
  if (rule == "16 8") {  // half precision, then TF32
    for (std::uint32_t i = 0; i < 32; ++i) {
      names[i] = shape(8 * (i + 1), 16);
      names[32 + i] = shape(8 * (i + 1), 8);
    }
  } else if (rule == "32 full") {
    for (std::uint32_t i = 0; i < 32; ++i) {
      names[i] = shape(8 * (i + 1), 32);
    }
  } else {  // integers and bits have fewer widths: 8, 16, 24, 32, then steps of 16
    const std::uint32_t step = rule == "256" ? 1 : 3;
    const std::uint32_t depth = rule == "256" ? 256 : 32;
    std::uint32_t value = 0;
    for (std::uint32_t columns = 8; columns <= 256; columns += columns < 32 ? 8 : 16) {
      names[value] = shape(columns, depth);
      value += step;
    }
  }
  return names;
}

}  // namespace

NameTables read_name_lists() {
  NameTables tables;
  for (const NameList& list : name_lists()) {
    NameTable table{list.field, {}};
    std::string_view text = list.names;
    if (text.starts_with('@')) {
      table.names = warpgroup_shapes(text.substr(1));
      tables.emplace(table.field, std::move(table));
      continue;
    }
    for (bool more = true; more;) {
      const std::size_t comma = text.find(',');
      std::string_view name = text.substr(0, comma);
      if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
        std::uint32_t value = 0;
        std::from_chars(name.data(), name.data() + equals, value);
        name.remove_prefix(equals + 1);
        if (table.names.size() <= value) {
          table.names.resize(value + 1, kInvalidName);
        }
        table.names[value] = name;
      } else {
        table.names.emplace_back(name);
      }
      more = comma != std::string_view::npos;
      text = more ? text.substr(comma + 1) : std::string_view();
    }
    if (!tables.emplace(table.field, table).second) {
      throw std::logic_error("instruction table: two lists '" + table.field + "'");
    }
  }
  return tables;
}

Encoding read_row(const EncodingRow& row, std::uint32_t form, bool bindless, const NameTables& names) {
  return RowReader(row, form, bindless, names).read();
}

}  // namespace warpsim::sass
