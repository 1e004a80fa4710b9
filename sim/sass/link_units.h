// The units of a link: which definition each symbol refers to, and which sections remain.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sass/cubin.h"
#include "sass/cubin_linker.h"

namespace warpsim::sass {

// A symbol of a unit.
struct UnitSymbol {
  std::uint32_t unit = 0;
  std::uint32_t symbol = 0;
  auto operator<=>(const UnitSymbol&) const = default;  // NOLINT(modernize-use-nullptr)
};

class LinkUnits {
 public:
  // Throws LinkFailure and InvalidCubin.
  LinkUnits(std::span<const LinkInput> inputs, const IsExternal& is_external);

  const std::vector<Cubin>& units() const { return units_; }
  const CubinSymbol& symbol(const UnitSymbol& of) const { return units_[of.unit].symbols()[of.symbol]; }
  // Nothing: the symbol is not defined in any unit.
  std::optional<UnitSymbol> definition(const UnitSymbol& of) const;

  // The sections of all units have numbers one after another.
  std::uint32_t section_count() const { return first_.back(); }
  std::uint32_t number_of(std::uint32_t unit, std::uint32_t section) const { return first_[unit] + section; }
  // Of the section in which a symbol is defined.
  std::uint32_t section_of(const UnitSymbol& of) const { return number_of(of.unit, symbol(of).section); }
  // False for the code of a function that is replaced by another definition, and for what belongs to it.
  bool is_kept(std::uint32_t number) const { return !dropped_[number]; }

 private:
  void define();
  void drop_replaced();
  void check_references(const IsExternal& is_external) const;

  std::vector<Cubin> units_;
  std::vector<std::uint32_t> first_{0};  // number of the first section of each unit, and the end
  std::map<std::string_view, UnitSymbol> globals_;
  std::vector<bool> dropped_;  // by number
};

}  // namespace warpsim::sass
