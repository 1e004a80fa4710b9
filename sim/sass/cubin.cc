#include "sass/cubin.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "sass/cubin_reader.h"

namespace warpsim::sass {

namespace {

constexpr std::size_t kMachineOffset = 18;  // in the ELF header

}  // namespace

bool is_cubin(std::span<const std::byte> bytes) {
  std::uint16_t machine = 0;
  if (!is_elf_image(bytes) || bytes.size() < kMachineOffset + sizeof machine) {
    return false;
  }
  std::memcpy(&machine, bytes.data() + kMachineOffset, sizeof machine);
  return machine == kCubinMachine;
}

Cubin::Cubin(std::span<const std::byte> bytes, std::string name) : name_(std::move(name)) {
  CubinReader(ElfImage(bytes, name_), *this).read();
}

std::uint32_t Cubin::reserved_shared_bytes() const {
  constexpr std::uint32_t kFirstWithReserved = 90;
  constexpr std::uint32_t kReserved = 1024;
  return architecture_ >= kFirstWithReserved ? kReserved : 0;
}

const CubinFunction* Cubin::find_function(std::string_view name) const {
  for (const CubinFunction& function : functions_) {
    if (function.name == name) {
      return &function;
    }
  }
  return nullptr;
}

std::span<const std::byte> Cubin::code(const CubinFunction& function) const {
  return std::span(sections_[function.section].content).subspan(function.offset, function.bytes);
}

const CubinSection* Cubin::constant_bank(const CubinFunction& function, std::uint32_t bank) const {
  const CubinSection* of_all = nullptr;
  for (const CubinSection& section : sections_) {
    if (section.kind != CubinSection::Kind::kConstant || section.bank != bank) {
      continue;
    }
    if (section.code == function.section) {
      return &section;
    }
    if (section.code == CubinSection::kNone) {
      of_all = &section;
    }
  }
  return of_all;
}

std::span<const std::byte> Cubin::initial_bytes(const CubinVariable& variable) const {
  const std::vector<std::byte>& content = sections_[variable.section].content;
  return content.empty() ? std::span<const std::byte>() : std::span(content).subspan(variable.offset, variable.bytes);
}

void Cubin::store(const CubinRelocation& relocation, std::uint64_t address) {
  CubinSection& section = sections_[relocation.section];
  const std::span<std::byte> place = std::span(section.content).subspan(relocation.offset, relocation.type->bytes);
  const std::uint64_t value = address + relocation.addend;
  if (!store_value(*relocation.type, value, place)) {
    throw InvalidCubin(fmt::format(
        "{}: section {}, offset {:#x}: {} with the value {:#x} of symbol {}; expected a value "
        "that fits into the place",
        name_, section.name, relocation.offset, relocation.type->name, value, symbols_[relocation.symbol].name));
  }
}

void Cubin::apply_relocations(const AddressOf& address_of) {
  if (is_relocatable_) {
    throw InvalidCubin(name_ + ": relocatable code (nvcc -rdc=true); expected code that nvlink has linked");
  }
  for (const CubinRelocation& relocation : relocations_) {
    store(relocation, address_of(symbols_[relocation.symbol]));
  }
}

}  // namespace warpsim::sass
