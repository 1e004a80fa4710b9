#include "sass/link_units.h"

#include <fmt/format.h>

#include <string>

namespace warpsim::sass {

namespace {

constexpr std::uint32_t kUndefined = CubinSection::kNone;

bool has_definition(const CubinSymbol& symbol) {
  using Kind = CubinSymbol::Kind;
  return symbol.section != kUndefined &&
         (symbol.kind == Kind::kFunction || symbol.kind == Kind::kVariable || symbol.kind == Kind::kTexture);
}

}  // namespace

LinkUnits::LinkUnits(std::span<const LinkInput> inputs, const IsExternal& is_external) {
  units_.reserve(inputs.size());
  for (const LinkInput& input : inputs) {
    const Cubin& unit = units_.emplace_back(input.bytes, input.name);
    if (!unit.is_relocatable()) {
      throw LinkFailure(input.name +
                        ": machine code that is linked already; expected relocatable code (nvcc -rdc=true)");
    }
    if (unit.architecture() != units_.front().architecture()) {
      throw LinkFailure(fmt::format("{}: code for sm_{}; expected sm_{}, for which {} is", input.name,
                                    unit.architecture(), units_.front().architecture(), units_.front().name()));
    }
    first_.push_back(first_.back() + static_cast<std::uint32_t>(unit.sections().size()));
  }
  define();
  drop_replaced();
  check_references(is_external);
}

void LinkUnits::define() {
  for (std::uint32_t unit = 0; unit < units_.size(); ++unit) {
    const std::vector<CubinSymbol>& symbols = units_[unit].symbols();
    for (std::uint32_t i = 0; i < symbols.size(); ++i) {
      if (symbols[i].is_local || !has_definition(symbols[i])) {
        continue;
      }
      const auto [known, added] = globals_.try_emplace(symbols[i].name, UnitSymbol{unit, i});
      if (added || symbols[i].is_weak) {
        continue;
      }
      if (!symbol(known->second).is_weak) {
        throw LinkFailure(fmt::format("{}: multiple definition of '{}', which {} defines first", units_[unit].name(),
                                      symbols[i].name, units_[known->second.unit].name()));
      }
      known->second = {unit, i};
    }
  }
}

std::optional<UnitSymbol> LinkUnits::definition(const UnitSymbol& of) const {
  const CubinSymbol& meant = symbol(of);
  if (meant.is_local || meant.kind == CubinSymbol::Kind::kSection) {
    return meant.section == kUndefined ? std::nullopt : std::optional(of);
  }
  const auto found = globals_.find(meant.name);
  return found == globals_.end() ? std::nullopt : std::optional(found->second);
}

void LinkUnits::drop_replaced() {
  constexpr std::string_view kPrefix = ".text.";
  dropped_.assign(section_count(), false);
  for (std::uint32_t unit = 0; unit < units_.size(); ++unit) {
    const Cubin& cubin = units_[unit];
    for (const CubinFunction& function : cubin.functions()) {
      const UnitSymbol own{unit, function.symbol};
      const bool is_owner =
          std::string_view(cubin.sections()[function.section].name).substr(kPrefix.size()) == function.name;
      if (is_owner && definition(own) != own) {
        dropped_[number_of(unit, function.section)] = true;
      }
    }
    for (std::uint32_t i = 0; i < cubin.sections().size(); ++i) {
      const std::uint32_t code = cubin.sections()[i].code;
      if (code != CubinSection::kNone && dropped_[number_of(unit, code)]) {
        dropped_[number_of(unit, i)] = true;
      }
    }
  }
}

void LinkUnits::check_references(const IsExternal& is_external) const {
  for (std::uint32_t unit = 0; unit < units_.size(); ++unit) {
    const Cubin& cubin = units_[unit];
    for (const CubinRelocation& relocation : cubin.relocations()) {
      if (!is_kept(number_of(unit, relocation.section))) {
        continue;
      }
      const CubinSymbol& meant = cubin.symbols()[relocation.symbol];
      const std::optional<UnitSymbol> found = definition({unit, relocation.symbol});
      const std::string where = fmt::format("{}: section {}, offset {:#x}: ", cubin.name(),
                                            cubin.sections()[relocation.section].name, relocation.offset);
      if (!found) {
        // Dynamic shared memory has no definition.
        if (!meant.is_weak && !meant.is_shared && !is_external(meant.name)) {
          throw LinkFailure(where + fmt::format("undefined reference to '{}'", meant.name));
        }
      } else if (!is_kept(section_of(*found))) {
        throw LinkFailure(
            where + fmt::format("a reference to '{}', whose section is replaced by that of another unit", meant.name));
      } else if (meant.is_shared != symbol(*found).is_shared) {
        throw LinkFailure(where + fmt::format("'{}' is declared in shared memory in one unit and elsewhere in {}",
                                              meant.name, units_[found->unit].name()));
      }
    }
  }
}

}  // namespace warpsim::sass
