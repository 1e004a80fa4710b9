// Reads the text of a row of the table of instructions (encoding_rows.h).
#pragma once

#include <cstdint>

#include "sass/encoding.h"

namespace warpsim::sass {

// The encoding of a row with a form (0: the row has none). `bindless`: also bit 91 is set, and B or C is a constant
// whose bank is a uniform register. Throws std::logic_error: a mistake in the table.
Encoding read_row(const EncodingRow& row, std::uint32_t form, bool bindless, const NameTables& names);

}  // namespace warpsim::sass
