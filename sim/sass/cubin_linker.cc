#include "sass/cubin_linker.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/input_file.h"
#include "sass/elf_writer.h"
#include "sass/info_attributes.h"
#include "sass/info_writer.h"
#include "sass/line_writer.h"
#include "sass/link_calls.h"
#include "sass/link_sections.h"
#include "sass/link_shared.h"
#include "sass/link_units.h"

namespace warpsim::sass {

namespace {

using MemoryKind = CubinSection::Kind;

constexpr std::uint32_t kLiteralBank = 2;  // constant bank

class Linking {
 public:
  Linking(std::span<const LinkInput> inputs, const IsExternal& is_external)
      : units_(inputs, is_external),
        calls_(units_),
        shared_(units_, calls_),
        writer_(inputs.front().bytes),
        places_(units_.section_count()),
        relocations_(units_.section_count()) {}

  std::string link(const std::string& name) {
    find_kernels();
    for_each_section(&Linking::add_section);
    for_each_section(&Linking::own_section);
    for (const auto& [code, kernel] : kernels_) {
      add_shared(code);
    }
    add_symbols(true);
    for_each_section(&Linking::name_code);
    add_symbols(false);
    for (std::uint32_t unit = 0; unit < units_.units().size(); ++unit) {
      for (const CubinRelocation& relocation : units_.units()[unit].relocations()) {
        if (units_.is_kept(units_.number_of(unit, relocation.section))) {
          take(unit, relocation);
        }
      }
      for (const CubinFunction& function : units_.units()[unit].functions()) {
        if (units_.is_kept(units_.number_of(unit, function.section))) {
          describe(unit, function);
        }
      }
    }
    if (std::ranges::any_of(units_.units(), [](const Cubin& unit) { return !unit.lines().rows.empty(); })) {
      add_lines();
    }
    add_tables();
    return writer_.write(name);
  }

 private:
  // Where a section of a unit is in the result.
  struct Place {
    std::uint32_t section = 0;  // 0: nowhere
    std::uint64_t offset = 0;
  };

  void for_each_section(void (Linking::*use)(std::uint32_t unit, std::uint32_t section)) {
    for (std::uint32_t unit = 0; unit < units_.units().size(); ++unit) {
      for (std::uint32_t i = 0; i < units_.units()[unit].sections().size(); ++i) {
        if (units_.is_kept(units_.number_of(unit, i))) {
          (this->*use)(unit, i);
        }
      }
    }
  }

  void find_kernels() {
    for (std::uint32_t unit = 0; unit < units_.units().size(); ++unit) {
      for (const CubinFunction& function : units_.units()[unit].functions()) {
        const std::uint32_t code = units_.number_of(unit, function.section);
        if (function.is_kernel && units_.is_kept(code)) {
          kernels_.emplace(code, UnitSymbol{unit, function.symbol});
        }
      }
    }
  }

  // Memory that belongs to no function is put together by its name.
  void add_section(std::uint32_t unit, std::uint32_t index) {
    const CubinSection& section = units_.units()[unit].sections()[index];
    if (section.kind == MemoryKind::kShared) {
      return;
    }
    Place& place = places_[units_.number_of(unit, index)];
    const bool of_all = section.kind != MemoryKind::kCode && section.code == CubinSection::kNone;
    const auto known = of_all ? together_.find(section.name) : together_.end();
    if (known == together_.end()) {
      place.section = writer_.add(written_section(section));
      if (of_all) {
        together_.emplace(section.name, place.section);
      }
      return;
    }
    ElfWriter::Section& all = writer_.section(known->second);
    const std::uint64_t alignment = written_section(section).alignment;
    all.alignment = std::max(all.alignment, alignment);
    const std::uint64_t begin = (all.size + alignment - 1) / alignment * alignment;
    place = {known->second, begin};
    all.size = begin + section.bytes;
    if (!section.content.empty()) {
      if (begin > kInputLimitBytes) {
        throw LinkFailure(fmt::format("{}: section {} begins at {:#x} of the linked one; expected at most {:#x}",
                                      units_.units()[unit].name(), section.name, begin, kInputLimitBytes));
      }
      all.content.resize(begin);
      all.content.insert(all.content.end(), section.content.begin(), section.content.end());
      all.type = SHT_PROGBITS;
    }
  }

  void own_section(std::uint32_t unit, std::uint32_t index) {
    const Cubin& cubin = units_.units()[unit];
    const CubinSection& section = cubin.sections()[index];
    if (section.kind == MemoryKind::kShared || section.code == CubinSection::kNone) {
      return;
    }
    const std::uint32_t code = units_.number_of(unit, section.code);
    if (section.kind == MemoryKind::kConstant && section.bank == kLiteralBank && !kernels_.contains(code)) {
      throw LinkFailure(fmt::format("{}: section {}: constants of a function that is not a kernel cannot be linked",
                                    cubin.name(), section.name));
    }
    ElfWriter::Section& written = writer_.section(places_[units_.number_of(unit, index)].section);
    written.info = places_[code].section;
    written.flags |= kInfoLink;
  }

  void add_shared(std::uint32_t code) {
    const UnitSymbol kernel = kernels_.at(code);
    const std::uint32_t bytes = shared_.bytes_of(code);
    if (bytes != 0) {
      writer_.add({.name = ".nv.shared." + units_.symbol(kernel).name,
                   .type = SHT_NOBITS,
                   .flags = SHF_ALLOC | SHF_WRITE | kInfoLink,
                   .info = places_[code].section,
                   .alignment = 16,
                   .size = units_.units()[kernel.unit].reserved_shared_bytes() + bytes});
    }
  }

  // Source lines refer to code by the symbol of its section.
  void name_code(std::uint32_t unit, std::uint32_t index) {
    const std::uint32_t section = places_[units_.number_of(unit, index)].section;
    if (units_.units()[unit].sections()[index].kind == MemoryKind::kCode && !of_sections_.contains(section)) {
      of_sections_[section] = writer_.add({.name = {}, .type = STT_SECTION, .section = section}, "");
    }
  }

  // Those of sections and other local ones, or the global ones: definitions, and what the driver defines.
  void add_symbols(bool local) {
    for (std::uint32_t unit = 0; unit < units_.units().size(); ++unit) {
      const std::vector<CubinSymbol>& symbols = units_.units()[unit].symbols();
      for (std::uint32_t i = 0; i < symbols.size(); ++i) {
        const UnitSymbol own{unit, i};
        const CubinSymbol& symbol = symbols[i];
        const bool is_local = symbol.is_local || symbol.kind == CubinSymbol::Kind::kSection;
        if (is_local != local || symbol.name.empty()) {
          continue;
        }
        if (symbol.section != CubinSection::kNone) {
          add_definition(own);
        } else if (!units_.definition(own) && !external_.contains(symbol.name) && !symbol.is_shared) {
          external_.emplace(symbol.name,
                            writer_.add({.name = {}, .type = STT_FUNC, .binding = STB_GLOBAL}, symbol.name));
        }
      }
    }
  }

  void add_definition(const UnitSymbol& own) {
    const CubinSymbol& symbol = units_.symbol(own);
    const std::uint32_t section = units_.section_of(own);
    const Place& place = places_[section];
    if (place.section == 0 || units_.definition(own) != own) {
      return;
    }
    constexpr std::uint8_t kKernel = 0x10;
    constexpr std::uint8_t kManaged = 0x04;
    constexpr std::uint8_t kTexture = 10;
    using SymbolKind = CubinSymbol::Kind;
    const std::uint8_t type = symbol.kind == SymbolKind::kSection    ? STT_SECTION
                              : symbol.kind == SymbolKind::kFunction ? STT_FUNC
                              : symbol.kind == SymbolKind::kTexture  ? kTexture
                              : symbol.kind == SymbolKind::kVariable ? STT_OBJECT
                                                                     : STT_NOTYPE;
    const bool is_section = type == STT_SECTION;
    if (is_section && of_sections_.contains(place.section)) {
      numbers_[own] = of_sections_[place.section];
      return;
    }
    const std::uint8_t binding = symbol.is_local || is_section ? STB_LOCAL : symbol.is_weak ? STB_WEAK : STB_GLOBAL;
    const auto other = static_cast<std::uint8_t>((symbol.is_kernel ? kKernel : 0) | (symbol.is_managed ? kManaged : 0));
    numbers_[own] = writer_.add({.name = {},
                                 .type = type,
                                 .binding = binding,
                                 .other = other,
                                 .section = place.section,
                                 .value = is_section ? 0 : symbol.offset + place.offset,
                                 .size = is_section ? 0 : symbol.bytes},
                                is_section ? "" : symbol.name);
    if (is_section) {
      of_sections_[place.section] = numbers_[own];
    }
  }

  // Writes the value of a shared variable, whose place is final, and keeps what depends on addresses.
  void take(std::uint32_t unit, const CubinRelocation& relocation) {
    const Cubin& cubin = units_.units()[unit];
    const CubinSymbol& symbol = cubin.symbols()[relocation.symbol];
    const std::uint32_t number = units_.number_of(unit, relocation.section);
    if (relocation.type->kind == RelocationType::Kind::kYield) {
      return;  // the instruction stays as it is
    }
    const std::optional<UnitSymbol> found = units_.definition({unit, relocation.symbol});
    if (symbol.is_shared) {
      store(unit, relocation, found ? shared_.offset_of(*found) : shared_.dynamic_offset(number));
    } else if (!found && symbol.is_weak) {
      store(unit, relocation, 0);
    } else {
      const std::uint32_t target = found ? section_symbol_or(*found, relocation, unit) : external_.at(symbol.name);
      const bool of_section = found && symbol.kind == CubinSymbol::Kind::kSection;
      const std::uint64_t addend = relocation.addend + (of_section ? places_[units_.section_of(*found)].offset : 0);
      append(relocations_[number], {.r_offset = relocation.offset + places_[number].offset,
                                    .r_info = ELF64_R_INFO(Elf64_Xword{target}, Elf64_Xword{relocation.type->number}),
                                    .r_addend = static_cast<Elf64_Sxword>(addend)});
    }
  }

  std::string where(std::uint32_t unit, const CubinRelocation& relocation) const {
    const Cubin& cubin = units_.units()[unit];
    return fmt::format("{}: section {}, offset {:#x}: ", cubin.name(), cubin.sections()[relocation.section].name,
                       relocation.offset);
  }

  std::uint32_t section_symbol_or(const UnitSymbol& found, const CubinRelocation& relocation,
                                  std::uint32_t unit) const {
    const auto number = numbers_.find(found);
    if (number == numbers_.end()) {
      throw LinkFailure(where(unit, relocation) + fmt::format("{} with '{}', which has no place in linked code",
                                                              relocation.type->name, units_.symbol(found).name));
    }
    return number->second;
  }

  void store(std::uint32_t unit, const CubinRelocation& relocation, std::uint64_t offset) {
    const Place& place = places_[units_.number_of(unit, relocation.section)];
    std::vector<std::byte>& content = writer_.section(place.section).content;
    const std::span<std::byte> at =
        std::span(content).subspan(place.offset + relocation.offset, relocation.type->bytes);
    const std::uint64_t value = offset + relocation.addend;
    if (!store_value(*relocation.type, value, at)) {
      throw LinkFailure(where(unit, relocation) +
                        fmt::format("{} with the value {:#x} of symbol '{}'; expected a value that fits into the place",
                                    relocation.type->name, value, units_.symbol({unit, relocation.symbol}).name));
    }
  }

  void describe(std::uint32_t unit, const CubinFunction& function) {
    const Cubin& cubin = units_.units()[unit];
    const auto symbol = numbers_.find({unit, function.symbol});
    if (symbol == numbers_.end()) {
      return;
    }
    const std::uint32_t code = units_.number_of(unit, function.section);
    FunctionInfo info = function.info;
    LinkCalls::Needs needs{function.registers, function.barriers, {}};
    all_functions_.add_frame(symbol->second, function.frame_bytes);
    if (function.is_kernel) {
      constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
      needs = calls_.needs_of(code);
      all_functions_.add_stack(symbol->second, needs.stack_bytes.value_or(kUnknown));
      info.barriers = needs.barriers;
    }
    all_functions_.add_registers(symbol->second, needs.registers);
    info.externals.clear();
    for (const std::uint32_t each : function.info.externals) {
      const auto external =
          each < cubin.symbols().size() ? external_.find(cubin.symbols()[each].name) : external_.end();
      if (external != external_.end() && !units_.definition({unit, each})) {
        info.externals.push_back(external->second);
      }
    }
    if (".text." + function.name == cubin.sections()[function.section].name) {
      InfoWriter own;
      own.add_function(info, symbol_of_constants(unit, function.section));
      writer_.add({.name = ".nv.info." + function.name,
                   .type = kInfoType,
                   .flags = kInfoLink,
                   .info = places_[code].section,
                   .alignment = 4,
                   .entry_bytes = 0,
                   .content = own.bytes()});
    }
  }

  // Of a function's constant bank 0; 0 if it has none.
  std::uint32_t symbol_of_constants(std::uint32_t unit, std::uint32_t code) const {
    const std::vector<CubinSection>& sections = units_.units()[unit].sections();
    for (std::uint32_t i = 0; i < sections.size(); ++i) {
      if (sections[i].kind == MemoryKind::kConstant && sections[i].bank == 0 && sections[i].code == code) {
        const auto symbol = of_sections_.find(places_[units_.number_of(unit, i)].section);
        return symbol == of_sections_.end() ? 0 : symbol->second;
      }
    }
    return 0;
  }

  // Source lines of the code that remains.
  void add_lines() {
    LineWriter lines;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> codes;  // offsets of addresses, sections in the result
    for (std::uint32_t unit = 0; unit < units_.units().size(); ++unit) {
      const LineTable& table = units_.units()[unit].lines();
      for (std::uint32_t i = 0; i < table.rows.size(); ++i) {
        const std::uint32_t number = units_.number_of(unit, i);
        if (units_.is_kept(number) && !table.rows[i].empty()) {
          codes.emplace_back(lines.add(table.rows[i], table.files, units_.units()[unit].sections()[i].bytes),
                             places_[number].section);
        }
      }
    }
    const std::uint32_t section =
        writer_.add({.name = ".debug_line", .type = SHT_PROGBITS, .content = lines.section()});
    std::vector<std::byte> relocations;
    for (const auto& [at, code] : codes) {
      constexpr Elf64_Xword kAddress = 2;  // R_CUDA_64
      append(relocations, {.r_offset = at + lines.address_shift(),
                           .r_info = ELF64_R_INFO(Elf64_Xword{of_sections_.at(code)}, kAddress),
                           .r_addend = 0});
    }
    add_relocations(section, std::move(relocations));
  }

  static void append(std::vector<std::byte>& table, const Elf64_Rela& entry) {
    const auto bytes = std::as_bytes(std::span(&entry, 1));
    table.insert(table.end(), bytes.begin(), bytes.end());
  }

  void add_relocations(std::uint32_t section, std::vector<std::byte> table) {
    writer_.add({.name = ".rela" + writer_.section(section).name,
                 .type = SHT_RELA,
                 .flags = kInfoLink,
                 .info = section,
                 .alignment = 8,
                 .entry_bytes = sizeof(Elf64_Rela),
                 .content = std::move(table)});
  }

  void add_tables() {
    writer_.add({.name = ".nv.info", .type = kInfoType, .alignment = 4, .content = all_functions_.bytes()});
    std::map<std::uint32_t, std::vector<std::byte>> by_section;
    for (std::uint32_t i = 0; i < relocations_.size(); ++i) {
      std::vector<std::byte>& table = by_section[places_[i].section];
      table.insert(table.end(), relocations_[i].begin(), relocations_[i].end());
    }
    for (auto& [section, table] : by_section) {
      if (!table.empty()) {
        add_relocations(section, std::move(table));
      }
    }
  }

  const LinkUnits units_;
  const LinkCalls calls_;
  const LinkShared shared_;
  ElfWriter writer_;
  std::vector<Place> places_;                           // by number of the section
  std::vector<std::vector<std::byte>> relocations_;     // by number of the section that they change
  std::map<std::string, std::uint32_t> together_;       // sections that belong to no function
  std::map<std::uint32_t, UnitSymbol> kernels_;         // by number of the section of their code
  std::map<UnitSymbol, std::uint32_t> numbers_;         // of symbols in the result
  std::map<std::uint32_t, std::uint32_t> of_sections_;  // symbols of sections in the result
  std::map<std::string, std::uint32_t> external_;       // symbols in the result
  InfoWriter all_functions_;
};

}  // namespace

std::string link_cubins(std::span<const LinkInput> inputs, const IsExternal& is_external, const std::string& name) {
  return Linking(inputs, is_external).link(name);
}

}  // namespace warpsim::sass
