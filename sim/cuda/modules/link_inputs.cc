#include "cuda/modules/link_inputs.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <string_view>

#include "cuda/code/fat_binary.h"
#include "sass/cubin.h"
#include "sass/elf_image.h"

namespace warpsim::cuda {

namespace {

// Containers one after another, as linkers of the host put them.
std::vector<FatBinaryEntry> entries_of_section(std::span<const std::byte> bytes) {
  constexpr std::size_t kHeaderBytes = 16;
  std::vector<FatBinaryEntry> entries;
  while (is_fat_binary(bytes) && bytes.size() >= kHeaderBytes) {
    const std::uint64_t size = fat_binary_bytes(bytes.first(kHeaderBytes));
    const std::vector<FatBinaryEntry> more = read_fat_binary(bytes);
    entries.insert(entries.end(), more.begin(), more.end());
    bytes = bytes.subspan(std::min<std::uint64_t>(size, bytes.size()));
  }
  return entries;
}

LinkUnit unit_of_entries(std::span<const FatBinaryEntry> entries, const std::string& name, std::uint32_t capability) {
  LinkUnit unit;
  unit.name = name;
  if (const FatBinaryEntry* const machine = choose_machine_code(entries, capability)) {
    const std::vector<std::byte> bytes = machine_code(*machine);
    if (sass::Cubin(bytes, name).is_relocatable()) {
      unit.cubin.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  }
  if (has_usable_ptx(entries, capability, false)) {
    unit.ptx = ptx_text(choose_ptx(entries, capability, false));
  }
  return unit;
}

void require_code(const LinkUnit& unit, std::uint32_t capability) {
  if (unit.cubin.empty() && unit.ptx.empty()) {
    throw InvalidLinkInput(
        fmt::format("{}: neither relocatable machine code (nvcc -rdc=true) nor PTX for compute "
                    "capability {}.{}",
                    unit.name, capability / 10, capability % 10));
  }
}

bool has_device_code(const sass::ElfSection& section) {
  return section.name == "__nv_relfatbin" || section.name == ".nv_fatbin";
}

// A host object without device code has an empty unit.
LinkUnit unit_in_object(std::span<const std::byte> bytes, const std::string& name, std::uint32_t capability) {
  std::vector<FatBinaryEntry> entries;
  const sass::ElfImage object(bytes, name);
  for (const sass::ElfSection& section : object.sections()) {
    if (has_device_code(section)) {
      const std::vector<FatBinaryEntry> more = entries_of_section(section.bytes);
      entries.insert(entries.end(), more.begin(), more.end());
    }
  }
  return unit_of_entries(entries, name, capability);
}

}  // namespace

LinkUnit unit_of_cubin(std::span<const std::byte> bytes, const std::string& name) {
  if (!sass::is_cubin(bytes)) {
    throw InvalidLinkInput(name + ": no cubin; a relocatable one is expected (nvcc -rdc=true -cubin)");
  }
  return {.name = name, .cubin = {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, .ptx = {}};
}

LinkUnit unit_of_fat_binary(std::span<const std::byte> bytes, const std::string& name, std::uint32_t capability) {
  LinkUnit unit = unit_of_entries(read_fat_binary(bytes), name, capability);
  require_code(unit, capability);
  return unit;
}

LinkUnit unit_of_object(std::span<const std::byte> bytes, const std::string& name, std::uint32_t capability) {
  if (sass::is_cubin(bytes)) {
    return unit_of_cubin(bytes, name);
  }
  LinkUnit unit = unit_in_object(bytes, name, capability);
  require_code(unit, capability);
  return unit;
}

std::vector<LinkUnit> units_of_library(std::span<const std::byte> bytes, const std::string& name,
                                       std::uint32_t capability) {
  constexpr std::string_view kMagic = "!<arch>\n";
  constexpr std::size_t kHeaderBytes = 60;
  constexpr std::size_t kSizeAt = 48;
  constexpr std::size_t kSizeDigits = 10;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) {
    throw InvalidLinkInput(name + ": offset 0: no archive; a library of host objects is expected");
  }
  std::vector<LinkUnit> units;
  for (std::size_t at = kMagic.size(); at < text.size();) {
    if (text.size() - at < kHeaderBytes) {
      throw InvalidLinkInput(fmt::format("{}: offset {:#x}: the archive ends within the header of a member", name, at));
    }
    const std::string_view digits = text.substr(at + kSizeAt, kSizeDigits);
    std::size_t size = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (read.ec != std::errc{} || size > text.size() - at - kHeaderBytes) {
      throw InvalidLinkInput(fmt::format("{}: offset {:#x}: a member of '{}' bytes; {} are left", name, at + kSizeAt,
                                         digits, text.size() - at - kHeaderBytes));
    }
    const std::span<const std::byte> member = bytes.subspan(at + kHeaderBytes, size);
    const std::string member_name = fmt::format("{} (member at {:#x})", name, at);
    if (sass::is_cubin(member)) {
      units.push_back(unit_of_cubin(member, member_name));
    } else if (sass::is_elf_image(member)) {
      LinkUnit unit = unit_in_object(member, member_name, capability);
      if (!unit.cubin.empty() || !unit.ptx.empty()) {
        units.push_back(std::move(unit));
      }
    }
    at += kHeaderBytes + size + size % 2;
  }
  return units;
}

}  // namespace warpsim::cuda
