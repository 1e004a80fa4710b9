#include "cuda/code/fat_binary.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace warpsim::cuda {

namespace {

constexpr std::uint16_t kVersion = 1;
constexpr std::uint64_t kContainerHeaderBytes = 16;
constexpr std::uint64_t kEntryHeaderBytes = 64;
constexpr std::uint16_t kKindPtx = 1;
constexpr std::uint16_t kKindElf = 2;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagThisCapability = 0x10'0000;
constexpr std::uint64_t kFlagFamily = 0x20'0000;
constexpr std::uint64_t kMostExpanded = 1ULL << 30;  // of one entry
constexpr std::uint32_t kFamily = 10;

template <class T>
T field(std::span<const std::byte> bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

[[noreturn]] void fail(std::uint64_t offset, const std::string& what) {
  throw InvalidFatBinary(fmt::format("fat binary, offset {}: {}", offset, what));
}

// `at`: of the entry in the container.
FatBinaryEntry read_entry(std::span<const std::byte> bytes, std::uint64_t at, std::uint64_t& next) {
  const std::uint64_t rest = bytes.size() - at;
  if (rest < kEntryHeaderBytes) {
    fail(at, fmt::format("an entry's header of {} bytes expected, {} are left", kEntryHeaderBytes, rest));
  }
  const std::span<const std::byte> header = bytes.subspan(at);
  const std::uint64_t header_bytes = field<std::uint32_t>(header, 4);
  const std::uint64_t stored_bytes = field<std::uint64_t>(header, 8);
  const std::uint64_t compressed_bytes = field<std::uint32_t>(header, 16);
  const std::uint64_t flags = field<std::uint64_t>(header, 40);
  if (header_bytes < kEntryHeaderBytes || header_bytes > rest) {
    fail(at, fmt::format("size of an entry's header is {}, expected {} to {}", header_bytes, kEntryHeaderBytes, rest));
  }
  if (stored_bytes > rest - header_bytes) {
    fail(at, fmt::format("an entry of {} bytes, but only {} are left", stored_bytes, rest - header_bytes));
  }
  FatBinaryEntry entry;
  const std::uint16_t kind = field<std::uint16_t>(header, 0);
  entry.kind = kind == kKindPtx   ? FatBinaryEntry::Kind::kPtx
               : kind == kKindElf ? FatBinaryEntry::Kind::kMachineCode
                                  : FatBinaryEntry::Kind::kOther;
  entry.target = field<std::uint32_t>(header, 28);
  entry.suffix = (flags & kFlagThisCapability) != 0 ? 'a' : (flags & kFlagFamily) != 0 ? 'f' : '\0';
  entry.payload = header.subspan(header_bytes, stored_bytes);
  if ((flags & (kFlagLz4 | kFlagZstd)) != 0) {
    entry.compression =
        (flags & kFlagLz4) != 0 ? FatBinaryEntry::Compression::kLz4 : FatBinaryEntry::Compression::kZstd;
    entry.uncompressed_bytes = field<std::uint64_t>(header, 56);
    if (compressed_bytes > stored_bytes) {
      fail(at, fmt::format("{} compressed bytes in an entry of {}", compressed_bytes, stored_bytes));
    }
    entry.payload = entry.payload.first(compressed_bytes);
  }
  next = at + header_bytes + stored_bytes;
  return entry;
}

std::string expand(const FatBinaryEntry& entry) {
  const char* const stored = reinterpret_cast<const char*>(entry.payload.data());
  if (entry.compression == FatBinaryEntry::Compression::kNone) {
    return {stored, entry.payload.size()};
  }
  if (entry.uncompressed_bytes > kMostExpanded) {
    throw InvalidFatBinary(fmt::format("fat binary: the header of {} says {} bytes, the limit is {}",
                                       target_name(entry), entry.uncompressed_bytes, kMostExpanded));
  }
  std::string text(entry.uncompressed_bytes, '\0');
  bool whole = false;
  if (entry.compression == FatBinaryEntry::Compression::kLz4) {
    const int bytes =
        LZ4_decompress_safe(stored, text.data(), static_cast<int>(entry.payload.size()), static_cast<int>(text.size()));
    whole = bytes >= 0 && static_cast<std::size_t>(bytes) == text.size();
  } else {
    whole = ZSTD_decompress(text.data(), text.size(), stored, entry.payload.size()) == text.size();
  }
  if (!whole) {
    throw InvalidFatBinary("fat binary: the compressed " + target_name(entry) + " is damaged");
  }
  return text;
}

std::string list_targets(std::span<const FatBinaryEntry> entries) {
  std::string list;
  for (const FatBinaryEntry& entry : entries) {
    if (entry.kind != FatBinaryEntry::Kind::kOther) {
      list += (list.empty() ? "" : ", ") + target_name(entry);
    }
  }
  return list.empty() ? "nothing" : list;
}

}  // namespace

std::string target_name(const FatBinaryEntry& entry) {
  std::string name = entry.kind == FatBinaryEntry::Kind::kPtx ? "compute_" : "sm_";
  name += std::to_string(entry.target);
  if (entry.suffix != 0) {
    name += entry.suffix;
  }
  return name;
}

bool is_fat_binary(std::span<const std::byte> bytes) {
  return bytes.size() >= kContainerHeaderBytes && field<std::uint32_t>(bytes, 0) == kFatBinaryMagic;
}

std::uint64_t fat_binary_bytes(std::span<const std::byte> header) {
  if (!is_fat_binary(header)) {
    fail(0, fmt::format("a container's header with the number {:#x} expected", kFatBinaryMagic));
  }
  if (field<std::uint16_t>(header, 4) != kVersion || field<std::uint16_t>(header, 6) != kContainerHeaderBytes) {
    fail(4, fmt::format("version 1 with a header of {} bytes expected, found version {} with {}", kContainerHeaderBytes,
                        field<std::uint16_t>(header, 4), field<std::uint16_t>(header, 6)));
  }
  const std::uint64_t entries = field<std::uint64_t>(header, 8);
  return entries > UINT64_MAX - kContainerHeaderBytes ? UINT64_MAX : entries + kContainerHeaderBytes;
}

std::vector<FatBinaryEntry> read_fat_binary(std::span<const std::byte> bytes) {
  const std::uint64_t size = fat_binary_bytes(bytes);
  if (size > bytes.size()) {
    fail(8, fmt::format("a container of {} bytes, but there are only {}", size, bytes.size()));
  }
  bytes = bytes.first(size);
  std::vector<FatBinaryEntry> entries;
  for (std::uint64_t at = kContainerHeaderBytes; at < bytes.size();) {
    entries.push_back(read_entry(bytes, at, at));
  }
  return entries;
}

std::string ptx_text(const FatBinaryEntry& entry) {
  std::string text = expand(entry);
  text.resize(std::min(text.find('\0'), text.size()));  // entries are padded with zeros
  return text;
}

std::vector<std::byte> machine_code(const FatBinaryEntry& entry) {
  if (entry.kind != FatBinaryEntry::Kind::kMachineCode) {
    throw InvalidFatBinary("fat binary: machine code expected, the entry is " + target_name(entry));
  }
  const std::string expanded = expand(entry);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(expanded));
  return {bytes.begin(), bytes.end()};
}

bool runs_on(const FatBinaryEntry& entry, std::uint32_t capability) {
  if (entry.suffix == 'a') {
    return entry.target == capability;
  }
  if (entry.suffix == 'f' && entry.target / kFamily != capability / kFamily) {
    return false;
  }
  return entry.target <= capability;
}

bool has_usable_ptx(std::span<const FatBinaryEntry> entries, std::uint32_t capability, bool force_target) {
  return std::ranges::any_of(entries, [&](const FatBinaryEntry& entry) {
    return entry.kind == FatBinaryEntry::Kind::kPtx && (force_target || runs_on(entry, capability));
  });
}

const FatBinaryEntry* choose_machine_code(std::span<const FatBinaryEntry> entries, std::uint32_t capability) {
  const FatBinaryEntry* best = nullptr;
  for (const FatBinaryEntry& entry : entries) {
    const bool fits = entry.kind == FatBinaryEntry::Kind::kMachineCode && runs_on(entry, capability) &&
                      entry.target / kFamily == capability / kFamily;
    if (fits && (best == nullptr || entry.target > best->target)) {
      best = &entry;
    }
  }
  return best;
}

const FatBinaryEntry* choose_code_of_others(std::span<const FatBinaryEntry> entries) {
  constexpr std::uint32_t kFirst = 70;
  constexpr std::uint32_t kLast = 90;
  const FatBinaryEntry* best = nullptr;
  for (const FatBinaryEntry& entry : entries) {
    const bool is_known =
        entry.kind == FatBinaryEntry::Kind::kMachineCode && entry.target >= kFirst && entry.target <= kLast;
    best = is_known && (best == nullptr || entry.target > best->target) ? &entry : best;
  }
  return best;
}

NoUsableCode no_machine_code(std::span<const FatBinaryEntry> entries, std::uint32_t capability) {
  return NoUsableCode(
      fmt::format("the program has no machine code for compute capability {0}.{1} (it holds {2}); compile it with "
                  "-gencode arch=compute_{0}{1},code=sm_{0}{1}, or do not ask for machine code (--code)",
                  capability / kFamily, capability % kFamily, list_targets(entries)));
}

const FatBinaryEntry& choose_ptx(std::span<const FatBinaryEntry> entries, std::uint32_t capability, bool force_target) {
  const FatBinaryEntry* best = nullptr;
  const FatBinaryEntry* forced = nullptr;
  bool any = false;
  for (const FatBinaryEntry& entry : entries) {
    if (entry.kind != FatBinaryEntry::Kind::kPtx) {
      continue;
    }
    any = true;
    const bool fits = runs_on(entry, capability);
    // Architecture-specific code can use more features.
    if (fits &&
        (best == nullptr || entry.target > best->target || (entry.target == best->target && entry.suffix == 'a'))) {
      best = &entry;
    }
    if (!fits && (forced == nullptr || entry.target < forced->target)) {
      forced = &entry;
    }
  }
  if (best == nullptr && force_target) {
    best = forced;
  }
  if (best != nullptr) {
    return *best;
  }
  const std::string held = "it holds " + list_targets(entries);
  if (!any) {
    throw NoUsablePtx(
        fmt::format("the program has no PTX for the simulated GPU to run ({0}); compile it with "
                    "-gencode arch=compute_{1},code=compute_{1}",
                    held, capability));
  }
  throw NoUsablePtx(
      fmt::format("the program has no PTX for compute capability {0}.{1} ({2}); compile it with "
                  "-gencode arch=compute_{0}{1},code=compute_{0}{1}, or run the existing PTX with --force-target",
                  capability / kFamily, capability % kFamily, held));
}

}  // namespace warpsim::cuda
