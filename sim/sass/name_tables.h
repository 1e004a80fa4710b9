// The lists of names of the table of instructions (encoding_rows.h), by value.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim::sass {

struct NameTable {
  std::string field;
  std::vector<std::string> names;  // by value; kInvalidName: no such value
};
inline constexpr const char* kInvalidName = "-";

using NameTables = std::map<std::string, NameTable, std::less<>>;

// The lists of name_lists() for an architecture. Throws std::logic_error: a mistake in the table.
NameTables read_name_lists(std::uint32_t architecture);
// Throws std::logic_error if there is no such list.
const NameTable* find_table(const NameTables& tables, std::string_view name);

}  // namespace warpsim::sass
