// Writes a line program of DWARF, version 2, as line_table.h reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sass/line_table.h"

namespace warpsim::sass {

class LineWriter {
 public:
  // The rows of a section of code with so many bytes; their files are numbers in `files`. Returns the offset of the
  // address of the code, for a relocation.
  std::uint64_t add(std::span<const LineRow> rows, const std::vector<std::string>& files, std::uint64_t bytes);
  // The section; empty if nothing was added. Addresses are those of add() plus `address_shift()`.
  std::vector<std::byte> section() const;
  // The bytes before the first sequence, when all are added.
  std::uint64_t address_shift() const { return header().size(); }

 private:
  std::vector<std::byte> header() const;
  std::uint32_t number_of(const std::string& file);

  std::vector<std::string> files_;
  std::vector<std::byte> sequences_;
};

}  // namespace warpsim::sass
