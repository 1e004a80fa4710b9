// Texture fetches and queries.
//
// Places of operands (found by compiling every form; Mesa's nak_nir_lower_tex.c, MIT licence, agrees):
// - the object: a word of a constant bank, a uniform register (the next one holds the sampler, which objects of CUDA
//   include), or with .B the first word of the second source, of the first one for TXD and TXQ;
// - first source: layer, coordinates; of TXD: coordinates, then the layer in bits 15:0 and the offsets in bits 31:16;
// - second source: level, offsets, reference of a depth comparison; of TXD: d/dx and d/dy of each coordinate;
// - offsets have 4 bits each, 8 of TLD4;
// - results: the chosen components, two in each destination; two halves share a register.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <vector>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

struct TextureForm {
  const char* word;  // of PTX
  std::uint32_t coordinates;
  bool layered;
};
// By the number of the shape in the instruction. One dimension is two, of which the second coordinate is 0.
constexpr TextureForm kTextureForms[] = {{"1d", 1, false}, {"2d", 2, false}, {"3d", 3, false},    {"cube", 3, false},
                                         {"a1d", 1, true}, {"a2d", 2, true}, {nullptr, 0, false}, {"acube", 3, true}};

constexpr std::size_t kSecondResult = 1;
constexpr std::size_t kFirstResult = 2;
constexpr std::size_t kFirstSource = 3;
constexpr std::size_t kSecondSource = 4;

// Reads the words of the sources one after another, the first source before the second. With .SCR up to four words are
// divided between them: the first one has half of them, rounded up.
class SourceWords {
 public:
  SourceWords(Lifter& l, std::uint32_t first, std::uint32_t second) : l_(l), first_(first) {
    if (l.modifier("SCR") != 0) {
      constexpr std::uint32_t kMost = 4;
      if (first + second > kMost) {
        l.fail("so many operands do not fit into its registers");
      }
      first_ = (first + second + 1) / 2;
    }
  }
  std::string next() {
    const Place place = take();
    return l_.word(l_.operand(place.operand), place.part);
  }
  std::string next_float() {
    const Place place = take();
    return l_.float_word(l_.operand(place.operand), place.part);
  }

 private:
  struct Place {
    std::size_t operand;
    std::uint32_t part;
  };
  Place take() {
    const std::uint32_t number = used_++;
    return number < first_ ? Place{kFirstSource, number} : Place{kSecondSource, number - first_};
  }

  Lifter& l_;
  std::uint32_t first_;
  std::uint32_t used_ = 0;
};

// The operands of a fetch, as PTX.
struct Fetch {
  std::string object;
  std::string shape;
  std::vector<std::string> coordinates;
  std::vector<std::string> offsets;
  std::string level;
  std::array<std::vector<std::string>, 2> gradients;
  std::uint32_t components = 15;
};

std::string bits_of(Lifter& l, const std::string& word, std::uint32_t first, std::uint32_t count) {
  std::string result = l.scratch();
  l.add(fmt::format("bfe.s32 {}, {}, {}, {}", result, word, first, count));
  return result;
}

// `first`: the operand after the sources.
bool takes_object_from_source(const Lifter& l, std::size_t first) {
  const Kind kind = l.operand(first).kind;
  return kind != Kind::kUniformRegister && kind != Kind::kInteger;
}

std::string texture_object(Lifter& l, const std::string& word) {
  std::string object = l.wide_scratch();
  l.add(fmt::format("cvt.u64.u32 {}, {}", object, word));
  return object;
}

// The object in a constant or uniform register.
std::string bound_object(Lifter& l, std::size_t first) {
  if (l.operand(first).kind == Kind::kUniformRegister) {
    if (l.operand(first + 1).value != 0) {
      l.fail("an offset of a texture in a uniform register is not supported");
    }
    return texture_object(l, l.word(l.operand(first)));
  }
  return texture_object(l,
                        l.constant(static_cast<std::uint32_t>(l.operand(first).value), 4 * l.operand(first + 1).value));
}

std::size_t operand_after_object(const Lifter& l, std::size_t first) {
  return takes_object_from_source(l, first) ? first : first + 2;
}

const TextureForm& texture_form(Lifter& l, Fetch& fetch) {
  const std::size_t after = operand_after_object(l, kSecondSource + 1);
  const auto number = static_cast<std::size_t>(l.operand(after).value);
  if (number >= std::size(kTextureForms) || kTextureForms[number].word == nullptr) {
    l.fail("this shape of a texture is not supported");
  }
  fetch.shape = kTextureForms[number].word;
  fetch.components = static_cast<std::uint32_t>(l.operand(after + 1).value);
  return kTextureForms[number];
}

// Which operands a fetch has.
struct Operands {
  bool object = false;  // in the sources
  bool level = false;
  bool offsets = false;
  bool reference = false;         // of a depth comparison, which no texture of CUDA asks for
  std::uint32_t coordinates = 0;  // with the layer
  bool layered = false;           // the layer, a number, is the first of them

  std::uint32_t second() const {
    return (object ? 1U : 0U) + (level ? 1U : 0U) + (offsets ? 1U : 0U) + (reference ? 1U : 0U);
  }
};

Operands operands_of(Lifter& l, const TextureForm& form) {
  if (l.modifier("MS") != 0) {
    l.fail("CUDA's textures have no samples");
  }
  Operands result;
  result.object = takes_object_from_source(l, kSecondSource + 1);
  if (result.object && l.modifier("B") == 0) {
    l.fail("textures whose number is in a register without .B are not supported");
  }
  result.offsets = l.modifier("AOFFI") != 0;
  result.reference = l.modifier("DC") != 0;
  result.coordinates = form.coordinates + (form.layered ? 1U : 0U);
  result.layered = form.layered;
  return result;
}

// Where the results go: registers for all four components, "_" for those that are not chosen.
std::vector<std::string> fetched_words(Lifter& l, std::uint32_t components) {
  std::vector<std::string> results(4, "_");
  std::uint32_t place = 0;
  for (std::uint32_t i = 0; i < results.size(); ++i) {
    if ((components >> i & 1U) != 0) {
      results[i] = l.destination(place < 2 ? kFirstResult : kSecondResult, place % 2);
      ++place;
    }
  }
  return results;
}

// Two chosen components of a destination become halves of one register.
void pack_halves(Lifter& l, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string result = l.destination(i == 0 ? kFirstResult : kSecondResult);
    if (result != "_") {
      l.add(fmt::format("cvt.rn.f16x2.f32 {}, {}, {}", result, i + 1 < words.size() ? words[i + 1] : "0f00000000",
                        words[i]));
    }
  }
}

void add_fetch(Lifter& l, const std::string& opcode, const char* type, const Fetch& fetch) {
  const bool halves = l.modifier("F16.RN") != 0;
  std::vector<std::string> results = fetched_words(l, fetch.components);
  std::vector<std::string> words;
  if (halves) {
    for (std::uint32_t i = 0; i < results.size(); ++i) {
      results[i] = (fetch.components >> i & 1U) != 0 ? l.scratch() : "_";
      if (results[i] != "_") {
        words.push_back(results[i]);
      }
    }
  }
  std::string text = fmt::format("{}.{}.v4.f32.{} {{{}}}", opcode, fetch.shape, type, fmt::join(results, ", "));
  if (l.predicate_destination(0) != "_") {
    text += "|" + l.predicate_destination(0);
  }
  text += fmt::format(", [{}, {{{}}}]", fetch.object, fmt::join(fetch.coordinates, ", "));
  if (!fetch.level.empty()) {
    text += ", " + fetch.level;
  }
  for (const std::vector<std::string>& gradient : fetch.gradients) {
    if (!gradient.empty()) {
      text += fmt::format(", {{{}}}", fmt::join(gradient, ", "));
    }
  }
  if (!fetch.offsets.empty()) {
    text += fmt::format(", {{{}}}", fmt::join(fetch.offsets, ", "));
  }
  l.add(text);
  if (halves) {
    pack_halves(l, words);
  }
}

void take_offsets(Lifter& l, const std::string& word, const TextureForm& form, std::uint32_t bits, Fetch& fetch) {
  constexpr std::uint32_t kMostBits = 6;
  for (std::uint32_t i = 0; i < form.coordinates; ++i) {
    fetch.offsets.push_back(bits_of(l, word, i * bits, std::min(bits, kMostBits)));
  }
}

// The coordinates, of texels (`integer`) or as floats, and the object if it is in the sources.
void take_coordinates(Lifter& l, SourceWords& words, const Operands& operands, bool integer, Fetch& fetch) {
  for (std::uint32_t i = 0; i < operands.coordinates; ++i) {
    const bool is_layer = operands.layered && i == 0;
    fetch.coordinates.push_back(integer || is_layer ? words.next() : words.next_float());
  }
  fetch.object = operands.object ? texture_object(l, words.next()) : bound_object(l, kSecondSource + 1);
}

// TEX with coordinates as floats, TLD with those of texels.
void lift_fetch(Lifter& l) {
  const bool integer = l.instruction().mnemonic == "TLD";
  Fetch fetch;
  const TextureForm& form = texture_form(l, fetch);
  Operands operands = operands_of(l, form);
  const std::string_view level = l.modifier_text("level");
  operands.level = level == "LL";
  SourceWords words(l, operands.coordinates, operands.second());
  take_coordinates(l, words, operands, integer, fetch);
  std::string opcode = l.modifier("CL") != 0 ? "sass.tex.clamped" : "sass.tex";
  if (operands.level) {
    opcode += ".level";
    fetch.level = integer ? words.next() : words.next_float();
  } else if (level == "LZ") {
    opcode += ".level";
    fetch.level = integer ? "0" : "0f00000000";
  } else if (level.empty() && !integer) {
    opcode += ".derived";
  } else {
    l.fail("a bias or limit of the level of detail is not supported");
  }
  if (operands.offsets) {
    take_offsets(l, words.next(), form, 4, fetch);
  }
  add_fetch(l, opcode, integer ? "s32" : "f32", fetch);
}

void lift_fetch_four(Lifter& l) {
  Fetch fetch;
  const TextureForm& form = texture_form(l, fetch);
  const Operands operands = operands_of(l, form);
  SourceWords words(l, operands.coordinates, operands.second());
  take_coordinates(l, words, operands, false, fetch);
  if (operands.offsets) {
    constexpr std::uint32_t kBits = 8;
    take_offsets(l, words.next(), form, kBits, fetch);
  }
  add_fetch(l, "sass.tld4." + in_small_letters(l.modifier_text("component")), "f32", fetch);
}

// The layer and the offsets, which share a word of TXD.
void take_layer_and_offsets(Lifter& l, const std::string& word, const TextureForm& form, Fetch& fetch) {
  constexpr std::uint32_t kBits = 4;
  constexpr std::uint32_t kFirstBit = 16;
  if (form.layered) {
    const std::string layer = l.scratch();
    l.add(fmt::format("and.b32 {}, {}, 0xffff", layer, word));
    fetch.coordinates.insert(fetch.coordinates.begin(), layer);
  }
  if (l.modifier("AOFFI") != 0) {
    const std::string offsets = l.scratch();
    l.add(fmt::format("shr.u32 {}, {}, {}", offsets, word, kFirstBit));
    take_offsets(l, offsets, form, kBits, fetch);
  }
}

void lift_fetch_by_gradient(Lifter& l) {
  Fetch fetch;
  const TextureForm& form = texture_form(l, fetch);
  const Operands operands = operands_of(l, form);
  if (operands.reference) {
    l.fail("a depth comparison with gradients is not supported");
  }
  const bool shares_word = form.layered || operands.offsets;
  SourceWords words(l, (operands.object ? 1U : 0U) + form.coordinates + (shares_word ? 1U : 0U), 0);
  fetch.object = operands.object ? texture_object(l, words.next()) : bound_object(l, kSecondSource + 1);
  for (std::uint32_t i = 0; i < form.coordinates; ++i) {
    fetch.coordinates.push_back(words.next_float());
  }
  if (shares_word) {
    take_layer_and_offsets(l, words.next(), form, fetch);
  }
  for (std::uint32_t i = 0; i < form.coordinates; ++i) {
    fetch.gradients[0].push_back(words.next_float());
    fetch.gradients[1].push_back(words.next_float());
  }
  add_fetch(l, "sass.tex.grad", "f32", fetch);
}

// Width, height, depth and number of levels.
void lift_query(Lifter& l) {
  constexpr std::size_t kSource = 2;
  if (l.operand(kSource + 1).value != 0) {
    l.fail("of the queries only that of the dimensions is supported");
  }
  const MachineOperand& source = l.operand(kSource);
  const bool from_source = l.modifier("B") != 0;
  const std::string object = from_source ? texture_object(l, l.word(source)) : bound_object(l, kSource + 2);
  const auto components = static_cast<std::uint32_t>(l.operand(l.operand_count() - 1).value);
  const std::string level = l.scratch();
  l.add(fmt::format("mov.b32 {}, {}", level, l.word(source, from_source ? 1 : 0)));
  static constexpr const char* kQueries[] = {"width", "height", "depth", "num_mipmap_levels"};
  std::uint32_t place = 0;
  for (std::uint32_t i = 0; i < std::size(kQueries); ++i) {
    if ((components >> i & 1U) == 0) {
      continue;
    }
    const std::string result = l.destination(place < 2 ? 1 : 0, place % 2);
    if (result != "_") {
      l.add(fmt::format("txq.level.{}.b32 {}, [{}], {}", kQueries[i], result, object, level));
    }
    ++place;
  }
}

// Sums of two floats, of which each thread of a quad takes some: by two bits of the pattern a + b, a - b, b - a or b.
// The highest bits are those of the first thread: compiled code takes its result for the one without gradients.
void lift_quad_sum(Lifter& l) {
  if (l.modifier("round") != 0) {
    l.fail("this rounding is not supported");
  }
  constexpr std::size_t kPattern = 3;
  const char* const add = l.modifier("FTZ") != 0 ? "add.rn.ftz.f32" : "add.rn.f32";
  const std::string a = l.float_word(l.operand(1));
  const std::string b = l.float_word(l.operand(2));
  const std::string place = l.scratch();
  const std::string choice = l.scratch();
  const std::string result = l.scratch();
  l.add(fmt::format("mov.u32 {}, %laneid", place));
  l.add(fmt::format("and.b32 {0}, {0}, 3", place));
  l.add(fmt::format("shl.b32 {0}, {0}, 1", place));
  l.add(fmt::format("sub.u32 {0}, 6, {0}", place));
  l.add(fmt::format("shr.u32 {}, {}, {}", choice, l.operand(kPattern).value, place));
  l.add(fmt::format("and.b32 {0}, {0}, 3", choice));
  const std::string left = l.scratch();
  const std::string right = l.scratch();
  const std::string first = l.predicate_scratch();
  const std::string second = l.predicate_scratch();
  const std::string only = l.predicate_scratch();
  l.add(fmt::format("xor.b32 {}, {}, 0x80000000", left, a));
  l.add(fmt::format("xor.b32 {}, {}, 0x80000000", right, b));
  l.add(fmt::format("setp.eq.u32 {}, {}, 2", first, choice));
  l.add(fmt::format("setp.eq.u32 {}, {}, 1", second, choice));
  l.add(fmt::format("setp.eq.u32 {}, {}, 3", only, choice));
  l.add(fmt::format("selp.b32 {0}, {0}, {1}, {2}", left, a, first));
  l.add(fmt::format("selp.b32 {0}, {0}, {1}, {2}", right, b, second));
  l.add(fmt::format("{} {}, {}, {}", add, result, left, right));
  l.add(fmt::format("selp.b32 {}, {}, {}, {}", l.destination(0), b, result, only));
}

constexpr LiftedOpcode kTextureOpcodes[] = {
    {"TEX", lift_fetch}, {"TLD", lift_fetch},        {"TLD4", lift_fetch_four}, {"TXD", lift_fetch_by_gradient},
    {"TXQ", lift_query}, {"FSWZADD", lift_quad_sum},
};

}  // namespace

std::span<const LiftedOpcode> lifted_texture_opcodes() {
  return kTextureOpcodes;
}

}  // namespace warpsim
