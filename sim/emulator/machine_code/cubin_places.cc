#include "emulator/machine_code/cubin_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "emulator/code/kernel_address.h"
#include "emulator/execution/device_runtime_calls.h"
#include "emulator/machine_code/lifted_module.h"
#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::CubinFunction;
using sass::CubinSection;
using sass::CubinSymbol;
using sass::CubinVariable;

constexpr std::uint32_t kModuleBank = 3;

// Descriptors of functions: in code, only addresses of kernels that are launched have this form.
bool is_descriptor(const sass::RelocationType& type) {
  return std::string_view(type.name).starts_with("R_CUDA_FUNC_DESC");
}

}  // namespace

bool serves_device_runtime(std::string_view name) {
  return name.starts_with("cnp") || name.starts_with("__cuda_syscall_cnp");
}

CubinPlaces::CubinPlaces(const sass::Cubin& cubin) : cubin_(cubin), code_(cubin.sections().size(), 0) {
  std::set<std::string> taken;
  for (const CubinVariable& variable : cubin.variables()) {
    std::string name = variable.name;
    for (int i = 2; !taken.insert(name).second; ++i) {
      name = fmt::format("{}${}", variable.name, i);
    }
    by_begin_.emplace(std::pair(variable.section, variable.offset), names_.size());
    names_.push_back(std::move(name));
  }
  place_functions();
  number_kernels();
  has_device_runtime_ = std::ranges::any_of(cubin.symbols(), [](const CubinSymbol& symbol) {
    return symbol.section == CubinSection::kNone && serves_device_runtime(symbol.name);
  });
}

// In the order in which the module has them.
void CubinPlaces::number_kernels() {
  std::uint32_t next = 0;
  for (const CubinFunction& function : cubin_.functions()) {
    if (function.is_kernel) {
      kernels_.emplace(function.symbol, next++);
    }
  }
}

bool CubinPlaces::is_replaced(const CubinSymbol& symbol) const {
  return has_device_runtime_ && symbol.kind == CubinSymbol::Kind::kFunction &&
         find_device_runtime_form(symbol.name) != nullptr;
}

void CubinPlaces::place_functions() {
  constexpr std::uint64_t kAlignment = 128;
  std::set<std::uint32_t> of_kernels;
  for (const CubinFunction& function : cubin_.functions()) {
    if (function.is_kernel) {
      of_kernels.insert(function.section);
    }
  }
  std::uint64_t next = kFunctionsBegin;
  for (std::uint32_t i = 0; i < cubin_.sections().size(); ++i) {
    const CubinSection& section = cubin_.sections()[i];
    if (section.kind == CubinSection::Kind::kCode && !of_kernels.contains(i)) {
      code_[i] = next;
      next += (section.content.size() + kAlignment - 1) / kAlignment * kAlignment;
    }
  }
}

bool CubinPlaces::is_function_code(std::uint32_t section) const {
  return code_[section] >= kFunctionsBegin;
}

CubinPlace CubinPlaces::place_of(const sass::CubinRelocation& relocation) const {
  const CubinSymbol& symbol = cubin_.symbols()[relocation.symbol];
  if (symbol.section == CubinSection::kNone || is_replaced(symbol)) {
    const std::uint64_t function = system_function_address(symbol.name);
    if (function == 0) {
      throw UndefinedSymbol(fmt::format("it refers to '{}', which is not defined", symbol.name));
    }
    return {{}, function + relocation.addend};
  }
  if (const auto kernel = kernels_.find(relocation.symbol);
      kernel != kernels_.end() && is_descriptor(*relocation.type)) {
    return {{}, kernel_address(kernel->second) + relocation.addend};
  }
  if (cubin_.sections()[symbol.section].kind == CubinSection::Kind::kCode) {
    return {{}, code_[symbol.section] + symbol.offset + relocation.addend};
  }
  // The addend of a variable's symbol may lead out of it, that of a section's symbol names the variable.
  if (symbol.kind == CubinSymbol::Kind::kSection) {
    return in_section(symbol.section, relocation.addend, symbol.name);
  }
  CubinPlace place = in_section(symbol.section, symbol.offset, symbol.name);
  place.value += relocation.addend;
  return place;
}

CubinPlace CubinPlaces::in_section(std::uint32_t section, std::uint64_t offset, const std::string& symbol) const {
  const CubinSection& memory = cubin_.sections()[section];
  if (memory.kind == CubinSection::Kind::kConstant && memory.bank == kModuleBank) {
    return {kConstantsVariable, offset, true};
  }
  for (auto after = by_begin_.upper_bound({section, offset}); after != by_begin_.begin();) {
    --after;
    const CubinVariable& variable = cubin_.variables()[after->second];
    if (variable.section != section || memory.kind != CubinSection::Kind::kGlobal) {
      break;
    }
    if (offset - variable.offset < variable.bytes || offset == variable.offset) {
      return {names_[after->second], offset - variable.offset};
    }
  }
  throw UserError(
      fmt::format("it refers to '{}' at {:#x} of section {}, where no variable is", symbol, offset, memory.name));
}

}  // namespace warpsim
