// `warpsim disassemble` from the view of a user: cubins, fat binaries, programs, and their errors.
#include <catch2/catch.hpp>
#include <cstring>

#include "support/build_paths.h"
#include "support/temporary_folder.h"
#include "support/warpsim_process.h"

namespace warpsim {
namespace {

using Catch::Contains;

const std::string kData = WARPSIM_SOURCE_DIR "/tests/data/";
const std::string kProgram = kData + "sass/cubins/program.sm_90.cubin";

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// An ELF file of this machine with one section .nv_fatbin of two containers.
std::string program_with(const std::string& container) {
  const std::string names("\0.nv_fatbin\0.shstrtab\0", 22);
  const std::string both = container + std::string(16, '\0') + container;
  std::string file(64, '\0');
  std::memcpy(file.data(), "\177ELF\2\1\1", 7);
  const auto put = [&file](std::size_t offset, std::uint64_t value, std::size_t bytes) {
    std::memcpy(file.data() + offset, &value, bytes);
  };
  put(16, 3, 2);
  put(18, 62, 2);
  put(58, 64, 2);
  put(60, 3, 2);
  put(62, 2, 2);
  put(40, 64 + both.size() + 24, 8);
  file += both + names + std::string(2, '\0') + std::string(3 * std::size_t{64}, '\0');
  const std::size_t table = 64 + both.size() + 24;
  const auto section = [&](std::size_t index, std::uint64_t name, std::uint64_t offset, std::uint64_t size) {
    put(table + index * 64, name, 4);
    put(table + index * 64 + 4, index == 2 ? 3 : 1, 4);
    put(table + index * 64 + 24, offset, 8);
    put(table + index * 64 + 32, size, 8);
  };
  section(1, 1, 64, both.size());
  section(2, 12, 64 + both.size(), names.size());
  return file;
}

TEST_CASE("disassemble command: all functions of a cubin, or those that match") {
  const Outcome all = warpsim("disassemble " + kProgram);
  CHECK(all.code == 0);
  CHECK(count_of(all.output, "Function : ") == 2);
  CHECK(count_of(all.output, "/* 0x") == 0);
  const Outcome one = warpsim("disassemble " + kProgram + " --function repor --hex");
  CHECK(one.code == 0);
  CHECK(count_of(one.output, "Function : report\n") == 1);
  CHECK(count_of(one.output, "Function : ") == 1);
  CHECK(count_of(one.output, "/* 0x") == 0x40);
  // The readable name of _Z6triplei.
  const Outcome readable = warpsim("disassemble " + kData + "sass/cubins/linked.sm_90.cubin --function 'triple(int)'");
  CHECK(readable.code == 0);
  CHECK(count_of(readable.output, "Function : _Z6triplei\n") == 1);
}

TEST_CASE("disassemble command: a fat binary of every compression has the same code") {
  const Outcome plain = warpsim("disassemble " + kData + "fatbin/none.fatbin --hex");
  CHECK(plain.code == 0);
  CHECK(count_of(plain.output, "\tcode for sm_75\n") == 1);
  CHECK(count_of(plain.output, "Function : _Z5scalePffi\n") == 1);
  const auto* const mode = GENERATE("speed", "default", "size");
  const Outcome outcome = warpsim("disassemble " + kData + "fatbin/" + mode + ".fatbin --hex");
  CHECK(outcome.code == 0);
  CHECK(outcome.output == plain.output);
}

TEST_CASE("disassemble command: a program has the code of all its fat binaries") {
  const TemporaryFolder folder;
  const std::string path = folder.write("program", program_with(TemporaryFolder::read(kData + "fatbin/size.fatbin")));
  const Outcome outcome = warpsim("disassemble " + path);
  CHECK(outcome.code == 0);
  CHECK(count_of(outcome.output, "Function : _Z5scalePffi\n") == 2);
}

TEST_CASE("disassemble command: code that is not there is an error that lists what is there") {
  const std::string fatbin = kData + "fatbin/none.fatbin";
  const Outcome other = warpsim("disassemble " + fatbin + " --arch sm_80");
  CHECK(other.code == 2);
  CHECK(other.output == "warpsim: error: " + fatbin +
                            ": machine code for sm_80 expected, it holds compute_75, compute_90, compute_90a, sm_75\n");
  const Outcome none = warpsim("disassemble " + kProgram + " --function nothing");
  CHECK(none.code == 2);
  CHECK(none.output ==
        "warpsim: error: " + kProgram +
            ": no function whose name contains 'nothing'; expected part of a mangled or readable name\n");
  const Outcome word = warpsim("disassemble " + kProgram + " --arch 9.0");
  CHECK(word.code == 2);
  CHECK_THAT(word.output, Contains("--arch '9.0': expected an architecture such as sm_90 or sm_90a"));
}

TEST_CASE("disassemble command: PTX gives the code and the registers that are assumed for its timing") {
  const std::string ptx = WARPSIM_SOURCE_DIR "/examples/vector_add/vector_add.ptx";
  const Outcome outcome = warpsim("disassemble " + ptx + " --arch sm_86");
  CHECK(outcome.code == 0);
  CHECK(count_of(outcome.output, "Function : ") == 1);
  CHECK(count_of(outcome.output, "// generated for sm_86; registers: ") == 1);
  CHECK(count_of(outcome.output, "LDG.E ") == 2);
  CHECK(count_of(outcome.output, "STG.E ") == 1);
  const Outcome old = warpsim("disassemble " + ptx + " --arch sm_60");
  CHECK(old.code == 2);
  CHECK_THAT(old.output, Contains(" cannot be listed for sm_60; expected --arch from sm_"));
  const Outcome none = warpsim("disassemble " + ptx + " --arch sm_86 --function nothing");
  CHECK(none.code == 2);
  CHECK_THAT(none.output, Contains("no function whose name contains 'nothing'"));
  const TemporaryFolder folder;
  const Outcome damaged = warpsim("disassemble " + folder.write("bad.ptx", ".version 8.0\n.target sm_90\n.entry f( {"));
  CHECK(damaged.code == 2);
  CHECK_THAT(damaged.output, Contains("bad.ptx:3:"));
}

TEST_CASE("disassemble command: other files are refused") {
  const TemporaryFolder folder;
  CHECK_THAT(warpsim("disassemble " + folder.at("none")).output,
             Contains("none: cannot be read: there is no such file"));
  const Outcome text = warpsim("disassemble " + folder.write("text", "code"));
  CHECK(text.code == 2);
  CHECK_THAT(text.output,
             Contains("text: offset 0: not an ELF file of 64 bits and not a fat binary; expected a cubin"));
  const Outcome program = warpsim("disassemble " + std::string(test::warpsim_binary()));
  CHECK(program.code == 2);
  CHECK_THAT(program.output, Contains(": an ELF file without a section .nv_fatbin; expected "));
  const std::string cubin = TemporaryFolder::read(kProgram);
  const Outcome half = warpsim("disassemble " + folder.write("half.cubin", cubin.substr(0, cubin.size() / 2)));
  CHECK(half.code == 2);
  CHECK_THAT(half.output, Contains("half.cubin: offset 0x"));
}

TEST_CASE("disassemble command: code of an architecture without a table names the ones with") {
  const TemporaryFolder folder;
  std::string fatbin = TemporaryFolder::read(kData + "fatbin/none.fatbin");
  // The target of the first entry, after the header of 16 bytes.
  fatbin[16 + 28] = 52;
  const Outcome outcome = warpsim("disassemble " + folder.write("old.fatbin", fatbin));
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.output, Contains("old.fatbin: fat binary at 0x0, entry 0 (sm_52): code for sm_52 cannot be "
                                      "disassembled; expected a file or --arch with sm_70, sm_75"));
}

TEST_CASE("disassemble command: an unknown instruction names file, function, address and bits") {
  const TemporaryFolder folder;
  std::string cubin = TemporaryFolder::read(kProgram);
  const std::string exit("\x4d\x79\0\0\0\0\0\0", 8);
  const std::size_t at = cubin.find(exit);
  REQUIRE(at != std::string::npos);
  cubin.replace(at, 8, 8, '\xff');
  const Outcome outcome = warpsim("disassemble " + folder.write("bad.cubin", cubin));
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.output, Contains("bad.cubin: function ") && Contains("ffffffffffffffff at 0x0") &&
                                 Contains(" of code for sm_90: "));
}

}  // namespace
}  // namespace warpsim
