#include "emulator/machine_code/cubin_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/machine_code/cubin_places.h"
#include "emulator/machine_code/reachable_code.h"
#include "ptx/parser.h"
#include "sass/cubin_linker.h"

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

void check_externals(const Cubin& cubin, const CubinFunction& function) {
  for (const std::uint32_t symbol : function.info.externals) {
    if (symbol >= cubin.symbols().size()) {
      throw sass::InvalidCubin(fmt::format("{}: function {} uses symbol {}; expected one of {}", cubin.name(),
                                           function.name, symbol, cubin.symbols().size()));
    }
  }
}

MachineKernel kernel_of(const Cubin& cubin, const CubinFunction& function, const CubinSection* literals) {
  MachineKernel kernel;
  kernel.name = function.name;
  kernel.registers = function.registers;
  // Without parameters there is no place of theirs; the driver's words are before where it would be.
  const std::uint32_t usual_base = cubin.architecture() >= 90 ? 0x210 : 0x160;
  kernel.parameter_base = function.info.parameter_bytes == 0 ? usual_base : function.info.parameter_offset;
  kernel.parameter_bytes = function.info.parameter_bytes;
  for (const sass::KernelParameter& parameter : function.info.parameters) {
    kernel.parameters.push_back({parameter.offset, parameter.bytes});
  }
  std::ranges::sort(kernel.parameters, {}, &MachineParameter::offset);
  kernel.system_shared_bytes = cubin.reserved_shared_bytes();
  kernel.shared_bytes = function.static_shared_bytes;
  // What a linker cannot know is left to the limit of the device (kernel_writer.cc finds out).
  const std::uint32_t stack = function.stack_bytes == kUnknownStack ? 0 : function.stack_bytes;
  kernel.stack_bytes = std::max(stack, function.frame_bytes) + function.local_bytes;
  if (literals != nullptr) {
    kernel.literals = literals->content;
  }
  kernel.bounds = bounds_of(function.info);
  return kernel;
}

// Literals of the functions by the section of their code; those of all functions where a function has none.
std::vector<const CubinSection*> literals_by_code(const Cubin& cubin) {
  const CubinSection* of_all = nullptr;
  std::vector<const CubinSection*> found(cubin.sections().size(), nullptr);
  for (const CubinSection& section : cubin.sections()) {
    if (section.kind != CubinSection::Kind::kConstant || section.bank != kLiterals) {
      continue;
    }
    const CubinSection*& place = section.code == CubinSection::kNone ? of_all : found[section.code];
    place = place == nullptr || section.code == CubinSection::kNone ? &section : place;
  }
  std::ranges::replace(found, static_cast<const CubinSection*>(nullptr), of_all);
  return found;
}

// The relocations that wait for addresses, by section and offset.
class AddressTable {
 public:
  AddressTable(const Cubin& cubin, const CubinPlaces& places)
      : cubin_(cubin), places_(places), relocations_(cubin.sections().size()) {
    for (const sass::CubinRelocation& relocation : cubin.relocations()) {
      relocations_[relocation.section].push_back(&relocation);
    }
    for (std::vector<const sass::CubinRelocation*>& each : relocations_) {
      std::ranges::stable_sort(each, {}, &sass::CubinRelocation::offset);
    }
  }

  // Addresses in a part of a section, by offsets from its start. Throws InvalidCubin.
  std::vector<MachineAddress> in(std::uint32_t section, std::uint64_t begin, std::uint64_t bytes) const {
    std::vector<MachineAddress> addresses;
    const std::vector<const sass::CubinRelocation*>& all = relocations_[section];
    for (auto each = std::ranges::lower_bound(all, begin, {}, &sass::CubinRelocation::offset);
         each != all.end() && (*each)->offset - begin < bytes; ++each) {
      addresses.push_back(address(**each, begin));
    }
    return addresses;
  }

 private:
  MachineAddress address(const sass::CubinRelocation& relocation, std::uint64_t begin) const {
    const auto fail = [&](const std::string& what) {
      throw sass::InvalidCubin(fmt::format("{}: section {}, offset {:#x}: {}", cubin_.name(),
                                           cubin_.sections()[relocation.section].name, relocation.offset, what));
    };
    const std::uint64_t offset = relocation.offset - begin;
    if (relocation.type->bytes != sizeof(std::uint64_t) || offset % sizeof(std::uint64_t) != 0) {
      fail(fmt::format("{}; expected an address of 8 bytes", relocation.type->name));
    }
    CubinPlace place;
    try {
      place = places_.place_of(relocation);
    } catch (const UndefinedSymbol&) {
      // Zero: kernels that use it are refused.
    } catch (const UserError& error) {
      fail(error.what());
    }
    return {offset, place.variable, place.value};
  }

  const Cubin& cubin_;
  const CubinPlaces& places_;
  std::vector<std::vector<const sass::CubinRelocation*>> relocations_;
};

void add_addresses(const Cubin& cubin, const AddressTable& table, MachineModule& module) {
  for (std::size_t i = 0; i < cubin.sections().size(); ++i) {
    const CubinSection& section = cubin.sections()[i];
    if (section.kind != CubinSection::Kind::kConstant || section.bank != kAddresses) {
      continue;
    }
    constexpr std::uint64_t kWord = 8;
    module.address_bytes = (section.bytes + kWord - 1) / kWord * kWord;
    module.addresses = table.in(static_cast<std::uint32_t>(i), 0, section.bytes);
  }
}

void add_constants(const Cubin& cubin, const AddressTable& table, MachineModule& module) {
  for (std::size_t i = 0; i < cubin.sections().size(); ++i) {
    const CubinSection& section = cubin.sections()[i];
    if (section.kind == CubinSection::Kind::kConstant && section.bank == kConstantsOfModule) {
      module.constants.assign(section.bytes, std::byte{0});
      std::ranges::copy(section.content, module.constants.begin());
      module.constant_addresses = table.in(static_cast<std::uint32_t>(i), 0, section.bytes);
    }
  }
}

std::vector<const SystemFunction*> used_system_functions(const Cubin& cubin, const CubinPlaces& places) {
  std::set<std::string_view> names;
  for (const sass::CubinSymbol& symbol : cubin.symbols()) {
    if (symbol.section == CubinSection::kNone || places.is_replaced(symbol)) {
      names.insert(symbol.name);
    }
  }
  std::vector<const SystemFunction*> used = all_system_functions();
  std::erase_if(used, [&](const SystemFunction* function) { return !names.contains(function->name); });
  return used;
}

MachineModule module_with_places(const Cubin& cubin, const CubinPlaces& places) {
  MachineModule module;
  module.file = cubin.name();
  module.architecture = cubin.architecture();
  module.virtual_architecture = cubin.virtual_architecture();
  module.system_functions = used_system_functions(cubin, places);
  const AddressTable table(cubin, places);
  add_constants(cubin, table, module);
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
         table.in(variable.section, variable.offset, variable.bytes),
         cubin.symbols()[variable.symbol].is_managed});
  }
  add_addresses(cubin, table, module);
  module.source_files = cubin.lines().files;
  const std::vector<const CubinSection*> literals = literals_by_code(cubin);
  for (const CubinFunction& function : cubin.functions()) {
    if (function.is_kernel) {
      check_externals(cubin, function);
      module.kernels.push_back(kernel_of(cubin, function, literals[function.section]));
    }
  }
  return module;
}

Cubin linked_cubin(std::span<const std::byte> bytes, const std::string& file) {
  Cubin cubin(bytes, file);
  if (!cubin.is_relocatable()) {
    return cubin;
  }
  const sass::LinkInput alone[] = {{bytes, file}};
  const std::string linked = sass::link_cubins(alone, is_system_function, file);
  return {std::as_bytes(std::span(linked)), file};
}

// A cubin whose kernels get their code when they are needed.
class CubinKernels {
 public:
  CubinKernels(std::span<const std::byte> bytes, const std::string& file) : cubin_(linked_cubin(bytes, file)) {
    for (const CubinFunction& function : cubin_.functions()) {
      if (function.is_kernel) {
        kernels_.push_back(&function);
      }
    }
  }

  MachineModule module() const { return module_with_places(cubin_, places_); }

  void complete(std::uint32_t number, MachineKernel& kernel) const {
    const CubinFunction& function = *kernels_[number];
    kernel.functions_begin = functions_begin(cubin_, function);
    try {
      kernel.code = reachable_.of(function);
    } catch (const UserError& error) {
      kernel.refusal = error.what();
      return;
    }
    for (const std::uint32_t symbol : function.info.externals) {
      // With launches from kernels the list also has kernels, and what only the device runtime calls.
      const std::string& name = cubin_.symbols()[symbol].name;
      const bool is_defined = cubin_.symbols()[symbol].section != CubinSection::kNone;
      const bool never_reached = places_.has_device_runtime() && serves_device_runtime(name);
      if (!is_defined && !is_system_function(name) && !never_reached) {
        kernel.refusal = fmt::format("it calls '{}', which is not supported", name);
        return;
      }
    }
  }

 private:
  const Cubin cubin_;
  const CubinPlaces places_{cubin_};
  const ReachableCode reachable_{cubin_, places_};
  std::vector<const CubinFunction*> kernels_;  // in their order in the module
};

}  // namespace

MachineModule machine_module_of(const Cubin& cubin) {
  return module_with_places(cubin, CubinPlaces(cubin));
}

std::unique_ptr<ptx::Module> module_of_cubin(std::span<const std::byte> bytes, const std::string& file) {
  const auto kernels = std::make_shared<const CubinKernels>(bytes, file);
  return lifted_module(kernels->module(),
                       [kernels](std::uint32_t number, MachineKernel& kernel) { kernels->complete(number, kernel); });
}

std::unique_ptr<ptx::Module> module_of_code(std::string_view code, const std::string& file) {
  const auto bytes = std::as_bytes(std::span(code));
  return sass::is_cubin(bytes) ? module_of_cubin(bytes, file) : ptx::parse_module(code, file);
}

}  // namespace warpsim
