#include "emulator/machine_code/cubin_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/machine_code/lifter.h"
#include "ptx/parser.h"

namespace warpsim {

namespace {

using sass::Cubin;
using sass::CubinFunction;
using sass::CubinSection;
using sass::CubinSymbol;

constexpr std::uint32_t kConstantsOfModule = 3;
constexpr std::uint32_t kAddresses = 4;
constexpr std::uint32_t kLiterals = 2;

// Why a kernel's code cannot be executed; empty if it can be.
std::string refusal_of(const Cubin& cubin, const CubinFunction& function) {
  if (cubin.is_relocatable()) {
    return "relocatable machine code is not linked yet; link it with nvcc";
  }
  for (const sass::CubinRelocation& relocation : cubin.relocations()) {
    if (relocation.section == function.section) {
      return fmt::format("its code contains the address of '{}', which is not supported",
                         cubin.symbols()[relocation.symbol].name);
    }
  }
  return {};
}

// The limits of launches that the compiler recorded.
std::vector<std::string> bounds_of(const sass::FunctionInfo& info) {
  std::vector<std::string> bounds;
  const auto add = [&](const char* directive, const std::optional<sass::Dimensions>& size) {
    if (size && size->front() != 0) {
      bounds.push_back(fmt::format("{} {}, {}, {}", directive, (*size)[0], (*size)[1], (*size)[2]));
    }
  };
  add(".maxntid", info.max_threads);
  add(".reqntid", info.required_threads);
  add(".reqnctapercluster", info.cluster);
  if (info.explicit_cluster) {
    bounds.emplace_back(".explicitcluster");
  }
  if (info.max_cluster_blocks) {
    bounds.push_back(fmt::format(".maxclusterrank {}", *info.max_cluster_blocks));
  }
  return bounds;
}

MachineKernel kernel_of(const Cubin& cubin, const CubinFunction& function) {
  MachineKernel kernel;
  kernel.name = function.name;
  // Functions that a kernel calls are in the same section, after it.
  kernel.code = cubin.sections()[function.section].content;
  kernel.registers = function.registers;
  // Without parameters there is no place of theirs; the driver's words are before where it would be.
  const std::uint32_t usual_base = cubin.architecture() >= 90 ? 0x210 : 0x160;
  kernel.parameter_base = function.info.parameter_bytes == 0 ? usual_base : function.info.parameter_offset;
  kernel.parameter_bytes = function.info.parameter_bytes;
  for (const sass::KernelParameter& parameter : function.info.parameters) {
    kernel.parameters.push_back({parameter.offset, parameter.bytes});
  }
  std::ranges::sort(kernel.parameters, {}, &MachineParameter::offset);
  kernel.shared_bytes = function.static_shared_bytes + cubin.reserved_shared_bytes();
  kernel.stack_bytes = std::max(function.stack_bytes, function.frame_bytes) + function.local_bytes;
  if (const CubinSection* const literals = cubin.constant_bank(function, kLiterals)) {
    kernel.literals = literals->content;
  }
  kernel.bounds = bounds_of(function.info);
  kernel.refusal = refusal_of(cubin, function);
  return kernel;
}

// Addresses of variables and of the driver's functions in a part of a section, by offsets from its start.
std::vector<MachineAddress> addresses_in(const Cubin& cubin, std::uint32_t section, std::uint64_t begin,
                                         std::uint64_t bytes) {
  std::vector<MachineAddress> addresses;
  for (const sass::CubinRelocation& relocation : cubin.relocations()) {
    if (relocation.section != section || relocation.offset < begin || relocation.offset - begin >= bytes) {
      continue;
    }
    const CubinSymbol& symbol = cubin.symbols()[relocation.symbol];
    const bool is_variable = symbol.kind == CubinSymbol::Kind::kVariable && symbol.section != CubinSection::kNone;
    if (is_variable || system_function_address(symbol.name) != 0) {
      addresses.push_back({relocation.offset - begin, symbol.name, relocation.addend});
    }
  }
  return addresses;
}

void add_addresses(const Cubin& cubin, MachineModule& module) {
  for (std::size_t i = 0; i < cubin.sections().size(); ++i) {
    const CubinSection& section = cubin.sections()[i];
    if (section.kind != CubinSection::Kind::kConstant || section.bank != kAddresses) {
      continue;
    }
    constexpr std::uint64_t kWord = 8;
    module.address_bytes = (section.bytes + kWord - 1) / kWord * kWord;
    module.addresses = addresses_in(cubin, static_cast<std::uint32_t>(i), 0, section.bytes);
  }
}

}  // namespace

MachineModule machine_module_of(const Cubin& cubin) {
  MachineModule module;
  module.file = cubin.name();
  module.architecture = cubin.architecture();
  for (const CubinSection& section : cubin.sections()) {
    if (section.kind == CubinSection::Kind::kConstant && section.bank == kConstantsOfModule) {
      module.constants.assign(section.bytes, std::byte{0});
      std::ranges::copy(section.content, module.constants.begin());
    }
  }
  for (const sass::CubinVariable& variable : cubin.variables()) {
    const CubinSection& section = cubin.sections()[variable.section];
    if (section.kind == CubinSection::Kind::kConstant) {
      module.constant_parts.push_back({variable.name, variable.offset, variable.bytes});
      continue;
    }
    constexpr std::uint64_t kLargestAlignment = 256;
    const std::span<const std::byte> initial = cubin.initial_bytes(variable);
    module.variables.push_back(
        {variable.name,
         variable.bytes,
         static_cast<std::uint32_t>(std::clamp<std::uint64_t>(section.alignment, 8, kLargestAlignment)),
         false,
         {initial.begin(), initial.end()},
         addresses_in(cubin, variable.section, variable.offset, variable.bytes)});
  }
  add_addresses(cubin, module);
  for (const CubinFunction& function : cubin.functions()) {
    if (function.is_kernel) {
      module.kernels.push_back(kernel_of(cubin, function));
    }
  }
  return module;
}

std::unique_ptr<ptx::Module> module_of_cubin(std::span<const std::byte> bytes, const std::string& file) {
  const Cubin cubin(bytes, file);
  std::unique_ptr<ptx::Module> module = lifted_module(machine_module_of(cubin));
  return module;
}

std::unique_ptr<ptx::Module> module_of_code(std::string_view code, const std::string& file) {
  const auto bytes = std::as_bytes(std::span(code));
  return sass::is_cubin(bytes) ? module_of_cubin(bytes, file) : ptx::parse_module(code, file);
}

}  // namespace warpsim
