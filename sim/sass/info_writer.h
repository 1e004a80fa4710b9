// Writes what a cubin states about a function: the records that function_info.h reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "sass/function_info.h"

namespace warpsim::sass {

class InfoWriter {
 public:
  // Of the section .nv.info: a symbol's registers, frame and, of kernels, its stack with all functions.
  void add_registers(std::uint32_t symbol, std::uint32_t registers);
  void add_frame(std::uint32_t symbol, std::uint32_t bytes);
  void add_stack(std::uint32_t symbol, std::uint32_t bytes);
  // Of the section of a function. `constants`: the symbol of its constant bank 0. Symbols in `info` are those of the
  // file that is written.
  void add_function(const FunctionInfo& info, std::uint32_t constants);

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void add_record(std::uint8_t attribute, std::span<const std::uint32_t> words);
  void add_record(std::uint8_t attribute, std::initializer_list<std::uint32_t> words);
  void add_short(std::uint8_t format, std::uint8_t attribute, std::uint32_t value);
  // In several records if one has no space for it.
  void add_list(std::uint8_t attribute, const std::vector<std::uint32_t>& words);
  void add_parameters(const FunctionInfo& info, std::uint32_t constants);

  std::vector<std::byte> bytes_;
};

}  // namespace warpsim::sass
