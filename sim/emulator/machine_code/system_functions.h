// Functions of the driver that machine code calls: vprintf, malloc and others, and those of the device runtime
// (execution/device_runtime_calls.h), whose own code in cubins is not executed. Cubins refer to them by name; addresses
// stand for them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

struct SystemFunction {
  std::string name;
  std::string declaration;  // PTX
  std::string call;         // PTX, with arguments and results in the registers of the ABI
};
std::span<const SystemFunction> system_functions();
std::vector<const SystemFunction*> all_system_functions();
// The address that stands for the function; 0 for an unknown one.
std::uint64_t system_function_address(std::string_view name);
bool is_system_function(std::string_view name);

}  // namespace warpsim
