// Damaged and hostile cubins end as one error that names the file and the place.
#include <catch2/catch.hpp>
#include <random>

#include "unit/sass/cubin_file.h"

namespace warpsim::sass {
namespace {

using Catch::Contains;
using test::bytes_of;
using test::content_of;
using test::header_of;
using test::load_cubin;
using test::put;

constexpr const char* kProgram = "program.sm_90.cubin";
// Offsets in the header of a section.
constexpr std::size_t kType = 4;
constexpr std::size_t kFlags = 8;
constexpr std::size_t kOffset = 24;
constexpr std::size_t kSize = 32;
constexpr std::size_t kInfo = 44;

std::string error_of(const std::string& file) {
  try {
    const Cubin cubin(bytes_of(file), "x.cubin");
    return "no error";
  } catch (const InvalidCubin& error) {
    return error.what();
  }
}

TEST_CASE("the header of a cubin is checked") {
  std::string file = load_cubin(kProgram);
  CHECK(error_of("") == "x.cubin: offset 0: the header of an ELF file of 64 bits, little endian, expected");
  CHECK(error_of(file.substr(0, 40)) == "x.cubin: offset 0: an ELF header of 64 bytes expected, the file has 40");
  CHECK_THAT(error_of(file.substr(0, 64)), Contains("x.cubin: offset 0x20: the table of segments at "));
  const std::string relocatable = load_cubin("relocatable.sm_90.cubin");
  CHECK_THAT(error_of(relocatable.substr(0, 64)), Contains("x.cubin: offset 0x28: the table of sections at "));
  std::string other = file;
  put<std::uint16_t>(other, 18, 62);
  CHECK(error_of(other) == "x.cubin: offset 0x12: code for machine 62; expected 190, NVIDIA's GPUs");
  other = file;
  put<std::uint8_t>(other, 7, 0x42);
  CHECK(error_of(other) == "x.cubin: offset 7: a cubin of ABI 0x42; expected 0x33 (up to CUDA 12) or 0x41 (CUDA 13)");
  other = file;
  put<std::uint16_t>(other, 16, 3);
  CHECK(error_of(other) == "x.cubin: offset 0x10: a file of type 3; expected 1 (relocatable) or 2 (executable)");
  other = file;
  put<std::uint32_t>(other, 48, 0x06006402);
  CHECK(error_of(other) == "x.cubin: offset 0x30: code for sm_100; expected sm_70 to sm_90");
}

TEST_CASE("a cubin has sections and symbols") {
  std::string file = load_cubin(kProgram);
  put<std::uint32_t>(file, header_of(file, ".symtab") + kType, 1);
  CHECK_THAT(error_of(file), Contains("x.cubin: offset 0x28: no table of symbols in "));
  put<std::uint64_t>(file, 40, 0);
  CHECK(error_of(file) == "x.cubin: offset 0x28: no table of symbols in 0 sections; expected one");
}

TEST_CASE("sections have to be in the file and must not overlap") {
  const std::string file = load_cubin(kProgram);
  std::string other = file;
  put<std::uint64_t>(other, header_of(file, ".text.steps") + kOffset, 1ULL << 60U);
  CHECK_THAT(error_of(other), Contains("a section of ") && Contains(" is outside of the file of "));
  other = file;
  put<std::uint64_t>(other, header_of(file, ".text.steps") + kOffset, 0);
  put<std::uint64_t>(other, header_of(file, ".text.steps") + kSize, file.size());
  CHECK_THAT(error_of(other), Contains("sections of together "));
  other = file;
  put<std::uint32_t>(other, header_of(file, ".text.steps"), 1U << 30U);
  CHECK_THAT(error_of(other), Contains("the name of section "));
}

TEST_CASE("memory of an unknown kind is refused") {
  std::string file = load_cubin(kProgram);
  const std::size_t header = header_of(file, ".nv.callgraph");
  file[header + kFlags] = 2;
  CHECK(error_of(file) ==
        "x.cubin: section .nv.callgraph, offset 0x0: memory of an unknown kind; expected code, "
        "constants, or global, shared or local memory");
}

TEST_CASE("code is a whole number of instructions") {
  std::string file = load_cubin(kProgram);
  const std::size_t header = header_of(file, ".text.report");
  put<std::uint64_t>(file, header + kSize, 0x1f8);
  CHECK(error_of(file) == "x.cubin: section .text.report, offset 0x1f8: code of 504 bytes; expected a multiple of 16");
}

TEST_CASE("a section of a function has to name code") {
  std::string file = load_cubin(kProgram);
  put<std::uint32_t>(file, header_of(file, ".nv.constant0.steps") + kInfo, 1);
  CHECK(error_of(file) ==
        "x.cubin: section .nv.constant0.steps, offset 0x0: it belongs to section 1; expected a section of code");
  file = load_cubin(kProgram);
  put<std::uint32_t>(file, header_of(file, ".nv.info.steps") + kInfo, 0xffff);
  CHECK(error_of(file) ==
        "x.cubin: section .nv.info.steps, offset 0x0: it describes section 65535; expected a section of code");
}

TEST_CASE("records about a function are checked") {
  const std::string file = load_cubin(kProgram);
  const std::size_t info = content_of(file, ".nv.info.steps");
  std::string other = file;
  put<std::uint8_t>(other, info, 5);
  CHECK(error_of(other) == "x.cubin: section .nv.info.steps, offset 0x0: a record of format 5, expected 1 to 4");
  other = file;
  put<std::uint8_t>(other, info + 1, 0x70);
  CHECK(error_of(other) ==
        "x.cubin: section .nv.info.steps, offset 0x0: unknown attribute 0x70; expected 0x1 to "
        "0x5f, which CUDA 13.0 writes");
  other = file;
  put<std::uint16_t>(other, info + 2, 0xffff);
  CHECK_THAT(error_of(other),
             Contains("section .nv.info.steps, offset 0x0: attribute 0x37 has 65535 bytes, but only "));
}

TEST_CASE("symbols have to be in their section") {
  std::string file = load_cubin(kProgram);
  // Symbol 24 is the kernel `steps`: its size is at 16 of 24 bytes.
  put<std::uint64_t>(file, content_of(file, ".symtab") + std::size_t{24} * 24 + 16, 0x10000);
  CHECK(error_of(file) == "x.cubin: symbol steps: 65536 bytes at offset 0x0 of section .text.steps, which has 1152");
}

TEST_CASE("relocations of unknown types, symbols and places are refused") {
  const std::string file = load_cubin(kProgram);
  const std::size_t first = content_of(file, ".rela.nv.constant4");
  std::string other = file;
  put<std::uint32_t>(other, first + 8, 5);
  CHECK(error_of(other) ==
        "x.cubin: section .rela.nv.constant4, offset 0x0: unknown relocation type 5; expected one "
        "of sm_70 to sm_90");
  other = file;
  put<std::uint32_t>(other, first + 12, 1000);
  CHECK(error_of(other) ==
        "x.cubin: section .rela.nv.constant4, offset 0x0: R_CUDA_64 with symbol 1000; expected one of 27");
  other = file;
  put<std::uint64_t>(other, first, 0x21);
  CHECK(error_of(other) ==
        "x.cubin: section .rela.nv.constant4, offset 0x0: R_CUDA_64 at offset 0x21 of section "
        ".nv.constant4, which has 40 bytes");
  other = file;
  put<std::uint32_t>(other, first + 8, 66);
  CHECK_THAT(error_of(other), Contains("R_CUDA_CONST_FIELD21_38 at offset 0x2"));
}

TEST_CASE("an address that does not fit into its place is refused") {
  std::string file = load_cubin(kProgram);
  put<std::uint32_t>(file, content_of(file, ".rela.nv.constant4") + 8, 1);
  Cubin cubin(bytes_of(file), "x.cubin");
  CHECK_THROWS_WITH(cubin.apply_relocations([](const CubinSymbol&) { return 1ULL << 32U; }),
                    "x.cubin: section .nv.constant4, offset 0x20: R_CUDA_32 with the value 0x100000000 of symbol $str; "
                    "expected a value that fits into the place");
}

TEST_CASE("every truncated cubin is refused") {
  const auto* const name = GENERATE("program.sm_75.cubin", "relocatable.sm_90.cubin", "linked.sm_75.cubin");
  const std::string file = load_cubin(name);
  for (std::size_t size = 0; size < file.size(); size += 7) {
    CHECK(error_of(file.substr(0, size)).starts_with("x.cubin: "));
  }
}

TEST_CASE("changed cubins are refused or read, without another error") {
  constexpr int kChanges = 3000;
  const auto* const name = GENERATE("program.sm_80.cubin", "relocatable.sm_75.cubin", "linked.sm_90.cubin");
  const std::string file = load_cubin(name);
  std::mt19937 random(1);
  const auto below = [&random](std::size_t bound) { return random() % bound; };
  const std::size_t headers = header_of(file, ".shstrtab");
  for (int i = 0; i < kChanges; ++i) {
    std::string other = file;
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      // The tables matter more than the code between them.
      const std::size_t at = below(2) == 0 ? below(file.size()) : headers + below(file.size() - headers);
      constexpr std::uint8_t kValues[] = {0, 1, 0x7f, 0x80, 0xff};
      other[at] = static_cast<char>(below(2) == 0 ? random() : kValues[below(std::size(kValues))]);
    }
    const std::string error = error_of(other);
    CHECK((error == "no error" || error.starts_with("x.cubin: ")));
  }
}

}  // namespace
}  // namespace warpsim::sass
