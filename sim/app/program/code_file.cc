#include "app/program/code_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/input_file.h"
#include "sass/cubin.h"
#include "sass/elf_image.h"

namespace warpsim {

namespace {

constexpr const char* kExpected = "a cubin, a fat binary, or an ELF file with a section .nv_fatbin";

bool holds_fat_binaries(std::string_view section) {
  return section == ".nv_fatbin" || section == "__nv_relfatbin";
}

}  // namespace

CodeFile::CodeFile(const std::string& path) : path_(path), content_(require_input(path, kExpected)) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(content_));
  if (sass::is_cubin(bytes)) {
    const std::uint32_t architecture = sass::Cubin(bytes, path).architecture();
    entries_.push_back({.place = path,
                        .target = fmt::format("sm_{}", architecture),
                        .architecture = architecture,
                        .cubin = bytes,
                        .packed = {}});
  } else if (cuda::is_fat_binary(bytes)) {
    read_containers(bytes, 0);
  } else if (sass::is_elf_image(bytes)) {
    bool found = false;
    const sass::ElfImage image(bytes, path);
    for (const sass::ElfSection& section : image.sections()) {
      if (holds_fat_binaries(section.name)) {
        found = true;
        read_containers(section.bytes, section.offset);
      }
    }
    if (!found) {
      throw UserError(path + ": an ELF file without a section .nv_fatbin; expected " + kExpected);
    }
  } else {
    throw UserError(
        fmt::format("{}: offset 0: not an ELF file of 64 bits and not a fat binary; expected {}", path, kExpected));
  }
}

// Containers follow each other, with zeros between them.
void CodeFile::read_containers(std::span<const std::byte> bytes, std::uint64_t offset) {
  constexpr std::size_t kAlignment = 8;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::span<const std::byte> rest = bytes.subspan(at);
    if (rest.front() == std::byte{0}) {
      at += std::min(rest.size(), kAlignment);
      continue;
    }
    try {
      const std::span<const std::byte> container =
          rest.first(std::min<std::uint64_t>(rest.size(), cuda::fat_binary_bytes(rest)));
      std::size_t number = 0;
      for (const cuda::FatBinaryEntry& entry : cuda::read_fat_binary(container)) {
        const std::string target = cuda::target_name(entry);
        if (entry.kind == cuda::FatBinaryEntry::Kind::kMachineCode) {
          entries_.push_back(
              {.place = fmt::format("{}: fat binary at {:#x}, entry {} ({})", path_, offset + at, number, target),
               .target = target,
               .architecture = entry.target,
               .cubin = {},
               .packed = entry});
        } else if (entry.kind == cuda::FatBinaryEntry::Kind::kPtx) {
          others_.push_back(target);
        }
        ++number;
      }
      at += container.size();
    } catch (const cuda::InvalidFatBinary& error) {
      throw UserError(fmt::format("{}: at {:#x}: {}", path_, offset + at, error.what()));
    }
    at = (at + kAlignment - 1) / kAlignment * kAlignment;
  }
}

std::vector<std::byte> CodeFile::cubin_of(const CodeEntry& entry) {
  if (!entry.packed) {
    return {entry.cubin.begin(), entry.cubin.end()};
  }
  try {
    return cuda::machine_code(*entry.packed);
  } catch (const cuda::InvalidFatBinary& error) {
    throw UserError(entry.place + ": " + error.what());
  }
}

}  // namespace warpsim
