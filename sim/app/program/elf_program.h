// Facts about the CUDA runtime that a program uses, from its ELF file.
#pragma once

#include <string>
#include <vector>

namespace warpsim {

struct ElfProgram {
  bool is_elf = false;                 // 64 bit, little endian; otherwise a script or a program for another machine
  std::vector<std::string> libraries;  // needed by the program (DT_NEEDED)
  bool fixed_search_path = false;      // DT_RPATH, which the loader tries before LD_LIBRARY_PATH
  bool has_device_code = false;        // a section .nv_fatbin
};
// Throws UserError for a file that cannot be read. A damaged one is read as far as possible: the system's loader
// reports the damage.
ElfProgram read_elf_program(const std::string& path);

}  // namespace warpsim
