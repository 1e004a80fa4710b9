// A cubin: NVIDIA's machine code for one architecture, with its functions, constant banks, variables and relocations.
//
// Read are the layouts of CUDA 10 to 12 (OS ABI 0x33, architecture in the lower byte of the flags) and of CUDA 13 (OS
// ABI 0x41, architecture in the second byte). Relocations whose value does not depend on addresses in memory (offsets
// in constant banks and in shared memory) are applied when the file is read; the others when the caller knows the
// addresses. Of debug information the source lines are read; not read: the rest of it, notes, call graphs. Sections of
// memory that are unknown are errors. Relocatable cubins (nvcc -rdc=true) must be linked before they are run
// (sass/cubin_linker.h). Evidence: cubins of nvcc and nvlink 13 for sm_75 to sm_90, and public readers
// (VivekPanyam/cudaparsers, cloudcores/CuAssembler); numbers of relocation types are those of redplait/denvdis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sass/elf_image.h"
#include "sass/function_info.h"
#include "sass/line_table.h"
#include "sass/relocation.h"

namespace warpsim::sass {

// Memory that the cubin describes.
struct CubinSection {
  enum class Kind : std::uint8_t { kCode, kConstant, kGlobal, kShared, kLocal };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::string name;  // ".text.k"
  Kind kind = Kind::kCode;
  std::uint32_t bank = 0;  // of constants
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;
  std::uint32_t code = kNone;      // constants, shared and local memory of a function: the section of its code
  std::vector<std::byte> content;  // empty for memory without initial values
};

struct CubinSymbol {
  enum class Kind : std::uint8_t { kFunction, kVariable, kTexture, kSection, kOther };
  std::string name;  // of a section: the section's
  Kind kind = Kind::kOther;
  std::uint32_t section = CubinSection::kNone;  // index in sections(); kNone: defined elsewhere
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool is_local = false;
  bool is_weak = false;
  bool is_kernel = false;
  bool is_managed = false;
  bool is_shared = false;  // in shared memory; of a relocatable cubin its offset is the alignment
};

struct CubinFunction {
  std::string name;          // mangled; "$kernel$function" for one inside the code of a kernel
  std::uint32_t symbol = 0;  // index in symbols()
  bool is_kernel = false;
  std::uint32_t section = 0;  // of its code, index in sections()
  std::uint64_t offset = 0;   // in that section
  std::uint64_t bytes = 0;
  std::uint32_t registers = 0;  // of a thread
  std::uint32_t barriers = 0;   // named barriers of a block
  std::uint32_t frame_bytes = 0;
  std::uint32_t stack_bytes = 0;  // of local memory, with the functions that are called as far as they are known
  std::uint32_t local_bytes = 0;  // in .nv.local.<name>
  std::uint32_t static_shared_bytes = 0;  // without the system's part
  FunctionInfo info;                      // of functions with a section of their own, else empty
};

struct CubinVariable {
  std::string name;
  std::uint32_t symbol = 0;
  std::uint32_t section = 0;  // global memory, or constant bank 3
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct CubinRelocation {
  std::uint32_t section = 0;  // that is changed
  std::uint64_t offset = 0;
  const RelocationType* type = nullptr;
  std::uint32_t symbol = 0;
  std::uint64_t addend = 0;
};

class Cubin {
 public:
  // The address of a function, a variable or a section; the index of a texture. May throw for an unknown symbol.
  using AddressOf = std::function<std::uint64_t(const CubinSymbol& symbol)>;

  // `name` is for messages. Throws InvalidCubin: damaged, for another machine, or with contents of unknown meaning.
  Cubin(std::span<const std::byte> bytes, std::string name);

  const std::string& name() const { return name_; }
  std::uint32_t architecture() const { return architecture_; }  // 90 for sm_90
  // Of the PTX from which it was compiled: 80 for compute_80.
  std::uint32_t virtual_architecture() const { return virtual_architecture_; }
  bool is_relocatable() const { return is_relocatable_; }
  // The system's part at the begin of shared memory, before the static variables.
  std::uint32_t reserved_shared_bytes() const;

  const std::vector<CubinSection>& sections() const { return sections_; }
  const std::vector<CubinSymbol>& symbols() const { return symbols_; }
  // Kernels and functions by section and offset.
  const std::vector<CubinFunction>& functions() const { return functions_; }
  const std::vector<CubinVariable>& variables() const { return variables_; }
  // Those that wait for addresses.
  const std::vector<CubinRelocation>& relocations() const { return relocations_; }
  // Source lines of the code, by section; empty without debug information.
  const LineTable& lines() const { return lines_; }

  // Nothing if there is no such function.
  const CubinFunction* find_function(std::string_view name) const;
  // The code of a function, with relocations as far as they are applied.
  std::span<const std::byte> code(const CubinFunction& function) const;
  // The bank of the function, or that of all functions; nothing if there is none.
  const CubinSection* constant_bank(const CubinFunction& function, std::uint32_t bank) const;
  // Empty for a variable that begins as zeros.
  std::span<const std::byte> initial_bytes(const CubinVariable& variable) const;

  // Applies relocations(); again with other addresses after the first time. Throws InvalidCubin: relocatable code, an
  // address that does not fit.
  void apply_relocations(const AddressOf& address_of);

 private:
  friend class CubinReader;

  void store(const CubinRelocation& relocation, std::uint64_t address);

  std::string name_;
  std::uint32_t architecture_ = 0;
  std::uint32_t virtual_architecture_ = 0;
  bool is_relocatable_ = false;
  std::vector<CubinSection> sections_;
  std::vector<CubinSymbol> symbols_;
  std::vector<CubinFunction> functions_;
  std::vector<CubinVariable> variables_;
  std::vector<CubinRelocation> relocations_;
  LineTable lines_;
};

// Whether the bytes begin as a cubin: an ELF file for NVIDIA's GPUs.
bool is_cubin(std::span<const std::byte> bytes);

}  // namespace warpsim::sass
