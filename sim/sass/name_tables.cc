#include "sass/name_tables.h"

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sass/encoding_rows.h"

namespace warpsim::sass {

namespace {

// Shapes of warpgroup products by the number in the instruction: 64 rows, N columns, a depth in elements.
std::vector<std::string> warpgroup_shapes(std::string_view rule) {
  std::vector<std::string> names(128, kInvalidName);
  const auto shape = [](std::uint32_t columns, std::uint32_t depth) {
    return "64x" + std::to_string(columns) + "x" + std::to_string(depth);
  };
  if (rule == "16 8 32") {  // half precision, then TF32, then sparse half precision
    for (std::uint32_t i = 0; i < 32; ++i) {
      names[i] = shape(8 * (i + 1), 16);
      names[32 + i] = shape(8 * (i + 1), 8);
      names[64 + i] = shape(8 * (i + 1), 32);
    }
  } else if (rule == "32 64") {  // 8-bit floats, then sparse ones
    for (std::uint32_t i = 0; i < 32; ++i) {
      names[i] = shape(8 * (i + 1), 32);
      names[32 + i] = shape(8 * (i + 1), 64);
    }
  } else {  // integers and bits have fewer widths: 8, 16, 24, 32, then steps of 16
    const bool of_bits = rule == "256";
    std::uint32_t value = 0;
    for (std::uint32_t columns = 8; columns <= 256; columns += columns < 32 ? 8 : 16) {
      names[value] = shape(columns, of_bits ? 256 : 32);
      if (!of_bits) {
        names[value + 1] = shape(columns, 64);  // sparse
      }
      value += of_bits ? 1 : 3;
    }
  }
  return names;
}

}  // namespace

NameTables read_name_lists(std::uint32_t architecture) {
  NameTables tables;
  for (const NameList& list : name_lists()) {
    if (architecture < list.from || architecture > list.to) {
      continue;
    }
    NameTable table{list.field, {}};
    std::string_view text = list.names;
    if (text.starts_with('@')) {
      table.names = warpgroup_shapes(text.substr(1));
      tables.emplace(table.field, std::move(table));
      continue;
    }
    for (bool more = true; more;) {
      const std::size_t comma = text.find(',');
      std::string_view name = text.substr(0, comma);
      if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
        std::uint32_t value = 0;
        std::from_chars(name.data(), name.data() + equals, value);
        name.remove_prefix(equals + 1);
        if (table.names.size() <= value) {
          table.names.resize(value + 1, kInvalidName);
        }
        table.names[value] = name;
      } else {
        table.names.emplace_back(name);
      }
      more = comma != std::string_view::npos;
      text = more ? text.substr(comma + 1) : std::string_view();
    }
    if (!tables.emplace(table.field, table).second) {
      throw std::logic_error("instruction table: two lists '" + table.field + "'");
    }
  }
  return tables;
}

const NameTable* find_table(const NameTables& tables, std::string_view name) {
  const auto found = tables.find(name);
  if (found == tables.end()) {
    throw std::logic_error("there is no list '" + std::string(name) + "'");
  }
  return &found->second;
}

}  // namespace warpsim::sass
