// Reads one operand of a row of the table of instructions (encoding_rows.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "sass/encoding.h"
#include "sass/name_tables.h"

namespace warpsim::sass {

class OperandReader {
 public:
  struct Form {
    std::string_view text;   // of the row
    std::uint32_t form = 0;  // where B and C come from; 0: the row has no forms
    bool bindless = false;   // the bank of the constant is in a uniform register
    bool uniform = false;    // registers of the uniform datapath
  };
  // `names` outlives it.
  OperandReader(const Form& form, const NameTables& names) : form_(form), names_(names) {}

  // Also adds the bits of the operand to those that `code` knows. Throws std::logic_error: a mistake in the table.
  OperandCode read(std::string_view text, Encoding& code) const;

 private:
  Form form_;
  const NameTables& names_;
};

}  // namespace warpsim::sass
