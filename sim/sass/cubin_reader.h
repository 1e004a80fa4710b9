// Builds a Cubin from the sections, symbols and relocations of an ELF file.
#pragma once

#include <cstdint>
#include <vector>

#include "sass/cubin.h"

namespace warpsim::sass {

inline constexpr std::uint16_t kCubinMachine = 190;  // EM_CUDA

class CubinReader {
 public:
  CubinReader(ElfImage image, Cubin& cubin);

  // Throws InvalidCubin.
  void read();

 private:
  void read_header();
  void read_sections();
  void read_symbols();
  void find_owners();
  void add_function(std::uint32_t symbol);
  void add_variable(std::uint32_t symbol);
  void read_resources();
  void read_function_sections();
  void read_relocations();
  void add_relocation(const ElfSection& table, std::size_t index, const ElfRelocation& entry, std::uint32_t section);
  void settle(const ElfSection& table, const CubinRelocation& relocation);
  std::uint32_t require_word(const CubinSection& section) const;
  CubinFunction* owner_of(std::uint32_t code);

  ElfImage image_;
  Cubin& cubin_;
  std::vector<std::uint32_t> kept_;    // of each section of the file: its index in the cubin, or kNone
  std::vector<std::uint32_t> origin_;  // of each section of the cubin: its index in the file
  std::vector<std::uint32_t> owner_;   // of each section of code: the function that it is named after, or kNone
};

}  // namespace warpsim::sass
