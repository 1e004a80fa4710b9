#include "sass/operand_reader.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
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

struct SimpleOperand {
  std::string_view name;
  Kind kind;
  const char* bits;  // null: given in the row
  const char* text;  // of names without a list
};
constexpr SimpleOperand kSimple[] = {
    {"D", Kind::kRegister, "23-16", ""},          {"A", Kind::kRegister, "31-24", ""},
    {"UD", Kind::kUniformRegister, "21-16", ""},  {"UA", Kind::kUniformRegister, "29-24", ""},
    {"R", Kind::kRegister, nullptr, ""},          {"UR", Kind::kUniformRegister, nullptr, ""},
    {"P", Kind::kPredicate, nullptr, ""},         {"Q", Kind::kPredicate, nullptr, ""},
    {"UP", Kind::kUniformPredicate, nullptr, ""}, {"UQ", Kind::kUniformPredicate, nullptr, ""},
    {"I", Kind::kInteger, nullptr, ""},           {"T", Kind::kTarget, nullptr, ""},
    {"TB", Kind::kTarget, nullptr, ""},           {"J", Kind::kDisplacement, nullptr, ""},
    {"GD", Kind::kMatrixMemory, nullptr, ""},     {"SR", Kind::kName, nullptr, "SR"},
    {"SW", Kind::kName, nullptr, "SW"},           {"BB", Kind::kBarrier, nullptr, ""},
    {"SB", Kind::kScoreboard, nullptr, ""},       {"SS", Kind::kScoreboardSet, nullptr, ""},
};
const SimpleOperand* find(std::span<const SimpleOperand> operands, std::string_view name) {
  const auto found = std::ranges::find(operands, name, &SimpleOperand::name);
  return found == operands.end() ? nullptr : &*found;
}

constexpr SimpleOperand kLiterals[] = {
    {"PR", Kind::kPredicates, nullptr, "PR"},
    {"UPR", Kind::kUniformPredicates, nullptr, "UPR"},
    {"GB", Kind::kName, nullptr, "gsb0"},
    {"GS", Kind::kName, nullptr, "gsb0"},
};

class Reading {
 public:
  Reading(const OperandReader::Form& form, const NameTables& names) : form_of_(form), names_(names) {}

  OperandCode read(std::string_view text, Encoding& code) const {
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
          const auto bit = static_cast<std::uint8_t>(table_number(one.substr(inverted ? 1 : 0)));
          conditions.push_back({bit, !inverted});
          code.know_bit(bit);
          list = next == std::string_view::npos ? std::string_view() : list.substr(next + 1);
        }
        text.remove_prefix(space + 1);
      } else if (text.starts_with('?') && text.size() > 1 && text[1] >= '0' && text[1] <= '9') {
        const std::size_t space = text.find(' ');
        hidden = static_cast<std::int32_t>(table_number(text.substr(1, space - 1)));
        text.remove_prefix(space + 1);
      } else if (text.starts_with('?')) {
        hidden = -2;
        text.remove_prefix(1);
      } else {
        break;
      }
    }
    if (text.starts_with('[')) {
      out = read_address(text);
    } else {
      out = read_plain(text, code);
    }
    out.conditions = std::move(conditions);
    out.hidden_value = hidden;
    for (const BitField& bits : {out.bits, out.base, out.uniform, out.offset, out.scale, out.target, out.suffix_bits}) {
      code.know(bits);
    }
    for (const std::uint8_t bit :
         {out.negative, out.absolute, out.complement, out.half_word, out.wide, out.descriptor, out.absolute_target,
          out.transposed_a, out.transposed_b, out.negated_a, out.negated_b, out.negates_upper}) {
      code.know_bit(bit);
    }
    for (const std::uint8_t bit : {out.halves, out.byte}) {
      if (bit != kNoBit) {
        code.know_bit(bit);
        code.know_bit(bit + 1U);
      }
    }
    return out;
  }

 private:
  static const Place* place_of(std::string_view bits) {
    for (const Place* const place : {&kPlaceA, &kPlaceB, &kPlaceC}) {
      if (place->bits == bits) {
        return place;
      }
    }
    return nullptr;
  }

  // The operand at B's or C's place in this form.
  OperandCode by_form(bool third, char immediate, const Place*& place) const {
    OperandCode out;
    // Forms 2, 3 and 7 have B at C's place, and what is not a register as C.
    const bool swapped = form_of_.form == 2 || form_of_.form == 3 || form_of_.form == 7;
    const bool at_c = third != swapped;
    const bool two_sources = !third && swapped && !has_third();
    const bool other = two_sources || (third ? swapped : !swapped);
    place = &kPlaceC;
    if (!other || (at_c && !two_sources)) {
      out.kind = form_of_.uniform ? Kind::kUniformRegister : Kind::kRegister;
      out.bits = bit_field(form_of_.uniform ? "69-64" : "71-64");
      out.slot = form_of_.uniform ? 255 : 2;
      return out;
    }
    place = &kPlaceB;
    switch (form_of_.form) {
      case 1:
        out.kind = form_of_.uniform ? Kind::kUniformRegister : Kind::kRegister;
        out.bits = bit_field(form_of_.uniform ? "37-32" : "39-32");
        out.slot = form_of_.uniform ? 255 : 1;
        break;
      case 2:
      case 4:
        out.bits = bit_field("63-32");
        out.kind = immediate == 'i'   ? Kind::kSigned
                   : immediate == 'f' ? Kind::kFloat
                   : immediate == 'd' ? Kind::kDouble
                   : immediate == 'h' ? Kind::kHalves
                                      : Kind::kInteger;
        place = nullptr;
        break;
      case 3:
      case 5:
        out.core = form_of_.bindless ? Core::kBindless : Core::kConstant;
        out.bits = bit_field("58-38");
        if (form_of_.bindless) {
          out.bits = bit_field("53-38");
          out.uniform = bit_field("37-32");
        }
        break;
      default:
        out.kind = Kind::kUniformRegister;
        out.bits = bit_field("37-32");
        break;
    }
    return out;
  }

  // Whether the row has an operand C.
  bool has_third() const {
    const std::string_view text = form_of_.text;
    for (std::size_t at = text.find('C'); at != std::string_view::npos; at = text.find('C', at + 1)) {
      const bool begins = at == 0 || text[at - 1] == ' ' || (text[at - 1] == 'U' && at > 1 && text[at - 2] == ' ');
      const char next = at + 1 < text.size() ? text[at + 1] : ' ';
      if (begins && (next == ':' || next == '(' || next == ',' || next == ' ') &&
          !text.substr(at).starts_with("C:58")) {
        return true;
      }
    }
    return false;
  }

  OperandCode read_plain(std::string_view text, Encoding& code) const {
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
      out.bits = bit_field(bits);
      place = place_of(bits);
      const bool metadata = bits == "47-40";
      out.slot = kind != Kind::kRegister ? 255 : place != nullptr ? place->slot : metadata ? 3 : 255;
    };
    if (const SimpleOperand* const simple = find(kSimple, name)) {
      plain(simple->kind, simple->bits != nullptr ? std::string_view(simple->bits) : where);
      out.reversed = name == "Q" || name == "UQ";
      out.text = simple->text;
      out.target_scale = name == "TB" ? 1 : 4;
      place = name == "UA" ? &kPlaceA : place;
    } else if (form_of_.form != 0 && (name == "B" || name == "UB" || name == "C" || name == "UC")) {
      out = by_form(name.back() == 'C', where.empty() ? 'x' : where.front(), place);
      if (out.kind == Kind::kSigned && where.size() > 1) {
        out.signed_if = static_cast<std::uint8_t>(table_number(where.substr(1)));
      }
    } else if (name == "C") {
      read_constant(where, out);
    } else if (const SimpleOperand* const fixed = find(kLiterals, name)) {
      out.core = Core::kLiteral;
      out.kind = fixed->kind;
      out.text = fixed->text;
      if (name == "GS") {
        out.bits = bit_field(where);
      } else if (!where.empty()) {
        code.know(bit_field(where));
      }
    } else if (text.starts_with("desc[UR:")) {
      plain(Kind::kDescriptor, text.substr(8, text.size() - 9));
    } else if (!name.empty() && name.front() >= 'a' && name.front() <= 'z') {
      plain(Kind::kName, where);
      out.table = find_table(names_, name);
    } else {
      throw std::logic_error("unknown operand '" + std::string(text) + "'");
    }
    if (!target.empty()) {
      out.core = Core::kWithTarget;
      out.displacement = target.front() == 'K';
      out.absolute_target = target.front() == 'Y' ? 85 : kNoBit;
      out.target = bit_field(target.substr(2));
    }
    if (!suffix.empty()) {
      const std::size_t at = suffix.find(':');
      out.suffix = find_table(names_, suffix.substr(0, at));
      out.suffix_bits = bit_field(suffix.substr(at + 1));
    }
    decorate(decorations, place, out);
    return out;
  }

  // "58-38", "58-38[A]", "58-38[UR:29-24]"
  void read_constant(std::string_view where, OperandCode& out) const {
    out.core = Core::kConstant;
    const std::size_t open = where.find('[');
    out.bits = bit_field(where.substr(0, open));
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
    out.base = bit_field(out.base_is_uniform ? base.substr(3) : kPlaceA.bits);
  }

  void decorate(std::string_view text, const Place* place, OperandCode& out) const {
    const bool pairs = text.find_first_of("hm") != std::string_view::npos;
    const bool immediate =
        form_of_.form != 0 && (out.kind == Kind::kInteger || out.kind == Kind::kSigned || out.kind == Kind::kFloat ||
                               out.kind == Kind::kDouble || out.kind == Kind::kHalves);
    std::size_t at = 0;
    while (at < text.size()) {
      const char letter = text[at++];
      std::size_t end = at;
      while (end < text.size() && text[end] >= '0' && text[end] <= '9') {
        ++end;
      }
      const bool given = end > at;
      const auto bit = given ? static_cast<std::uint8_t>(table_number(text.substr(at, end - at))) : kNoBit;
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
        case 's':
          (bit == 72 ? out.negated_a : out.negated_b) = bit;
          break;
        default:
          throw std::logic_error(std::string("unknown decoration '") + letter + "'");
      }
    }
  }

  static OperandCode read_address(std::string_view text) {
    OperandCode out;
    out.kind = Kind::kAddress;
    if (text.starts_with("[UR:")) {
      out.core = Core::kUniformAddress;
      out.bits = bit_field(text.substr(4, text.size() - 5));
      return out;
    }
    out.core = Core::kAddress;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
      const std::size_t space = text.find(' ');
      const std::string_view part = text.substr(0, space);
      text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
      const std::string_view bits = part.size() > 2 ? part.substr(2) : std::string_view();
      if (part == "A") {
        out.base = bit_field(kPlaceA.bits);
        out.slot = 0;
      } else if (part == "D") {
        out.base = bit_field("23-16");
      } else if (part == "Z") {
        out.shows_zero = true;
      } else if (part == "0:72") {
        out.shows_zero_base = true;
      } else if (part.starts_with("U:") && out.base.count == 0) {
        out.base = bit_field(bits);
        out.base_is_uniform = true;
      } else if (part.starts_with("U:")) {
        out.uniform = bit_field(bits);
      } else if (part.starts_with("N:")) {
        out.uniform = bit_field(bits);
        out.uniform_step = 1;
      } else if (part.starts_with("W:")) {
        out.wide = static_cast<std::uint8_t>(table_number(bits));
      } else if (part.starts_with("S:")) {
        out.offset = bit_field(bits);
      } else if (part.starts_with("D:")) {
        out.descriptor = static_cast<std::uint8_t>(table_number(bits));
      } else if (part.starts_with("X:")) {
        out.scale = bit_field(bits);
      } else {
        throw std::logic_error("unknown part of an address '" + std::string(part) + "'");
      }
    }
    return out;
  }

  const OperandReader::Form& form_of_;
  const NameTables& names_;
};

}  // namespace

OperandCode OperandReader::read(std::string_view text, Encoding& code) const {
  return Reading(form_, names_).read(text, code);
}

}  // namespace warpsim::sass
