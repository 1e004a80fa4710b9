// Source lines of machine code: what nvcc writes, programs made by hand, damaged ones.
#include "sass/line_table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "sass/cubin_linker.h"
#include "sass/instruction_word.h"
#include "sass/line_writer.h"
#include "unit/sass/cubin_file.h"

namespace warpsim::sass {
namespace {

using Catch::Matchers::Contains;
using test::bytes_of;
using test::cubin_of;
using test::header_of;
using test::load_cubin;
using test::put;

// The lines of a function's instructions in order, without repetitions.
std::vector<std::uint32_t> lines_of(const Cubin& cubin, const std::string& name) {
  const CubinFunction* const function = cubin.find_function(name);
  REQUIRE(function != nullptr);
  std::vector<std::uint32_t> lines;
  for (std::uint64_t offset = 0; offset < function->bytes; offset += kInstructionBytes) {
    const LineRow* const row = row_at(cubin.lines().rows.at(function->section), function->offset + offset);
    const std::uint32_t line = row == nullptr ? 0 : row->line;
    if (line != 0) {
      CHECK(cubin.lines().files.at(row->file) == "/source/lines.cu");
    }
    if (lines.empty() || lines.back() != line) {
      lines.push_back(line);
    }
  }
  return lines;
}

// A cubin with this line program, whose only address is at offset `address_at`.
std::string with_program(const std::string& program, std::uint64_t address_at) {
  std::string file = load_cubin("lines.sm_90.cubin");
  const std::size_t begin = (file.size() + 7) / 8 * 8;
  file.resize(begin);
  file += program;
  const std::size_t lines = header_of(file, ".debug_line");
  put<std::uint64_t>(file, lines + 24, begin);
  put<std::uint64_t>(file, lines + 32, program.size());
  // The first relocation of the table remains.
  const std::size_t table = header_of(file, ".rela.debug_line");
  put<std::uint64_t>(file, table + 32, 24);
  put<std::uint64_t>(file, test::content_of(file, ".rela.debug_line"), address_at);
  return file;
}

std::string text_of(const std::vector<unsigned>& numbers) {
  std::string text;
  for (const unsigned number : numbers) {
    text += static_cast<char>(number);
  }
  return text;
}

std::string word(std::uint64_t value, std::size_t size) {
  std::string text(size, '\0');
  std::memcpy(text.data(), &value, size);
  return text;
}

// Sets an address, then: line 7 at 0, line 9 at 0x20, another file at 0x30, the end at 0x40.
std::string sequence(unsigned first_file, unsigned second_file) {
  return text_of({0, 9, 2}) + std::string(8, '\0') +
         text_of({4, first_file, 3, 6, 1, 2, 0x20, 3, 2, 1, 4, second_file, 2, 0x10, 1, 2, 0x10, 0, 1, 1});
}

struct Made {
  std::string program;
  std::uint64_t address_at = 0;
};

Made program_of(unsigned version, const std::string& tables, const std::string& instructions) {
  std::string rest = text_of({1}) + (version >= 4 ? text_of({1}) : "") +
                     text_of({1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1}) + tables;
  rest = word(rest.size(), 4) + rest;
  const std::string before = word(version, 2) + (version >= 5 ? text_of({8, 0}) : "");
  const std::string head = word(before.size() + rest.size() + instructions.size(), 4) + before + rest;
  return {head + instructions, head.size() + 3};
}

const std::string kOldTables = text_of({'/', 'd', 0, 0, 'a', 0, 1, 0, 0, '/', 'b', 0, 0, 0, 0, 0});
// Folders and files with a path (a text) and, of files, a folder (a number); files are counted from 0.
const std::string kNewTables =
    text_of({1, 1, 8, 2, '/', 'c', 0, '/', 'd', 0, 2, 1, 8, 2, 0xf, 2, 'a', 0, 1, '/', 'b', 0, 0});

std::string error_of(const Made& made) {
  const std::string file = with_program(made.program, made.address_at);
  try {
    const Cubin cubin(bytes_of(file), "x.cubin");
  } catch (const InvalidCubin& error) {
    return error.what();
  }
  return "no error";
}

const std::vector<LineRow>& only_rows(const Cubin& cubin) {
  const auto has_rows = [](const std::vector<LineRow>& rows) { return !rows.empty(); };
  REQUIRE(std::ranges::count_if(cubin.lines().rows, has_rows) == 1);
  return *std::ranges::find_if(cubin.lines().rows, has_rows);
}

}  // namespace

TEST_CASE("instructions have the lines of the source, inlined code those of its function", "[sass]") {
  const auto* const name =
      GENERATE("lines.sm_75.cubin", "lines.sm_90.cubin", "lines_unit.sm_75.cubin", "lines_unit.sm_90.cubin");
  CAPTURE(name);
  const Cubin cubin = cubin_of(name);
  const std::vector<std::uint32_t> store = lines_of(cubin, "store");
  // The division in inlined(), the two assignments.
  for (const std::uint32_t line : {11U, 18U, 19U}) {
    CHECK(std::ranges::count(store, line) >= 1);
  }
  const std::vector<std::uint32_t> called = lines_of(cubin, "_Z6calledi");
  CHECK(std::ranges::count(called, 14U) >= 1);
  CHECK(std::ranges::none_of(called, [](std::uint32_t line) { return line > 15; }));
}

TEST_CASE("a cubin without debug information has no lines", "[sass]") {
  const Cubin cubin = cubin_of("program.sm_90.cubin");
  CHECK(cubin.lines().files.empty());
  CHECK(cubin.lines().rows.empty());
}

TEST_CASE("linked code keeps the lines of its units", "[sass]") {
  const auto* const architecture = GENERATE("sm_75", "sm_90");
  const std::string unit = load_cubin("lines_unit." + std::string(architecture) + ".cubin");
  const std::vector<LinkInput> inputs{{bytes_of(unit), "unit"}};
  const std::string linked = link_cubins(
      inputs, [](std::string_view) { return false; }, "linked");
  const Cubin ours(bytes_of(linked), "linked");
  const Cubin theirs = cubin_of("lines." + std::string(architecture) + ".cubin");
  for (const char* const function : {"store", "_Z6calledi"}) {
    CHECK(lines_of(ours, function) == lines_of(theirs, function));
  }
}

TEST_CASE("line programs of versions 2 to 5 are read", "[sass]") {
  const unsigned version = GENERATE(2U, 3U, 4U, 5U);
  CAPTURE(version);
  const Made made =
      version == 5 ? program_of(version, kNewTables, sequence(0, 1)) : program_of(version, kOldTables, sequence(1, 2));
  const std::string file = with_program(made.program, made.address_at);
  const Cubin cubin(bytes_of(file), "made");
  const std::vector<LineRow>& rows = only_rows(cubin);
  const auto place_at = [&](std::uint64_t offset) {
    const LineRow* const row = row_at(rows, offset);
    return row == nullptr || row->line == 0 ? "none"
                                            : cubin.lines().files.at(row->file) + ":" + std::to_string(row->line);
  };
  CHECK(place_at(0) == "/d/a:7");
  CHECK(place_at(0x1f) == "/d/a:7");
  CHECK(place_at(0x20) == "/d/a:9");
  CHECK(place_at(0x30) == "/b:9");
  CHECK(place_at(0x3f) == "/b:9");
  CHECK(place_at(0x40) == "none");
}

TEST_CASE("of several rows at an offset the last one, the innermost, counts", "[sass]") {
  // Line 7, then line 3 at the same address.
  const std::string instructions =
      text_of({0, 9, 2}) + std::string(8, '\0') + text_of({3, 6, 1, 3, 0x7c, 1, 2, 0x10, 0, 1, 1});
  const Made made = program_of(2, kOldTables, instructions);
  const std::string file = with_program(made.program, made.address_at);
  CHECK(only_rows(Cubin(bytes_of(file), "made")) == std::vector<LineRow>{{0, 0, 3}, {0x10, 0, 0}});
}

TEST_CASE("damaged line programs are errors with their offset", "[sass]") {
  CHECK(error_of(program_of(6, kOldTables, sequence(1, 2))) ==
        "x.cubin: section .debug_line, offset 0x6: a line program of version 6; expected 2 to 5");
  CHECK_THAT(error_of(program_of(2, kOldTables, sequence(1, 3))), Contains("file 3 of 2"));
  CHECK_THAT(error_of(program_of(2, kOldTables, text_of({0, 9, 2}))), Contains("an extended instruction of 9 bytes"));
  CHECK_THAT(error_of(program_of(2, text_of({'a'}), "")), Contains("a text that does not end in the section"));
  CHECK_THAT(error_of(program_of(5, text_of({1, 1, 0x33, 1, 0}), "")),
             Contains("a value of form 0x33 in a table of files"));
  CHECK_THAT(error_of(program_of(5, text_of({0, 0xff, 0x7f}), "")), Contains("a table of files of"));
  CHECK_THAT(error_of(program_of(5, text_of({1, 1, 0x1f, 1, 0, 0, 0, 0}), "")), Contains("where no text is"));
  CHECK_THAT(error_of(program_of(2, kOldTables, text_of({3, 0x7e}))), Contains("line -1; expected 0 to 4294967295"));
  Made longer = program_of(2, kOldTables, sequence(1, 2));
  ++longer.program[0];
  CHECK_THAT(error_of(longer), Contains("a line program of"));
}

TEST_CASE("written rows are read as they were", "[sass]") {
  LineWriter writer;
  const std::vector<std::string> files{"/unused", "/one.cu", "two.cu"};
  const std::vector<LineRow> rows{{0, 1, 300}, {0x10, 2, 5}, {0x2000, 1, 70000}, {0x2010, 0, 0}};
  const std::uint64_t at = writer.add(rows, files, 0x3000);
  const std::vector<std::byte> section = writer.section();
  const std::string program(reinterpret_cast<const char*>(section.data()), section.size());
  const std::string file = with_program(program, at + writer.address_shift());
  const Cubin cubin(bytes_of(file), "written");
  CHECK(cubin.lines().files == std::vector<std::string>{"/one.cu", "two.cu"});
  CHECK(only_rows(cubin) ==
        std::vector<LineRow>{{0, 0, 300}, {0x10, 1, 5}, {0x2000, 0, 70000}, {0x2010, 0, 0}, {0x3000, 0, 0}});
  CHECK(LineWriter().section().empty());
}

}  // namespace warpsim::sass
