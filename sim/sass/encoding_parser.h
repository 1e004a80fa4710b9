// Reads the text of a row of the table of instructions (encoding_rows.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sass/encoding.h"

namespace warpsim::sass {

using NameTables = std::map<std::string, NameTable, std::less<>>;

// The lists of name_lists(). Throws std::logic_error: a mistake in the table.
NameTables read_name_lists();

// The encoding of a row with a form (0: the row has none). `uniform_b`: also bit 91 is set, and B or C is a constant
// whose bank is a uniform register. Throws std::logic_error: a mistake in the table.
Encoding read_row(const EncodingRow& row, std::uint32_t form, bool bindless, const NameTables& names);

}  // namespace warpsim::sass
