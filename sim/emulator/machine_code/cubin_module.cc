#include "emulator/machine_code/cubin_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/machine_code/cubin_places.h"
#include "emulator/machine_code/lifter.h"
#include "emulator/machine_code/reachable_code.h"
#include "ptx/parser.h"

namespace warpsim {

namespace {

using sass::Cubin;
using sass::CubinFunction;
using sass::CubinSection;

constexpr std::uint32_t kConstantsOfModule = 3;
constexpr std::uint32_t kAddresses = 4;
constexpr std::uint32_t kLiterals = 2;
constexpr std::uint32_t kUnknownStack = ~std::uint32_t{0};

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

// The first function of a kernel's own code that it calls.
std::uint64_t functions_begin(const Cubin& cubin, const CubinFunction& kernel) {
  std::uint64_t begin = ~std::uint64_t{0};
  for (const CubinFunction& function : cubin.functions()) {
    if (function.section == kernel.section && !function.is_kernel) {
      begin = std::min(begin, function.offset);
    }
  }
  return begin;
}

MachineKernel kernel_of(const Cubin& cubin, const CubinFunction& function, const ReachableCode& reachable) {
  MachineKernel kernel;
  kernel.name = function.name;
  if (cubin.is_relocatable()) {
    kernel.refusal = "relocatable machine code is not linked yet; link it with nvcc";
  } else {
    try {
      kernel.code = reachable.of(function);
    } catch (const UserError& error) {
      kernel.refusal = error.what();
    }
  }
  for (const std::uint32_t symbol : function.info.externals) {
    if (symbol >= cubin.symbols().size()) {
      throw sass::InvalidCubin(fmt::format("{}: function {} uses symbol {}; expected one of {}", cubin.name(),
                                           function.name, symbol, cubin.symbols().size()));
    }
    const std::string& name = cubin.symbols()[symbol].name;
    if (kernel.refusal.empty() && system_function_address(name) == 0) {
      kernel.refusal = fmt::format("it calls '{}', which is not supported", name);
    }
  }
  kernel.functions_begin = functions_begin(cubin, function);
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
  // What a linker cannot know is left to the limit of the device (kernel_writer.cc finds out).
  const std::uint32_t stack = function.stack_bytes == kUnknownStack ? 0 : function.stack_bytes;
  kernel.stack_bytes = std::max(stack, function.frame_bytes) + function.local_bytes;
  if (const CubinSection* const literals = cubin.constant_bank(function, kLiterals)) {
    kernel.literals = literals->content;
  }
  kernel.bounds = bounds_of(function.info);
  return kernel;
}

// Addresses in a part of a section, by offsets from its start. Throws UserError.
std::vector<MachineAddress> addresses_in(const Cubin& cubin, const CubinPlaces& places, std::uint32_t section,
                                         std::uint64_t begin, std::uint64_t bytes) {
  std::vector<MachineAddress> addresses;
  for (const sass::CubinRelocation& relocation : cubin.relocations()) {
    if (relocation.section != section || relocation.offset < begin || relocation.offset - begin >= bytes) {
      continue;
    }
    if (cubin.is_relocatable()) {
      continue;  // its kernels are refused
    }
    const std::uint64_t offset = relocation.offset - begin;
    if (relocation.type->bytes != sizeof(std::uint64_t) || offset % sizeof(std::uint64_t) != 0) {
      throw sass::InvalidCubin(fmt::format("{}: section {}, offset {:#x}: {}; expected an address of 8 bytes",
                                           cubin.name(), cubin.sections()[section].name, relocation.offset,
                                           relocation.type->name));
    }
    CubinPlace place;
    try {
      place = places.place_of(relocation);
    } catch (const UndefinedSymbol&) {
      // Zero: kernels that use it are refused.
    } catch (const UserError& error) {
      throw sass::InvalidCubin(fmt::format("{}: section {}, offset {:#x}: {}", cubin.name(),
                                           cubin.sections()[section].name, relocation.offset, error.what()));
    }
    addresses.push_back({offset, place.variable, place.value});
  }
  return addresses;
}

void add_addresses(const Cubin& cubin, const CubinPlaces& places, MachineModule& module) {
  for (std::size_t i = 0; i < cubin.sections().size(); ++i) {
    const CubinSection& section = cubin.sections()[i];
    if (section.kind != CubinSection::Kind::kConstant || section.bank != kAddresses) {
      continue;
    }
    constexpr std::uint64_t kWord = 8;
    module.address_bytes = (section.bytes + kWord - 1) / kWord * kWord;
    module.addresses = addresses_in(cubin, places, static_cast<std::uint32_t>(i), 0, section.bytes);
  }
}

void add_constants(const Cubin& cubin, const CubinPlaces& places, MachineModule& module) {
  for (std::size_t i = 0; i < cubin.sections().size(); ++i) {
    const CubinSection& section = cubin.sections()[i];
    if (section.kind == CubinSection::Kind::kConstant && section.bank == kConstantsOfModule) {
      module.constants.assign(section.bytes, std::byte{0});
      std::ranges::copy(section.content, module.constants.begin());
      module.constant_addresses = addresses_in(cubin, places, static_cast<std::uint32_t>(i), 0, section.bytes);
    }
  }
}

}  // namespace

MachineModule machine_module_of(const Cubin& cubin) {
  MachineModule module;
  module.file = cubin.name();
  module.architecture = cubin.architecture();
  module.system_functions.emplace();
  for (const SystemFunction& function : system_functions()) {
    const bool is_used = std::ranges::any_of(cubin.symbols(), [&](const sass::CubinSymbol& symbol) {
      return symbol.section == CubinSection::kNone && symbol.name == function.name;
    });
    if (is_used) {
      module.system_functions->push_back(&function);
    }
  }
  const CubinPlaces places(cubin);
  const ReachableCode reachable(cubin, places);
  add_constants(cubin, places, module);
  for (std::size_t i = 0; i < cubin.variables().size(); ++i) {
    const sass::CubinVariable& variable = cubin.variables()[i];
    const CubinSection& section = cubin.sections()[variable.section];
    if (section.kind == CubinSection::Kind::kConstant) {
      module.constant_parts.push_back({places.variable_name(i), variable.offset, variable.bytes});
      continue;
    }
    constexpr std::uint64_t kLargestAlignment = 256;
    const std::span<const std::byte> initial = cubin.initial_bytes(variable);
    module.variables.push_back(
        {places.variable_name(i),
         variable.bytes,
         static_cast<std::uint32_t>(std::clamp<std::uint64_t>(section.alignment, 8, kLargestAlignment)),
         false,
         {initial.begin(), initial.end()},
         addresses_in(cubin, places, variable.section, variable.offset, variable.bytes),
         cubin.symbols()[variable.symbol].is_managed});
  }
  add_addresses(cubin, places, module);
  for (const CubinFunction& function : cubin.functions()) {
    if (function.is_kernel) {
      module.kernels.push_back(kernel_of(cubin, function, reachable));
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
