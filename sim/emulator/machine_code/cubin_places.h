// Where the symbols of a cubin are when its code is executed: functions in the module's space of code addresses
// (lifted_module.h), functions of the driver at theirs, variables by their names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
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

// Whether only the device runtime calls the driver's function of this name.
bool serves_device_runtime(std::string_view name);

class CubinPlaces {
 public:
  // `cubin` outlives this.
  explicit CubinPlaces(const sass::Cubin& cubin);

  // The name of a variable, which no other one of the cubin has: linked cubins have several local ones of one name.
  const std::string& variable_name(std::size_t variable) const { return names_[variable]; }
  // Code outside of kernels begins at kFunctionsBegin; that of a kernel at 0.
  std::uint64_t code_address(std::uint32_t section) const { return code_[section]; }
  bool is_function_code(std::uint32_t section) const;
  // Whether the cubin contains the device runtime, which asks the driver to launch kernels; and whether a symbol is one
  // of its functions, in whose place a function of the system is called.
  bool has_device_runtime() const { return has_device_runtime_; }
  bool is_replaced(const sass::CubinSymbol& symbol) const;
  // What a relocation refers to. Throws UndefinedSymbol; UserError: memory without a variable.
  CubinPlace place_of(const sass::CubinRelocation& relocation) const;

 private:
  void place_functions();
  void number_kernels();
  CubinPlace in_section(std::uint32_t section, std::uint64_t offset, const std::string& symbol) const;

  const sass::Cubin& cubin_;
  std::vector<std::string> names_;
  std::vector<std::uint64_t> code_;                 // by section
  std::map<std::uint32_t, std::uint32_t> kernels_;  // their numbers by symbol
  bool has_device_runtime_ = false;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> by_begin_;  // variables by section and offset
};

}  // namespace warpsim
