// Texture fetches and queries.
//
// Places of operands (found by compiling every form; Mesa's nak_nir_lower_tex.c, MIT licence, agrees):
// - the object: a word of a constant bank, a uniform register (the next one holds the sampler, which objects of CUDA
//   include), or with .B the first register of the second source, of the first one for TXD;
// - first source: layer, coordinates; of TXD: coordinates, then the layer in bits 15:0 and the offsets in bits 31:16;
// - second source: level or bias, offsets, reference of a depth comparison; of TXD: d/dx and d/dy of each coordinate;
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

// Reads the registers of a source one after another.
class SourceWords {
 public:
  SourceWords(Lifter& l, std::size_t number) : l_(l), number_(number) {}
  std::string next() { return l_.word(l_.operand(number_), used_++); }

 private:
  Lifter& l_;
  std::size_t number_;
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
  const std::string result = l.scratch();
  l.add(fmt::format("bfe.s32 {}, {}, {}, {}", result, word, first, count));
  return result;
}

// `first`: the operand after the sources.
bool takes_object_from_source(const Lifter& l, std::size_t first) {
  const Kind kind = l.operand(first).kind;
  return kind != Kind::kUniformRegister && kind != Kind::kInteger;
}

// The object in a constant or uniform register; `sources`: of which it is the next word otherwise.
std::string texture_object(Lifter& l, std::size_t first, SourceWords& sources) {
  std::string word;
  if (takes_object_from_source(l, first)) {
    if (l.modifier("B") == 0) {
      l.fail("textures whose number is in a register without .B are not supported");
    }
    word = sources.next();
  } else if (l.operand(first).kind == Kind::kUniformRegister) {
    if (l.operand(first + 1).value != 0) {
      l.fail("an offset of a texture in a uniform register is not supported");
    }
    word = l.word(l.operand(first));
  } else {
    word = l.constant(static_cast<std::uint32_t>(l.operand(first).value), 4 * l.operand(first + 1).value);
  }
  const std::string object = l.wide_scratch();
  l.add(fmt::format("cvt.u64.u32 {}, {}", object, word));
  return object;
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

void refuse_comparison(Lifter& l) {
  if (l.modifier("DC") != 0) {
    l.fail("CUDA's textures have no depth comparison");
  }
  if (l.modifier("MS") != 0) {
    l.fail("CUDA's textures have no samples");
  }
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

void take_coordinates(SourceWords& sources, const TextureForm& form, Fetch& fetch) {
  for (std::uint32_t i = 0; i < form.coordinates + (form.layered ? 1U : 0U); ++i) {
    fetch.coordinates.push_back(sources.next());
  }
}

void take_offsets(Lifter& l, const std::string& word, const TextureForm& form, std::uint32_t bits, Fetch& fetch) {
  constexpr std::uint32_t kMostBits = 6;
  for (std::uint32_t i = 0; i < form.coordinates; ++i) {
    fetch.offsets.push_back(bits_of(l, word, i * bits, std::min(bits, kMostBits)));
  }
}

// TEX with coordinates as floats, TLD with those of texels.
void lift_fetch(Lifter& l) {
  refuse_comparison(l);
  const bool integer = l.instruction().mnemonic == "TLD";
  Fetch fetch;
  const TextureForm& form = texture_form(l, fetch);
  SourceWords first(l, kFirstSource);
  SourceWords second(l, kSecondSource);
  fetch.object = texture_object(l, kSecondSource + 1, second);
  take_coordinates(first, form, fetch);
  const std::string_view level = l.modifier_text("level");
  std::string opcode = "sass.tex";
  if (level == "LL") {
    opcode += ".level";
    fetch.level = second.next();
  } else if (level == "LZ") {
    opcode += ".level";
    fetch.level = integer ? "0" : "0f00000000";
  } else if (level.empty() && !integer) {
    opcode += ".derived";
  } else {
    l.fail("a bias or limit of the level of detail is not supported");
  }
  if (l.modifier("AOFFI") != 0) {
    take_offsets(l, second.next(), form, 4, fetch);
  }
  add_fetch(l, opcode, integer ? "s32" : "f32", fetch);
}

void lift_fetch_four(Lifter& l) {
  refuse_comparison(l);
  Fetch fetch;
  const TextureForm& form = texture_form(l, fetch);
  SourceWords first(l, kFirstSource);
  SourceWords second(l, kSecondSource);
  fetch.object = texture_object(l, kSecondSource + 1, second);
  take_coordinates(first, form, fetch);
  if (l.modifier("AOFFI") != 0) {
    constexpr std::uint32_t kBits = 8;
    take_offsets(l, second.next(), form, kBits, fetch);
  }
  add_fetch(l, "sass.tld4." + in_small_letters(l.modifier_text("component")), "f32", fetch);
}

void lift_fetch_by_gradient(Lifter& l) {
  refuse_comparison(l);
  Fetch fetch;
  const TextureForm& form = texture_form(l, fetch);
  SourceWords first(l, kFirstSource);
  SourceWords second(l, kSecondSource);
  fetch.object = texture_object(l, kSecondSource + 1, first);
  for (std::uint32_t i = 0; i < form.coordinates; ++i) {
    fetch.coordinates.push_back(first.next());
    fetch.gradients[0].push_back(second.next());
    fetch.gradients[1].push_back(second.next());
  }
  if (form.layered || l.modifier("AOFFI") != 0) {
    constexpr std::uint32_t kBits = 4;
    constexpr std::uint32_t kFirstBit = 16;
    const std::string word = first.next();
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
  add_fetch(l, "sass.tex.grad", "f32", fetch);
}

// Width, height, depth and number of levels.
void lift_query(Lifter& l) {
  constexpr std::size_t kSource = 2;
  if (l.operand(kSource + 1).value != 0) {
    l.fail("of the queries only that of the dimensions is supported");
  }
  SourceWords source(l, kSource);
  const std::size_t first = kSource + 2;
  const bool from_source = l.instruction().modifier("B") != 0;
  std::string object;
  if (from_source) {
    object = l.wide_scratch();
    l.add(fmt::format("cvt.u64.u32 {}, {}", object, source.next()));
  } else {
    object = texture_object(l, first, source);
  }
  const auto components = static_cast<std::uint32_t>(l.operand(l.operand_count() - 1).value);
  const std::string level = l.scratch();
  l.add(fmt::format("mov.b32 {}, {}", level, source.next()));
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

constexpr LiftedOpcode kTextureOpcodes[] = {
    {"TEX", lift_fetch}, {"TLD", lift_fetch}, {"TLD4", lift_fetch_four}, {"TXD", lift_fetch_by_gradient},
    {"TXQ", lift_query},
};

}  // namespace

std::span<const LiftedOpcode> lifted_texture_opcodes() {
  return kTextureOpcodes;
}

}  // namespace warpsim
