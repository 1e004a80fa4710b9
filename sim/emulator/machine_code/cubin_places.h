// Where the symbols of a cubin are when its code is executed: functions in the module's space of code addresses
// (lifted_module.h), functions of the driver at theirs, variables by their names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "sass/cubin.h"

namespace warpsim {

// A variable and an offset in it; without a variable an address.
struct CubinPlace {
  std::string variable;
  std::uint64_t value = 0;
  bool constant = false;  // the variable is in constant memory
};

// A symbol that is neither defined in the cubin nor a function of the driver.
class UndefinedSymbol : public UserError {
 public:
  using UserError::UserError;
};

// The variable that stands for constant bank 3.
inline constexpr const char* kConstantsVariable = "bank3";

class CubinPlaces {
 public:
  // `cubin` outlives this.
  explicit CubinPlaces(const sass::Cubin& cubin);

  // The name of a variable, which no other one of the cubin has: linked cubins have several local ones of one name.
  const std::string& variable_name(std::size_t variable) const { return names_[variable]; }
  // Code outside of kernels begins at kFunctionsBegin; that of a kernel at 0.
  std::uint64_t code_address(std::uint32_t section) const { return code_[section]; }
  bool is_function_code(std::uint32_t section) const;
  // What a relocation refers to. Throws UndefinedSymbol; UserError: memory without a variable.
  CubinPlace place_of(const sass::CubinRelocation& relocation) const;

 private:
  void place_functions();
  CubinPlace in_section(std::uint32_t section, std::uint64_t offset, const std::string& symbol) const;

  const sass::Cubin& cubin_;
  std::vector<std::string> names_;
  std::vector<std::uint64_t> code_;                                          // by section
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> by_begin_;  // variables by section and offset
};

}  // namespace warpsim
