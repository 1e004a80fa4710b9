// The printed code of cubins, and that the reader of listings reads it back.
#include "sass/cubin_listing.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "isa/sass_listing.h"
#include "sass/decoder.h"
#include "unit/sass/cubin_file.h"

namespace warpsim::sass {
namespace {

using test::cubin_of;
using test::number_at;

std::string listing(const Cubin& cubin, const ListingOptions& options, std::size_t sections) {
  std::ostringstream out;
  CHECK(print_listing(cubin, options, out) == sections);
  return out.str();
}

std::vector<StaticProgram> read_back(const std::string& text) {
  SassListingParser parser("listing", [](std::string_view, std::uint32_t) { return true; });
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    parser.line(line);
  }
  return parser.finish();
}

TEST_CASE("the listing with words has all instructions of the code for the reader of listings") {
  const auto* const name = GENERATE("program.sm_75.cubin", "program.sm_80.cubin", "program.sm_90.cubin",
                                    "linked.sm_90.cubin", "relocatable.sm_75.cubin");
  CAPTURE(name);
  const Cubin cubin = cubin_of(name);
  std::vector<const CubinSection*> code;
  for (const CubinSection& section : cubin.sections()) {
    if (section.kind == CubinSection::Kind::kCode) {
      code.push_back(&section);
    }
  }
  const std::vector<StaticProgram> programs = read_back(listing(cubin, {.words = true, .wanted = {}}, code.size()));
  REQUIRE(programs.size() == code.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    CHECK(".text." + programs[i].function == code[i]->name);
    CHECK(programs[i].architecture == cubin.architecture());
    CHECK(programs[i].has_control);
    REQUIRE(programs[i].instructions.size() * kInstructionBytes == code[i]->content.size());
    for (const StaticInstruction& instruction : programs[i].instructions) {
      // The stall cycles are bits 108 to 105 of the word.
      const auto high = number_at<std::uint64_t>(code[i]->content, instruction.pc + 8);
      CHECK(instruction.control.stall_cycles == (high >> 41U & 0xfU));
    }
  }
}

TEST_CASE("a listing has a header for each function, aligned mnemonics and the end that is not executed") {
  const ListingOptions report{.words = false, .wanted = [](std::string_view name) { return name == "report"; }};
  const std::string text = listing(cubin_of("program.sm_90.cubin"), report, 1);
  CHECK(
      text.starts_with("\n\tcode for sm_90\n\t.target\tsm_90\n\n\t\tFunction : report\n"
                       "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"));
  CHECK(text.find("        /*00f0*/                   EXIT ;\n"
                  "        /*0100*/                   BRA 0x100;\n"
                  "        /*0110*/                   NOP;\n") != std::string::npos);
  CHECK(text.ends_with("        /*01f0*/                   NOP;\n\t\t..........\n\n\n"));
  const ListingOptions steps{.words = false, .wanted = [](std::string_view name) { return name == "steps"; }};
  CHECK(listing(cubin_of("program.sm_90.cubin"), steps, 1).find("\n        /*0120*/               @P0 BRA 0x220 ;\n") !=
        std::string::npos);
}

TEST_CASE("words are in one column after the longest line, the upper half below") {
  const ListingOptions report{.words = true, .wanted = [](std::string_view name) { return name == "report"; }};
  std::istringstream lines(listing(cubin_of("program.sm_90.cubin"), report, 1));
  std::size_t longest = 0;
  std::vector<std::size_t> columns;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t word = line.find("/* 0x");
    if (word != std::string::npos) {
      columns.push_back(word);
      const std::size_t end = line.find(';');
      longest = end == std::string::npos ? longest : std::max(longest, end + 1);
    }
  }
  CHECK(columns == std::vector<std::size_t>(std::size_t{2} * 0x20, longest + 2));
}

TEST_CASE("a function inside a kernel selects the section of the kernel") {
  const ListingOptions triple{.words = false,
                              .wanted = [](std::string_view name) { return name.ends_with("triplei"); }};
  CHECK(listing(cubin_of("program.sm_80.cubin"), triple, 1).find("Function : steps\n") != std::string::npos);
  CHECK(listing(cubin_of("linked.sm_90.cubin"), triple, 1).find("Function : _Z6triplei\n") != std::string::npos);
  const ListingOptions none{.words = false, .wanted = [](std::string_view) { return false; }};
  CHECK(listing(cubin_of("program.sm_80.cubin"), none, 0).empty());
}

TEST_CASE("an unknown instruction names file, function, address and bits") {
  std::string file = test::load_cubin("program.sm_75.cubin");
  test::put<std::uint64_t>(file, test::content_of(file, ".text.report") + 0x30, 0xffffffffffffffff);
  const Cubin cubin(test::bytes_of(file), "x.cubin");
  std::ostringstream out;
  CHECK_THROWS_WITH(print_listing(cubin, {}, out), Catch::Contains("x.cubin: function report: instruction 0x") &&
                                                       Catch::Contains("ffffffffffffffff at 0x0030 of code for sm_75"));
  CHECK(out.str().empty());
}

}  // namespace
}  // namespace warpsim::sass
