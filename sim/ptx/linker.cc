#include "ptx/linker.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace warpsim::ptx {
namespace {

// Numbers of a unit's items in the linked module.
struct Numbers {
  std::vector<std::uint32_t> variables;
  std::vector<std::uint32_t> functions;
  std::uint32_t first_symbol = 0;
  std::uint32_t first_file = 0;
};

bool gives_way(Linkage linkage) {
  return linkage == Linkage::kWeak || linkage == Linkage::kCommon;
}

bool is_shared(Linkage linkage) {
  return linkage == Linkage::kVisible || gives_way(linkage);
}

// The definition of each name that modules share.
class Definitions {
 public:
  struct Place {
    std::size_t unit = 0;
    std::uint32_t number = 0;
    Linkage linkage = Linkage::kVisible;
  };

  void add(const Module& unit, std::string_view name, const Place& place) {
    const auto [known, added] = places_.try_emplace(name, place);
    if (added || gives_way(place.linkage)) {
      return;
    }
    if (!gives_way(known->second.linkage)) {
      throw PtxError(unit.file + ": '" + std::string(name) + "' is defined in two modules that are linked");
    }
    known->second = place;
  }
  const Place* find(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string_view, Place> places_;
};

class Linker {
 public:
  Linker(std::vector<std::unique_ptr<Module>> units, const std::string& file)
      : units_(std::move(units)), linked_(std::make_unique<Module>()) {
    linked_->file = file;
  }

  std::unique_ptr<Module> link() {
    for (std::size_t i = 0; i < units_.size(); ++i) {
      find_definitions(i);
    }
    numbers_.resize(units_.size());
    // Definitions first: declarations refer to them.
    for (const bool defined : {true, false}) {
      for (std::size_t i = 0; i < units_.size(); ++i) {
        number_variables(i, defined);
        number_functions(i, defined);
      }
    }
    for (std::size_t i = 0; i < units_.size(); ++i) {
      append(i);
    }
    for (std::unique_ptr<Module>& unit : units_) {
      linked_->units.push_back(std::move(unit));
    }
    return std::move(linked_);
  }

 private:
  void find_definitions(std::size_t number) {
    const Module& unit = *units_[number];
    for (std::uint32_t i = 0; i < unit.variables.size(); ++i) {
      const Variable& variable = unit.variables[i];
      if (is_shared(variable.linkage) && variable.space != StateSpace::kShared) {
        variables_.add(unit, variable.name, {number, i, variable.linkage});
      }
    }
    for (std::uint32_t i = 0; i < unit.functions.size(); ++i) {
      const Function& function = unit.functions[i];
      if (is_shared(function.linkage) && function.has_body) {
        functions_.add(unit, function.name, {number, i, function.linkage});
      }
    }
  }

  // The definition that replaces the unit's declaration or definition; null: itself.
  static const Definitions::Place* other(const Definitions& definitions, std::string_view name, std::size_t unit,
                                         std::uint32_t number) {
    const Definitions::Place* const place = definitions.find(name);
    return place == nullptr || (place->unit == unit && place->number == number) ? nullptr : place;
  }

  void number_variables(std::size_t number, bool own) {
    Module& unit = *units_[number];
    std::vector<std::uint32_t>& numbers = numbers_[number].variables;
    numbers.resize(unit.variables.size());
    for (std::uint32_t i = 0; i < unit.variables.size(); ++i) {
      const Variable& variable = unit.variables[i];
      const bool takes_part = variable.linkage != Linkage::kInternal && variable.space != StateSpace::kShared;
      const Definitions::Place* const place = takes_part ? other(variables_, variable.name, number, i) : nullptr;
      if (own && place == nullptr) {
        numbers[i] = static_cast<std::uint32_t>(linked_->variables.size());
        variable_owners_.push_back(number);
        linked_->variables.push_back(variable);
      } else if (!own && place != nullptr) {
        numbers[i] = numbers_[place->unit].variables[place->number];
        check_same(unit, variable, linked_->variables[numbers[i]]);
      }
    }
  }

  static void check_same(const Module& unit, const Variable& declared, const Variable& defined) {
    if (declared.space != defined.space || declared.bytes() > defined.bytes()) {
      throw PtxError(unit.file + ": '" + std::string(declared.name) +
                     "' is defined in another state space, or smaller, than it is declared");
    }
  }

  void number_functions(std::size_t number, bool own) {
    Module& unit = *units_[number];
    std::vector<std::uint32_t>& numbers = numbers_[number].functions;
    numbers.resize(unit.functions.size());
    for (std::uint32_t i = 0; i < unit.functions.size(); ++i) {
      Function& function = unit.functions[i];
      const bool takes_part = function.linkage != Linkage::kInternal || !function.has_body;
      const Definitions::Place* const place = takes_part ? other(functions_, function.name, number, i) : nullptr;
      if (own && place == nullptr) {
        numbers[i] = static_cast<std::uint32_t>(linked_->functions.size());
        function_owners_.push_back(number);
        linked_->functions.push_back(std::move(function));
      } else if (!own && place != nullptr) {
        numbers[i] = numbers_[place->unit].functions[place->number];
      }
    }
  }

  // Symbols and files follow those of earlier units; references to numbers of the unit are translated.
  void append(std::size_t number) {
    const Module& unit = *units_[number];
    Numbers& numbers = numbers_[number];
    numbers.first_symbol = static_cast<std::uint32_t>(linked_->symbols.size());
    numbers.first_file = static_cast<std::uint32_t>(linked_->files.size());
    for (Symbol symbol : unit.symbols) {
      const bool is_function = symbol.kind == Symbol::Kind::kFunction;
      symbol.number = is_function ? numbers.functions[symbol.number] : numbers.variables[symbol.number];
      linked_->symbols.push_back(symbol);
    }
    linked_->files.insert(linked_->files.end(), unit.files.begin(), unit.files.end());
    linked_->version = std::max(linked_->version, unit.version);
    linked_->target = std::max(linked_->target, unit.target);
    linked_->architecture_specific = linked_->architecture_specific || unit.architecture_specific;
    linked_->address_bits = unit.address_bits;
    for (const std::string_view option : unit.target_options) {
      if (std::ranges::find(linked_->target_options, option) == linked_->target_options.end()) {
        linked_->target_options.push_back(option);
      }
    }
    for (std::size_t i = 0; i < variable_owners_.size(); ++i) {
      if (variable_owners_[i] == number) {
        renumber(linked_->variables[i], numbers);
      }
    }
    for (std::size_t i = 0; i < function_owners_.size(); ++i) {
      if (function_owners_[i] == number) {
        renumber(linked_->functions[i], numbers);
      }
    }
  }

  static void renumber(Variable& variable, const Numbers& numbers) {
    for (InitialValue& value : variable.initial) {
      value.symbol += value.symbol < 0 ? 0 : static_cast<std::int32_t>(numbers.first_symbol);
    }
  }

  static void renumber(Operand& operand, const Numbers& numbers) {
    if (operand.kind == Operand::Kind::kSymbol && operand.scope == Operand::Scope::kModule) {
      operand.number += numbers.first_symbol;
    }
    for (Operand& element : operand.elements) {
      renumber(element, numbers);
    }
    if (operand.second != nullptr) {
      renumber(*operand.second, numbers);
    }
  }

  static void renumber(Function& function, const Numbers& numbers) {
    if (function.alias_of >= 0) {
      function.alias_of = static_cast<std::int32_t>(numbers.functions[static_cast<std::size_t>(function.alias_of)]);
    }
    for (Variable& variable : function.variables) {
      renumber(variable, numbers);
    }
    for (TargetTable& table : function.call_targets) {
      for (std::uint32_t& target : table.targets) {
        target += numbers.first_symbol;
      }
    }
    for (Instruction& instruction : function.body) {
      instruction.source_file += instruction.source_file == 0 ? 0 : numbers.first_file;
      for (Operand& operand : instruction.operands) {
        renumber(operand, numbers);
      }
    }
  }

  std::vector<std::unique_ptr<Module>> units_;
  std::unique_ptr<Module> linked_;
  Definitions variables_;
  Definitions functions_;
  std::vector<Numbers> numbers_;
  std::vector<std::size_t> variable_owners_;  // units of the linked variables
  std::vector<std::size_t> function_owners_;
};

}  // namespace

std::unique_ptr<Module> link_modules(std::vector<std::unique_ptr<Module>> units, const std::string& file) {
  return Linker(std::move(units), file).link();
}

}  // namespace warpsim::ptx
