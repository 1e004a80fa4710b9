#include "sass/cubin_lines.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpsim::sass {

namespace {

// By the offset of the relocation.
std::map<std::uint64_t, CodePlace> code_places(const ElfImage& image, const ElfSection& table, const Cubin& cubin) {
  std::map<std::uint64_t, CodePlace> places;
  for (const ElfRelocation& entry : image.relocations(table)) {
    if (entry.symbol >= cubin.symbols().size()) {
      image.fail(table, 0, fmt::format("symbol {}; expected one of {}", entry.symbol, cubin.symbols().size()));
    }
    const CubinSymbol& symbol = cubin.symbols()[entry.symbol];
    if (symbol.section != CubinSection::kNone && cubin.sections()[symbol.section].kind == CubinSection::Kind::kCode) {
      const std::uint64_t begin = symbol.kind == CubinSymbol::Kind::kSection ? 0 : symbol.offset;
      places[entry.offset] = {symbol.section, begin + static_cast<std::uint64_t>(entry.addend)};
    }
  }
  return places;
}

}  // namespace

LineTable read_cubin_lines(const ElfImage& image, const Cubin& cubin) {
  const auto lines = std::ranges::find(image.sections(), ".debug_line", &ElfSection::name);
  if (lines == image.sections().end()) {
    return {};
  }
  std::map<std::uint64_t, CodePlace> places;
  const auto number = static_cast<std::size_t>(lines - image.sections().begin());
  for (const ElfSection& table : image.sections()) {
    if ((table.type == SHT_RELA || table.type == SHT_REL) && table.info == number) {
      places.merge(code_places(image, table, cubin));
    }
  }
  const auto code_at = [&places](std::uint64_t offset) {
    const auto found = places.find(offset);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  };
  return read_line_table(image, *lines, code_at, cubin.sections().size());
}

}  // namespace warpsim::sass
