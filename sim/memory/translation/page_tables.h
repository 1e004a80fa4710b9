// Where the entries of page tables are in memory.
//
// Modelled: one array for each level, in a part of the window of page tables (code_window.h). The entry of a page, or
// of what a table of the level below covers, is at its number in the address space, so entries of neighbours share
// sectors. A table has 4 KiB, its entries 8 bytes; those of the lowest level have as many as the description says. Not
// modelled: tables of a tree that lie apart (entries of one table have the same places, tables of neighbours follow one
// another), pages that are not mapped. Evidence: NVIDIA open-gpu-doc, Pascal MMU format, and NVIDIA
// open-gpu-kernel-modules, kern_gmmu_fmt_gh10x.c: directories of 512 entries of 8 bytes, and of 256 entries of 16
// bytes, where pages of 2 MiB end. State: none.
#pragma once

#include <bit>
#include <cstdint>

#include "memory/code_window.h"
#include "memory/translation/translation_config.h"

namespace warpsim {

class PageTables {
 public:
  explicit PageTables(const TranslationConfig& config)
      : entry_bytes_(config.tables.entry_bytes),
        page_bits_(10 + static_cast<std::uint32_t>(std::countr_zero(config.page_kib))) {}

  // The entry that a walk for the address reads. Level 0: of its page, 1 and more: of directories, upwards.
  Address entry(std::uint32_t level, Address address) const {
    const std::uint32_t entry_bytes = level == 0 ? entry_bytes_ : kDirectoryEntryBytes;
    const std::uint32_t bits = level == 0 ? page_bits_ : page_bits_ + bits_of(entry_bytes_) + directory_bits(level - 1);
    const std::uint64_t number = bits < 64 ? address >> bits : 0;
    return kPageTableWindow + level * kPageTableLevelBytes + number * entry_bytes;
  }

 private:
  static constexpr std::uint32_t kTableBytes = 4096;
  static constexpr std::uint32_t kDirectoryEntryBytes = 8;
  // Of an address, which choose the entry of a table.
  static std::uint32_t bits_of(std::uint32_t entry_bytes) {
    return static_cast<std::uint32_t>(std::countr_zero(kTableBytes / entry_bytes));
  }
  static std::uint32_t directory_bits(std::uint32_t levels) { return levels * bits_of(kDirectoryEntryBytes); }

  std::uint32_t entry_bytes_;
  std::uint32_t page_bits_;
};

}  // namespace warpsim
