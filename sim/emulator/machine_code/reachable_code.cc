#include "emulator/machine_code/reachable_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "sass/branch_targets.h"
#include "sass/decoder.h"

namespace warpsim {

namespace {

using sass::CubinRelocation;
using sass::CubinSection;
using sass::CubinSymbol;

enum class WordHalf : std::uint8_t { kNone, kLower, kUpper };

// The part of an address that fills an immediate value of 32 bits.
WordHalf half_of(const sass::RelocationType& type) {
  constexpr std::uint32_t kFirst = 32;
  constexpr std::uint32_t kLast = 63;
  const sass::RelocationField& field = type.fields[0];
  const bool whole_immediate =
      type.bytes == sass::kInstructionBytes && type.field_count == 1 && field.first == kFirst && field.last == kLast;
  return !whole_immediate ? WordHalf::kNone : field.shift == 0 ? WordHalf::kLower : WordHalf::kUpper;
}

}  // namespace

ReachableCode::ReachableCode(const sass::Cubin& cubin, const CubinPlaces& places)
    : cubin_(cubin), places_(places), relocations_(cubin.sections().size()) {
  for (const CubinRelocation& relocation : cubin.relocations()) {
    relocations_[relocation.section].push_back(&relocation);
    const CubinSymbol& symbol = cubin.symbols()[relocation.symbol];
    if (symbol.section != CubinSection::kNone && places.is_function_code(symbol.section) &&
        !places.is_replaced(symbol) && relocation.section != symbol.section && !sass::is_branch(*relocation.type)) {
      taken_.insert(symbol.section);
    }
  }
}

std::vector<MachineCodePart> ReachableCode::of(const sass::CubinFunction& kernel) const {
  std::set<std::uint32_t> reached;
  add_calls(kernel.section, reached);
  if (!taken_.empty() && calls_registers(reached)) {
    for (const std::uint32_t section : taken_) {
      add_calls(section, reached);
    }
  }
  reached.erase(kernel.section);
  std::vector<MachineCodePart> parts{part(kernel.section)};
  parts.front().name.clear();
  for (const std::uint32_t section : reached) {
    parts.push_back(part(section));
  }
  std::ranges::sort(parts, {}, &MachineCodePart::address);
  return parts;
}

void ReachableCode::add_calls(std::uint32_t section, std::set<std::uint32_t>& reached) const {
  if (!reached.insert(section).second) {
    return;
  }
  for (const CubinRelocation* const relocation : relocations_[section]) {
    const CubinSymbol& symbol = cubin_.symbols()[relocation->symbol];
    const std::uint32_t target = symbol.section;
    if (sass::is_branch(*relocation->type) && !places_.is_replaced(symbol) && target != CubinSection::kNone &&
        places_.is_function_code(target)) {
      add_calls(target, reached);
    }
  }
}

bool ReachableCode::calls_registers(const std::set<std::uint32_t>& sections) const {
  const sass::Decoder decoder(cubin_.architecture());
  return std::ranges::any_of(sections, [&](std::uint32_t section) {
    return sass::calls_addresses(cubin_.sections()[section].content, decoder);
  });
}

MachineCodePart ReachableCode::part(std::uint32_t section) const {
  constexpr std::string_view kPrefix = ".text.";
  const CubinSection& code = cubin_.sections()[section];
  MachineCodePart part;
  part.name = code.name.substr(std::min(kPrefix.size(), code.name.size()));
  part.address = places_.code_address(section);
  part.bytes = code.content;
  if (!cubin_.lines().rows.empty()) {
    part.lines = cubin_.lines().rows[section];
  }
  for (const CubinRelocation* const relocation : relocations_[section]) {
    const CubinPlace place = places_.place_of(*relocation);
    const sass::RelocationType& type = *relocation->type;
    const WordHalf half = half_of(type);
    if (!place.variable.empty() && half != WordHalf::kNone) {
      part.immediates.push_back(
          {relocation->offset, place.variable, place.value, place.constant, half == WordHalf::kUpper});
      continue;
    }
    const std::span<std::byte> at = std::span(part.bytes).subspan(relocation->offset, type.bytes);
    if (!place.variable.empty() || type.kind != sass::RelocationType::Kind::kAddress ||
        !sass::store_value(type, place.value, at)) {
      throw UserError(fmt::format("at {:#06x} of {}: {} with symbol '{}' is not supported", relocation->offset,
                                  code.name, type.name, cubin_.symbols()[relocation->symbol].name));
    }
  }
  return part;
}

}  // namespace warpsim
