#include <lzma.h>

#include <catch2/catch.hpp>

#include "base/error.h"
#include "frontend/accelsim/accelsim_reader.h"
#include "support/temporary_folder.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

using test::accelsim_header;
using test::thread_block;

// Opens and reads all blocks; the message without the folder.
std::string error_of(const std::string& content, const std::string& listing = "") {
  TemporaryFolder folder;
  const std::string path = folder.write("k", content);
  if (!listing.empty()) {
    folder.write("func-1.sass", listing);
  }
  try {
    AccelsimKernel kernel = open_accelsim_kernel(path, "");
    for (std::uint64_t i = 0; i < kernel.launch.grid.count(); ++i) {
      BlockTrace block;
      kernel.blocks->read(i, block);
    }
  } catch (const TraceError& error) {
    std::string message = error.what();
    const std::string prefix = folder.at("");
    for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
      message.erase(at, prefix.size());
    }
    return message;
  }
  return "no error";
}

std::string without(std::string text, const std::string& key) {
  const std::size_t at = text.find("-" + key + " =");
  text.erase(at, text.find('\n', at) + 1 - at);
  return text;
}

std::string with(std::string text, const std::string& key, const std::string& value) {
  const std::size_t at = text.find("-" + key + " =");
  text.replace(at, text.find('\n', at) - at, "-" + key + " = " + value);
  return text;
}

// A trace of one block with one warp of these lines; `insts` defaults to their number. The first line is line 23.
std::string body(const std::string& lines, const std::string& insts = "1") {
  return accelsim_header() + "#BEGIN_TB\nthread block = 0,0,0\n\nwarp = 0\ninsts = " + insts + "\n" + lines +
         "#END_TB\n";
}

std::string compressed_xz(const std::string& text) {
  std::string out(text.size() + 4096, '\0');
  std::size_t size = 0;
  const lzma_ret result =
      lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                              text.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  REQUIRE(result == LZMA_OK);
  out.resize(size);
  return out;
}

struct ErrorCase {
  std::string trace;
  std::string message;
};

void check(const std::vector<ErrorCase>& cases) {
  for (const ErrorCase& c : cases) {
    INFO(c.trace.substr(0, 600));
    CHECK(error_of(c.trace) == c.message);
  }
}

const std::string kGood = test::tiny_trace();
constexpr const char* kExitLine = "0040 ffffffff 0 EXIT 0 0 0 \n";

}  // namespace

TEST_CASE("Accel-Sim errors: the base of the cases is valid", "[frontend]") {
  CHECK(error_of(kGood) == "no error");
  CHECK(error_of(body(kExitLine)) == "no error");
  CHECK(error_of(compressed_xz(kGood)) == "no error");
}

TEST_CASE("Accel-Sim errors: each required header line is reported if it is missing", "[frontend]") {
  for (const char* key :
       {"kernel name", "grid dim", "block dim", "shmem", "nregs", "binary version", "accelsim tracer version"}) {
    CHECK(error_of(without(kGood, key)) ==
          std::string("k:14: the header ends without '-") + key + "'; expected a line '-" + key + " = ...'");
  }
}

TEST_CASE("Accel-Sim errors: all other header lines may be missing", "[frontend]") {
  for (const char* key :
       {"kernel id", "cuda stream id", "shmem base_addr", "local mem base_addr", "nvbit version", "enable lineinfo"}) {
    INFO(key);
    CHECK(error_of(without(kGood, key)) == "no error");
  }
}

TEST_CASE("Accel-Sim errors: header values out of range", "[frontend]") {
  check({
      {with(kGood, "grid dim", "(18446744073709551616,1,1)"),
       "k:3: '-grid dim' is '(18446744073709551616,1,1)'; expected (x,y,z) with x from 1 to 2147483647, y to 65535, z "
       "to 65535"},
      {with(kGood, "grid dim", "(0,1,1)"),
       "k:3: '-grid dim' is '(0,1,1)'; expected (x,y,z) with x from 1 to 2147483647, y to 65535, z to 65535"},
      {with(kGood, "grid dim", "(1,1)"),
       "k:3: '-grid dim' is '(1,1)'; expected (x,y,z) with x from 1 to 2147483647, y to 65535, z to 65535"},
      {with(kGood, "block dim", "(1024,2,1)"), "k:4: '-block dim' is '(1024,2,1)'; expected at most 1024 threads"},
      {with(kGood, "block dim", "32"),
       "k:4: '-block dim' is '32'; expected (x,y,z) with x from 1 to 1024, y to 1024, z to 1024"},
      {with(kGood, "shmem", "18446744073709551615"),
       "k:5: '-shmem' is '18446744073709551615'; expected an integer from 0 to 16777216"},
      {with(kGood, "nregs", "-1"), "k:6: '-nregs' is '-1'; expected an integer from 0 to 255"},
      {with(kGood, "shmem base_addr", "0xg"), "k:9: '-shmem base_addr' is '0xg'; expected a hexadecimal address"},
      {with(kGood, "accelsim tracer version", "6"), "k:12: tracer version 6 is not supported; expected 1 to 5"},
      {with(kGood, "accelsim tracer version", "0"),
       "k:12: '-accelsim tracer version' is '0'; expected an integer from 1 to 1000"},
      {with(kGood, "kernel id", "1\n-nregs = 9"), "k:7: '-nregs' appears twice; expected each key once"},
      {with(kGood, "kernel name", ""), "k:1: '-kernel name' is ''; expected a name"},
  });
}

TEST_CASE("Accel-Sim errors: files that are not a trace", "[frontend]") {
  const std::string not_header =
      "k:1: this is not a header line of an Accel-Sim trace; expected '-key = value' or '#traces format = ...'";
  check({
      {"", "k:1: the header ends without '-kernel name'; expected a line '-kernel name = ...'"},
      {"hello\n", not_header},
      {std::string("\x7f"
                   "ELF\x02\x01\0\0",
                   8),
       not_header},
      {"-kernel\n", "k:1: a header line has no '='; expected '-key = value'"},
      {std::string(600'000, 'x'), "k:1: the line is longer than 262144 bytes; expected a text file"},
  });
}

TEST_CASE("Accel-Sim errors: truncated and corrupt compressed files", "[frontend]") {
  const std::string xz = compressed_xz(kGood);
  CHECK_THAT(error_of(xz.substr(0, xz.size() - 20)),
             Catch::EndsWith("xz data ends in the middle; expected a complete file (was it truncated?)"));
  std::string corrupt = xz;
  corrupt[xz.size() / 2] = static_cast<char>(~corrupt[xz.size() / 2]);
  CHECK_THAT(error_of(corrupt),
             Catch::StartsWith("k: offset ") && Catch::EndsWith("xz data is corrupt; expected an undamaged file"));
  CHECK_THAT(error_of("\x1f\x8b\x08"), Catch::Contains("gzip data ends in the middle"));
  CHECK_THAT(error_of("\x28\xb5\x2f\xfd\x04"), Catch::Contains("zstd data ends in the middle"));
}

TEST_CASE("Accel-Sim errors: the structure of thread blocks", "[frontend]") {
  const std::string head = accelsim_header();
  check({
      {head, "k:16: the file ends after 0 of 1 thread blocks; expected every block of the grid"},
      {head + "thread block = 0,0,0\n", "k:17: 'thread block = 0,0,0' is out of place; expected #BEGIN_TB"},
      {head + "#BEGIN_TB\nwarp = 0\n", "k:18: 'warp = 0' is out of place; expected 'thread block = ...'"},
      {head + "#BEGIN_TB\nthread block = 0,0\n",
       "k:18: a thread block has three coordinates; expected 'thread block = x,y,z'"},
      {head + thread_block("1,0,0", ""), "k:19: the block coordinate is '1'; expected an integer from 0 to 0"},
      {head + thread_block("0,0,18446744073709551616", ""),
       "k:19: the block coordinate is '18446744073709551616'; expected an integer from 0 to 0"},
      {head + thread_block("0,0,0", "warp = 1\ninsts = 0\n"), "k:21: the warp is '1'; expected an integer from 0 to 0"},
      {head + thread_block("0,0,0", "warp = 0\ninsts = 0\nwarp = 0\ninsts = 0\n"),
       "k:23: warp 0 appears twice; expected each warp of a block once"},
      {head + thread_block("0,0,0", "warp = 0\n"), "k:23: '#END_TB' is out of place; expected 'insts = ...'"},
      {head + thread_block("0,0,0", "warp = 0\ninsts = 18446744073709551615\n"),
       "k:22: the number of instructions is '18446744073709551615'; expected an integer from 0 to 4294967295"},
      {head + thread_block("0,0,0", "") + thread_block("0,0,0", ""),
       "k:26: thread block 0,0,0 appears twice; expected each block once"},
      {accelsim_header(5, "(2,1,1)") + thread_block("0,0,0", ""),
       "k:23: the file ends after 1 of 2 thread blocks; expected every block of the grid"},
      {head + "#BEGIN_TB\nthread block = 0,0,0\n",
       "k:18: the file ends inside a thread block; expected #END_TB (was the trace truncated?)"},
      {head + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n" + kExitLine,
       "k:21: the file ends inside a thread block; expected #END_TB (was the trace truncated?)"},
  });
}

TEST_CASE("Accel-Sim errors: instruction counts that do not fit the lines", "[frontend]") {
  check({
      {body(kExitLine, "2"), "k:23: warp 0 has 1 instructions before '#END_TB'; expected 2 as its 'insts' line says"},
      {body(std::string(kExitLine) + kExitLine, "1"),
       "k:23: there are more instructions than the warp's 'insts' line says; expected 'warp = ...' or #END_TB"},
      {body(kExitLine, "-1"), "k:21: the number of instructions is '-1'; expected an integer from 0 to 4294967295"},
  });
}

TEST_CASE("Accel-Sim errors: fields of an instruction", "[frontend]") {
  check({
      {body("00g0 ffffffff 0 EXIT 0 0 0\n"), "k:22: the PC in column 1 is '00g0'; expected a hexadecimal number"},
      {body("fffffff0 ffffffff 0 EXIT 0 0 0\n"),
       "k:22: the PC is beyond 64 MiB; expected an offset in the kernel's code"},
      {body("0044 ffffffff 0 EXIT 0 0 0\n"), "k:22: the PC is not a multiple of 8; expected an instruction's offset"},
      {body("0040 fffffffff 0 EXIT 0 0 0\n"),
       "k:22: the active mask in column 6 is 'fffffffff'; expected a hexadecimal number"},
      {body("0040 ffffffff\n"),
       "k:22: the line ends after the active mask; expected the number of destination registers"},
      {body("0040 ffffffff 3 R1 R2 R3 MOV 0 0 0\n"),
       "k:22: the number of destination registers is 3; expected at most 2"},
      {body("0040 ffffffff 1 R256 MOV 0 0 0\n"), "k:22: the destination register is 256; expected at most 255"},
      {body("0040 ffffffff 1 MOV 0 0 0\n"),
       "k:22: the destination register in column 17 is 'MOV'; expected R and a number"},
      {body("0040 ffffffff 0 exit 0 0 0\n"), "k:22: the opcode is 'exit'; expected a name in capital letters"},
      {body("0040 ffffffff 0 EXIT 99999999999999999999 0 0\n"),
       "k:22: the number of source registers in column 22 is '99999999999999999999'; expected a decimal number"},
      {body("0040 ffffffff 0 EXIT 0 0\n"), "k:22: the line ends before the immediate; expected a decimal number"},
      {body("0040 ffffffff 0 EXIT 0 0 x\n"), "k:22: the immediate in column 26 is 'x'; expected a decimal number"},
  });
}

TEST_CASE("Accel-Sim errors: addresses that do not fit the mask", "[frontend]") {
  const std::string load = "0010 00000007 1 R4 LDG.E 1 R2 4 ";
  check({
      {body(load + "0 0x100 0x200 0\n"), "k:22: the line ends before the immediate; expected a decimal number"},
      {body(load + "0 0x100 0x200\n"),
       "k:22: the line ends before the address (one per active lane); expected a hexadecimal number"},
      {body(load + "0 0x100 0x200 0x300 0x400 0\n"),
       "k:22: the immediate in column 53 is '0x400'; expected a decimal number"},
      {body(load + "2 0x100 4 0\n"), "k:22: the line ends before the immediate; expected a decimal number"},
      {body(load + "2 0x100 4 4 4 0\n"),
       "k:22: a number follows where the line should end; expected one address or delta per active lane"},
      {body(load + "3 0x100 4 0\n"), "k:22: the address mode is 3; expected at most 2"},
      {body(load + "1 0x10000000000000000 4 0\n"),
       "k:22: the base address in column 37 is '10000000000000000'; expected a hexadecimal number"},
      {body("0010 00000005 1 R4 LDG.E 1 R2 4 1 0x100 4 0\n"),
       "k:22: a base and a stride are given for lanes that are not contiguous; expected address mode 0 or 2"},
      {body("0010 00000007 1 R4 LDG.E 1 R2 0 0\n"),
       "k:22: LDG.E has active lanes but no addresses; expected an access width and addresses"},
  });
}

TEST_CASE("Accel-Sim errors: a trace that does not fit its listing", "[frontend]") {
  const std::string head = "code for sm_80\nFunction : twice\n";
  const auto message = [&](const std::string& lines) {
    std::string text = error_of(body(kExitLine), head + lines);
    return text;
  };
  CHECK(message("/*0040*/ EXIT ;\n") == "no error");
  CHECK(message("/*0030*/ EXIT ;\n") ==
        "k:22: PC 0x0040 (EXIT) is not in func-1.sass; expected the code that was traced");
  CHECK(message("/*0040*/ BRA 0x40 ;\n") ==
        "k:22: PC 0x0040 is EXIT in the trace but BRA in func-1.sass; expected the same opcode");
  CHECK(message("/*0040*/ EXIT\n") == "func-1.sass:3: expected ';' at the end of the instruction");
}

}  // namespace warpsim
