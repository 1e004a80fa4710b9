#include "sass/cubin_reader.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "sass/cubin_lines.h"
#include "sass/cubin_notes.h"
#include "sass/info_attributes.h"
#include "sass/instruction_word.h"

namespace warpsim::sass {

namespace {

constexpr std::uint32_t kNone = CubinSection::kNone;
constexpr std::uint32_t kFirstArchitecture = 70;
constexpr std::uint32_t kLastArchitecture = 90;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;  // of global memory in one section

using SectionKind = CubinSection::Kind;

struct SectionName {
  SectionKind kind = SectionKind::kCode;
  std::uint32_t bank = 0;
};

// Nothing for a section that is not memory of a program.
std::optional<SectionName> classify(std::string_view name) {
  constexpr std::string_view kConstant = ".nv.constant";
  if (name.starts_with(".text.")) {
    return SectionName{SectionKind::kCode, 0};
  }
  if (name.starts_with(kConstant)) {
    const std::string_view rest = name.substr(kConstant.size());
    SectionName found{SectionKind::kConstant, 0};
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), found.bank);
    const bool whole = error == std::errc{} && (end == rest.data() + rest.size() || *end == '.');
    return whole ? std::optional(found) : std::nullopt;
  }
  if (name == ".nv.global" || name == ".nv.global.init") {
    return SectionName{SectionKind::kGlobal, 0};
  }
  // The second one: variables that belong to no kernel, which a linker places.
  if (name.starts_with(".nv.shared.") || name == ".nv_debug.shared") {
    return SectionName{SectionKind::kShared, 0};
  }
  if (name.starts_with(".nv.local.")) {
    return SectionName{SectionKind::kLocal, 0};
  }
  return std::nullopt;
}

CubinSymbol::Kind kind_of(const ElfSymbol& symbol) {
  constexpr std::uint8_t kTexture = 10;
  constexpr std::uint8_t kSurface = 12;
  constexpr std::uint8_t kObject = 13;  // of relocatable cubins
  if (symbol.type == STT_FUNC) {
    return CubinSymbol::Kind::kFunction;
  }
  if (symbol.type == STT_OBJECT || symbol.type == kObject) {
    return CubinSymbol::Kind::kVariable;
  }
  if (symbol.type >= kTexture && symbol.type <= kSurface) {
    return CubinSymbol::Kind::kTexture;
  }
  return symbol.type == STT_SECTION ? CubinSymbol::Kind::kSection : CubinSymbol::Kind::kOther;
}

}  // namespace

CubinReader::CubinReader(ElfImage image, Cubin& cubin) : image_(std::move(image)), cubin_(cubin) {}

void CubinReader::read() {
  read_header();
  read_sections();
  read_symbols();
  find_owners();
  read_resources();
  read_function_sections();
  read_relocations();
  cubin_.lines_ = read_cubin_lines(image_, cubin_);
}

void CubinReader::read_header() {
  constexpr std::uint32_t kArchitectureMask = 0xff;
  constexpr std::uint32_t kByteBits = 8;
  if (image_.machine() != kCubinMachine) {
    image_.fail(
        fmt::format("offset 0x12: code for machine {}; expected {}, NVIDIA's GPUs", image_.machine(), kCubinMachine));
  }
  if (image_.type() != ET_EXEC && image_.type() != ET_REL) {
    image_.fail(
        fmt::format("offset 0x10: a file of type {}; expected 1 (relocatable) or 2 (executable)", image_.type()));
  }
  if (image_.os_abi() != kOlderAbi && image_.os_abi() != kNewerAbi) {
    image_.fail(fmt::format("offset 7: a cubin of ABI {:#x}; expected {:#x} (up to CUDA 12) or {:#x} (CUDA 13)",
                            image_.os_abi(), kOlderAbi, kNewerAbi));
  }
  const std::uint32_t flags = image_.os_abi() == kNewerAbi ? image_.flags() >> kByteBits : image_.flags();
  cubin_.architecture_ = flags & kArchitectureMask;
  if (cubin_.architecture_ < kFirstArchitecture || cubin_.architecture_ > kLastArchitecture) {
    image_.fail(fmt::format("offset 0x30: code for sm_{}; expected sm_{} to sm_{}", cubin_.architecture_,
                            kFirstArchitecture, kLastArchitecture));
  }
  cubin_.virtual_architecture_ = virtual_architecture(image_, cubin_.architecture_);
  cubin_.is_relocatable_ = image_.type() == ET_REL;
}

void CubinReader::read_sections() {
  kept_.assign(image_.sections().size(), kNone);
  for (std::size_t i = 0; i < image_.sections().size(); ++i) {
    const ElfSection& section = image_.sections()[i];
    const std::optional<SectionName> known = classify(section.name);
    if (!known || !section.is_loaded()) {
      if (section.is_loaded() && !section.name.starts_with(".nv_debug")) {
        image_.fail(section, 0,
                    "memory of an unknown kind; expected code, constants, or global, shared or local memory");
      }
      continue;
    }
    if (known->kind == SectionKind::kCode && section.bytes.size() % kInstructionBytes != 0) {
      image_.fail(section, section.bytes.size(),
                  fmt::format("code of {} bytes; expected a multiple of {}", section.bytes.size(), kInstructionBytes));
    }
    if (section.size > kMostBytes) {
      image_.fail(section, 0, fmt::format("{} bytes of memory; expected at most {}", section.size, kMostBytes));
    }
    kept_[i] = static_cast<std::uint32_t>(cubin_.sections_.size());
    origin_.push_back(static_cast<std::uint32_t>(i));
    cubin_.sections_.push_back({.name = std::string(section.name),
                                .kind = known->kind,
                                .bank = known->bank,
                                .bytes = section.size,
                                .alignment = std::max<std::uint64_t>(section.alignment, 1),
                                .code = kNone,
                                .content = {section.bytes.begin(), section.bytes.end()}});
  }
  // What belongs to a function names the section of its code.
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const ElfSection& section = image_.sections()[i];
    if (kept_[i] == kNone || cubin_.sections_[kept_[i]].kind == SectionKind::kCode || section.info == 0) {
      continue;
    }
    const std::uint32_t code = section.info < kept_.size() ? kept_[section.info] : kNone;
    if (code == kNone || cubin_.sections_[code].kind != SectionKind::kCode) {
      image_.fail(section, 0, fmt::format("it belongs to section {}; expected a section of code", section.info));
    }
    cubin_.sections_[kept_[i]].code = code;
  }
}

void CubinReader::read_symbols() {
  constexpr std::uint8_t kManaged = 0x04;
  constexpr std::uint8_t kKernel = 0x10;
  constexpr std::uint8_t kSpace = 0xe0;
  constexpr std::uint8_t kShared = 0x40;
  const std::vector<ElfSymbol> symbols = image_.symbols();
  if (symbols.empty()) {
    image_.fail(fmt::format("offset 0x28: no table of symbols in {} sections; expected one", image_.sections().size()));
  }
  for (const ElfSymbol& symbol : symbols) {
    const bool of_section = symbol.type == STT_SECTION && symbol.section < image_.sections().size();
    cubin_.symbols_.push_back(
        {.name = std::string(of_section ? image_.sections()[symbol.section].name : symbol.name),
         .kind = kind_of(symbol),
         .section = symbol.section == 0 || symbol.section >= kept_.size() ? kNone : kept_[symbol.section],
         .offset = symbol.value,
         .bytes = symbol.size,
         .is_local = symbol.binding == STB_LOCAL,
         .is_weak = symbol.binding == STB_WEAK,
         .is_kernel = symbol.type == STT_FUNC && (symbol.other & kKernel) != 0,
         .is_managed = (symbol.other & kManaged) != 0,
         .is_shared = symbol.type != STT_FUNC && (symbol.other & kSpace) == kShared});
    const CubinSymbol& added = cubin_.symbols_.back();
    if (added.section == kNone) {
      continue;
    }
    const CubinSection& section = cubin_.sections_[added.section];
    // A linker places shared variables; until then their value is the alignment.
    if (cubin_.is_relocatable_ && section.kind == SectionKind::kShared) {
      continue;
    }
    if (added.offset > section.bytes || added.bytes > section.bytes - added.offset) {
      image_.fail(fmt::format("symbol {}: {} bytes at offset {:#x} of section {}, which has {}", added.name,
                              added.bytes, added.offset, section.name, section.bytes));
    }
    const auto index = static_cast<std::uint32_t>(cubin_.symbols_.size() - 1);
    if (added.kind == CubinSymbol::Kind::kFunction && section.kind == SectionKind::kCode) {
      add_function(index);
    } else if (added.kind == CubinSymbol::Kind::kVariable) {
      add_variable(index);
    }
  }
  std::stable_sort(cubin_.functions_.begin(), cubin_.functions_.end(),
                   [](const CubinFunction& one, const CubinFunction& other) {
                     return std::pair(one.section, one.offset) < std::pair(other.section, other.offset);
                   });
}

void CubinReader::add_function(std::uint32_t symbol) {
  const CubinSymbol& from = cubin_.symbols_[symbol];
  if (from.offset % kInstructionBytes != 0 || from.bytes % kInstructionBytes != 0) {
    image_.fail(fmt::format("symbol {}: code of {} bytes at offset {:#x}; expected multiples of {}", from.name,
                            from.bytes, from.offset, kInstructionBytes));
  }
  CubinFunction function;
  function.name = from.name;
  function.symbol = symbol;
  function.is_kernel = from.is_kernel;
  function.section = from.section;
  function.offset = from.offset;
  function.bytes = from.bytes;
  cubin_.functions_.push_back(std::move(function));
}

void CubinReader::add_variable(std::uint32_t symbol) {
  constexpr std::uint32_t kVariables = 3;  // the bank of __constant__ variables
  const CubinSymbol& from = cubin_.symbols_[symbol];
  const CubinSection& section = cubin_.sections_[from.section];
  if (section.kind == SectionKind::kGlobal || (section.kind == SectionKind::kConstant && section.bank == kVariables)) {
    cubin_.variables_.push_back(
        {.name = from.name, .symbol = symbol, .section = from.section, .offset = from.offset, .bytes = from.bytes});
  }
}

void CubinReader::find_owners() {
  constexpr std::string_view kPrefix = ".text.";
  owner_.assign(cubin_.sections_.size(), kNone);
  for (std::size_t i = 0; i < cubin_.functions_.size(); ++i) {
    const CubinFunction& function = cubin_.functions_[i];
    if (std::string_view(cubin_.sections_[function.section].name).substr(kPrefix.size()) == function.name) {
      owner_[function.section] = static_cast<std::uint32_t>(i);
    }
  }
}

CubinFunction* CubinReader::owner_of(std::uint32_t code) {
  return owner_[code] == kNone ? nullptr : &cubin_.functions_[owner_[code]];
}

// Registers and stacks, which older cubins have in the headers of sections instead.
void CubinReader::read_resources() {
  constexpr std::uint32_t kRegisterShift = 24;
  constexpr std::uint32_t kBarrierShift = 20;
  constexpr std::uint32_t kBarrierMask = 0x7f;
  std::map<std::uint32_t, FunctionResources> resources;
  for (const ElfSection& section : image_.sections()) {
    if (section.type == kInfoType && section.name == ".nv.info") {
      resources = read_function_resources(image_, section);
    }
  }
  for (CubinFunction& function : cubin_.functions_) {
    const ElfSection& section = image_.sections()[origin_[function.section]];
    const FunctionResources& found = resources[function.symbol];
    function.registers = found.registers.value_or(section.info >> kRegisterShift);
    function.barriers = static_cast<std::uint32_t>(section.flags >> kBarrierShift) & kBarrierMask;
    function.frame_bytes = found.frame_bytes;
    function.stack_bytes = found.stack_bytes.value_or(found.max_stack_bytes.value_or(found.frame_bytes));
  }
}

void CubinReader::read_function_sections() {
  for (const ElfSection& section : image_.sections()) {
    if (section.type != kInfoType || !section.name.starts_with(".nv.info.")) {
      continue;
    }
    const std::uint32_t code = section.info < kept_.size() ? kept_[section.info] : kNone;
    if (code == kNone || cubin_.sections_[code].kind != SectionKind::kCode) {
      image_.fail(section, 0, fmt::format("it describes section {}; expected a section of code", section.info));
    }
    if (CubinFunction* const function = owner_of(code)) {
      function->info = read_function_info(image_, section);
      function->barriers = function->info.barriers.value_or(function->barriers);
    }
  }
  for (const CubinSection& section : cubin_.sections_) {
    CubinFunction* const function = section.code == kNone ? nullptr : owner_of(section.code);
    if (function == nullptr) {
      continue;
    }
    if (section.kind == SectionKind::kLocal) {
      function->local_bytes = require_word(section);
    } else if (section.kind == SectionKind::kShared) {
      const std::uint32_t reserved = cubin_.is_relocatable_ ? 0 : cubin_.reserved_shared_bytes();
      const std::uint32_t bytes = require_word(section);
      function->static_shared_bytes = bytes - std::min(bytes, reserved);
    }
  }
}

// The size of memory of threads or blocks, which are addressed with 32 bits.
std::uint32_t CubinReader::require_word(const CubinSection& section) const {
  if (section.bytes > UINT32_MAX) {
    image_.fail(fmt::format("section {}: {} bytes; expected less than 4 GiB", section.name, section.bytes));
  }
  return static_cast<std::uint32_t>(section.bytes);
}

void CubinReader::read_relocations() {
  for (const ElfSection& table : image_.sections()) {
    if (table.type != SHT_RELA && table.type != SHT_REL) {
      continue;
    }
    const std::uint32_t section = table.info < kept_.size() ? kept_[table.info] : kNone;
    if (section == kNone) {
      continue;  // of debug information
    }
    if (cubin_.sections_[section].kind == SectionKind::kShared) {
      continue;  // shared memory has no content; kernels of cuBLAS for 8.0 have a mark there
    }
    const std::vector<ElfRelocation> entries = image_.relocations(table);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      add_relocation(table, i, entries[i], section);
    }
  }
}

void CubinReader::add_relocation(const ElfSection& table, std::size_t index, const ElfRelocation& entry,
                                 std::uint32_t section) {
  const std::uint64_t at = index * (entry.has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
  const RelocationType* const type = find_relocation_type(entry.type);
  if (type == nullptr) {
    image_.fail(table, at, fmt::format("unknown relocation type {}; expected one of sm_70 to sm_90", entry.type));
  }
  if (entry.symbol >= cubin_.symbols_.size()) {
    image_.fail(table, at,
                fmt::format("{} with symbol {}; expected one of {}", type->name, entry.symbol, cubin_.symbols_.size()));
  }
  const std::vector<std::byte>& content = cubin_.sections_[section].content;
  if (entry.offset > content.size() || type->bytes > content.size() - entry.offset) {
    image_.fail(table, at,
                fmt::format("{} at offset {:#x} of section {}, which has {} bytes", type->name, entry.offset,
                            cubin_.sections_[section].name, content.size()));
  }
  CubinRelocation relocation{.section = section,
                             .offset = entry.offset,
                             .type = type,
                             .symbol = entry.symbol,
                             .addend = static_cast<std::uint64_t>(entry.addend)};
  if (!entry.has_addend) {
    relocation.addend = stored_value(*type, std::span(content).subspan(entry.offset, type->bytes));
  }
  settle(table, relocation);
}

// Applies what does not depend on addresses and keeps the others.
void CubinReader::settle(const ElfSection& table, const CubinRelocation& relocation) {
  using ValueKind = RelocationType::Kind;
  const CubinSymbol& symbol = cubin_.symbols_[relocation.symbol];
  const ValueKind kind = relocation.type->kind;
  // Clearing is for symbols that a linker removes.
  if (kind == ValueKind::kNothing || kind == ValueKind::kClear) {
    return;
  }
  if (kind == ValueKind::kYield && !cubin_.is_relocatable_) {
    image_.fail(table, 0,
                fmt::format("{} at offset {:#x} in executable code; expected it only in relocatable code",
                            relocation.type->name, relocation.offset));
  }
  const CubinSection* const in = symbol.section == kNone ? nullptr : &cubin_.sections_[symbol.section];
  const bool in_bank = in != nullptr && in->kind == SectionKind::kConstant;
  if (kind == ValueKind::kConstant && !in_bank && !cubin_.is_relocatable_) {
    image_.fail(table, 0,
                fmt::format("{} at offset {:#x} with symbol {}; expected a symbol in a constant bank",
                            relocation.type->name, relocation.offset, symbol.name));
  }
  const bool has_address = in == nullptr || in->kind == SectionKind::kCode || in->kind == SectionKind::kGlobal;
  // Constants have a generic address too, which takes 64 bits or two halves.
  const bool is_generic = in_bank && (relocation.type->bytes == sizeof(std::uint64_t) || relocation.type->partial);
  if (cubin_.is_relocatable_ || has_address || is_generic) {
    cubin_.relocations_.push_back(relocation);
    return;
  }
  cubin_.store(relocation, symbol.offset);
  if (kind == ValueKind::kConstant) {
    CubinSection& section = cubin_.sections_[relocation.section];
    store_bank(in->bank, std::span(section.content).subspan(relocation.offset, relocation.type->bytes));
  }
}

}  // namespace warpsim::sass
