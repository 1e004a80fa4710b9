#include "emulator/code/module_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "emulator/code/kernel_address.h"
#include "emulator/memory/generic_address.h"
#include "ptx/parser.h"

namespace warpsim {

namespace {

constexpr Address kFunctionBytes = 16;  // distance of function addresses

bool is_in_memory(const ptx::Variable& variable) {
  return variable.space == ptx::StateSpace::kGlobal || variable.space == ptx::StateSpace::kConstant ||
         variable.space == ptx::StateSpace::kTexture;
}

}  // namespace

Address ModuleImage::function_address(std::uint32_t function) const {
  if (module_->functions[function].is_entry) {
    return kernel_address(function);
  }
  return kFunctionWindow + kFunctionBytes * (Address{function} + 1);
}

std::int32_t ModuleImage::function_at(Address address) const {
  const Address number = (address - kFunctionWindow) / kFunctionBytes - 1;
  const bool is_one = is_in(kFunctionWindow, address) && (address - kFunctionWindow) % kFunctionBytes == 0;
  return is_one && number < module_->functions.size() ? static_cast<std::int32_t>(number) : -1;
}

ModuleImage::ModuleImage(std::unique_ptr<ptx::Module> module, DeviceMemory& memory,
                         std::shared_ptr<ManagedVariables> managed)
    : module_(std::move(module)), memory_(&memory), managed_(std::move(managed)) {
  for (const ptx::Variable& variable : module_->variables) {
    addresses_.push_back(is_in_memory(variable) ? place(variable) : 0);
  }
  for (const ptx::Function& function : module_->functions) {
    std::vector<Address>& places = local_addresses_.emplace_back();
    for (const ptx::Variable& variable : function.variables) {
      places.push_back(is_in_memory(variable) ? place(variable) : 0);
    }
  }
  // Initial values hold addresses of variables that may come later.
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    if (addresses_[i] != 0 && !known_before_.contains(addresses_[i])) {
      initialise(module_->variables[i], addresses_[i]);
    }
  }
  for (std::size_t f = 0; f < local_addresses_.size(); ++f) {
    for (std::size_t i = 0; i < local_addresses_[f].size(); ++i) {
      if (local_addresses_[f][i] != 0) {
        initialise(module_->functions[f].variables[i], local_addresses_[f][i]);
      }
    }
  }
}

ModuleImage::ModuleImage(std::unique_ptr<ptx::Module> kernel, const ModuleImage& variables)
    : module_(std::move(kernel)), memory_(nullptr) {
  for (const ptx::Variable& variable : module_->variables) {
    const ptx::Variable* const found = variables.module().find_variable(variable.name);
    if (found == nullptr) {
      throw ptx::PtxError(fmt::format("{}: there is no variable {}", module_->file, variable.name));
    }
    addresses_.push_back(variables.addresses_[static_cast<std::size_t>(found - variables.module().variables.data())]);
  }
  for (const ptx::Function& function : module_->functions) {
    local_addresses_.emplace_back(function.variables.size(), 0);
  }
}

ModuleImage::~ModuleImage() {
  if (memory_ == nullptr) {
    return;
  }
  const auto release = [this](Address address) {
    if (address != 0 && !not_own_.contains(address)) {
      memory_->release(address);
    }
  };
  std::ranges::for_each(addresses_, release);
  for (const std::vector<Address>& places : local_addresses_) {
    std::ranges::for_each(places, release);
  }
}

Address ModuleImage::place(const ptx::Variable& variable) {
  if (variable.linkage == ptx::Linkage::kExtern) {
    throw ptx::PtxError(fmt::format("{}:{}:{}: variable {} is external, and modules are not linked", module_->file,
                                    variable.place.line, variable.place.column, variable.name));
  }
  const std::string name(variable.name);
  const Address address = variable.managed && memory_->has_managed()
                              ? place_managed(variable)
                              : memory_->allocate(variable.bytes(), variable.alignment, name);
  if (address == 0) {
    throw std::bad_alloc();
  }
  return address;
}

Address ModuleImage::place_managed(const ptx::Variable& variable) {
  const std::string name(variable.name);
  if (const Address known = managed_ == nullptr ? 0 : managed_->find(name); known != 0) {
    not_own_.insert(known);
    known_before_.insert(known);
    return known;
  }
  const Address address = memory_->allocate_managed(variable.bytes(), variable.alignment, name);
  if (managed_ != nullptr && address != 0) {
    managed_->add(name, *memory_, address);
    not_own_.insert(address);
  }
  return address;
}

void ModuleImage::initialise(const ptx::Variable& variable, Address address) {
  std::byte* const host = memory_->host(address, 0);
  const std::uint32_t bytes = bytes_of(variable.type);
  for (std::size_t i = 0; i < variable.initial.size(); ++i) {
    const ptx::InitialValue& value = variable.initial[i];
    std::uint64_t bits = value.bits;
    if (value.symbol >= 0) {
      const ptx::Symbol& symbol = module_->symbols[static_cast<std::size_t>(value.symbol)];
      const bool is_function = symbol.kind == ptx::Symbol::Kind::kFunction;
      bits += is_function ? function_address(symbol.number) : addresses_[symbol.number];
    }
    if (value.byte_of_mask != 0) {
      bits = bits >> (8U * (value.byte_of_mask - 1U)) & 0xffU;
    }
    std::memcpy(host + i * bytes, &bits, bytes);
  }
  std::copy(variable.content.begin(), variable.content.end(), host);
  for (const ptx::ContentAddress& each : variable.addresses) {
    const Address value = addresses_[each.variable] + each.offset;
    std::memcpy(host + each.at, &value, sizeof value);
  }
}

}  // namespace warpsim
