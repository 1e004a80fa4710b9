// Surface loads, stores and updates.
//
// An address is x (in bytes with .BA, else in texels), y, z or the layer. Instructions with .D move bytes, SUST.P
// converts to the surface's format.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

struct SurfaceForm {
  const char* word;  // of PTX
  std::uint32_t coordinates;
  bool layered;
};
constexpr SurfaceForm kSurfaceForms[] = {{"1d", 1, false}, {"1d", 1, false}, {"a1d", 1, true},
                                         {"2d", 2, false}, {"a2d", 2, true}, {"3d", 3, false}};

struct SurfaceSize {
  const char* load;
  const char* store;
  std::uint32_t words;
  const char* extend;  // conversion after the load; null: none
};
constexpr SurfaceSize kSurfaceSizes[] = {{"b8", "b8", 1, nullptr},         {"b8", "b8", 1, "cvt.s32.s8"},
                                         {"b16", "b16", 1, nullptr},       {"b16", "b16", 1, "cvt.s32.s16"},
                                         {"b32", "b32", 1, nullptr},       {"v2.b32", "v2.b32", 2, nullptr},
                                         {"v4.b32", "v4.b32", 4, nullptr}, {"v4.b32", "v4.b32", 4, nullptr}};

const char* surface_bounds(Lifter& l) {
  static constexpr const char* kBounds[] = {"zero", "clamp", "trap"};
  const std::uint32_t clamp = l.modifier("clamp");
  if (clamp >= std::size(kBounds)) {
    l.fail("this handling of coordinates outside is not supported");
  }
  return kBounds[clamp];
}

const SurfaceForm& surface_form(Lifter& l) {
  const std::uint32_t number = l.modifier("surface");
  if (number >= std::size(kSurfaceForms)) {
    l.fail("this shape of a surface is not supported");
  }
  return kSurfaceForms[number];
}

std::string surface_object(Lifter& l, std::size_t number) {
  const MachineOperand& operand = l.operand(number);
  std::string word;
  if (operand.kind == Kind::kInteger) {
    word = l.constant(static_cast<std::uint32_t>(operand.value), 4 * l.operand(number + 1).value);
  } else {
    if (operand.kind == Kind::kUniformRegister && l.operand(number + 1).value != 0) {
      l.fail("an offset of a surface in a uniform register is not supported");
    }
    word = l.word(operand);
  }
  std::string object = l.wide_scratch();
  l.add(fmt::format("cvt.u64.u32 {}, {}", object, word));
  return object;
}

// [object, {layer, coordinates}]
std::string surface_place(Lifter& l, std::size_t address, std::size_t object) {
  const SurfaceForm& form = surface_form(l);
  const MachineOperand& base = l.operand(address);
  MachineOperand words;
  words.kind = Kind::kRegister;
  words.index = base.has_base ? base.index : 255;
  std::vector<std::string> parts;
  for (std::uint32_t i = 0; i < form.coordinates; ++i) {
    parts.push_back(l.word(words, i));
  }
  if (form.layered) {
    parts.insert(parts.begin(), l.word(words, form.coordinates));
  }
  return fmt::format("[{}, {{{}}}]", surface_object(l, object), fmt::join(parts, ", "));
}

std::string surface_unit(Lifter& l) {
  return l.modifier("BA") != 0 ? "b" : "b.texels";
}

const SurfaceSize& surface_size(Lifter& l) {
  return kSurfaceSizes[l.modifier("size")];
}

void lift_surface_load(Lifter& l) {
  const SurfaceSize& size = surface_size(l);
  const std::string place = surface_place(l, 2, 3);
  std::vector<std::string> results;
  for (std::uint32_t i = 0; i < size.words; ++i) {
    results.push_back(l.destination(1, i));
  }
  const std::string list = size.words == 1 ? results.front() : fmt::format("{{{}}}", fmt::join(results, ", "));
  l.add(fmt::format("suld.{}.{}.{}.{} {}, {}", surface_unit(l), surface_form(l).word, size.load, surface_bounds(l),
                    list, place));
  if (size.extend != nullptr && results.front() != "_") {
    l.add(fmt::format("{0} {1}, {1}", size.extend, results.front()));
  }
  if (l.predicate_destination(0) != "_") {
    l.add(fmt::format("setp.ne.u32 {}, 0, 0", l.predicate_destination(0)));  // no texel is absent
  }
}

std::string stored_values(Lifter& l, std::size_t number, std::uint32_t words) {
  std::vector<std::string> values;
  for (std::uint32_t i = 0; i < words; ++i) {
    values.push_back(l.word(l.operand(number), i));
  }
  return words == 1 ? values.front() : fmt::format("{{{}}}", fmt::join(values, ", "));
}

void lift_surface_store(Lifter& l) {
  const SurfaceSize& size = surface_size(l);
  const std::string place = surface_place(l, 0, 2);
  l.add(fmt::format("sust.{}.{}.{}.{} {}, {}", surface_unit(l), surface_form(l).word, size.store, surface_bounds(l),
                    place, stored_values(l, 1, size.words)));
}

void lift_formatted_store(Lifter& l) {
  const std::uint32_t components = l.modifier("mask");
  const std::uint32_t words = components == 1 ? 1 : components == 3 ? 2 : components == 15 ? 4 : 0;
  if (words == 0) {
    l.fail("stores of these components are not supported");
  }
  static constexpr const char* kVectors[] = {"", "", "v2.", "", "v4."};
  const std::string place = surface_place(l, 0, 2);
  l.add(fmt::format("sust.p.{}.{}b32.{} {}, {}", surface_form(l).word, kVectors[words], surface_bounds(l), place,
                    stored_values(l, 1, words)));
}

void lift_surface_update(Lifter& l) {
  const std::string_view type = l.modifier_text("surface_type");
  const std::string operation = in_small_letters(l.modifier_text("surface_atomic"));
  const bool wide = type == "64" || type == "S64";
  const bool logic = operation == "and" || operation == "or";
  if (type == "SD" && operation != "add" && !logic) {
    l.fail("updates whose type is that of the surface are not supported");
  }
  const std::string word = fmt::format("{}{}", logic ? "b" : type.starts_with("S") ? "s" : "u", wide ? 64 : 32);
  const std::string place = surface_place(l, 0, 2);
  const std::string value = wide ? l.pair(1) : l.word(l.operand(1));
  l.add(fmt::format("sured.{}.{}.{}.{}.{} {}, {}", l.modifier("BA") != 0 ? "b" : "p", operation, surface_form(l).word,
                    word, surface_bounds(l), place, value));
}

constexpr LiftedOpcode kSurfaceOpcodes[] = {
    {"SULD.D", lift_surface_load},
    {"SUST.D", lift_surface_store},
    {"SUST.P", lift_formatted_store},
    {"SURED.D", lift_surface_update},
};

}  // namespace

std::span<const LiftedOpcode> lifted_surface_opcodes() {
  return kSurfaceOpcodes;
}

}  // namespace warpsim
