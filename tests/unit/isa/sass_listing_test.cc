#include "isa/sass_listing.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "base/error.h"

namespace warpsim {
namespace {

std::vector<StaticProgram> parsed(const std::string& text, SassListingParser::Filter wanted = {}) {
  if (!wanted) {
    wanted = [](std::string_view, std::uint32_t) { return true; };
  }
  SassListingParser parser("some.sass", std::move(wanted));
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    parser.line(line);
  }
  return parser.finish();
}

constexpr const char* kHopperListing = R"sass(
	code for sm_90
		Function : _Z1av
	.headerflags	@"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                     /* 0x00000a00ff017b82 */
                                                                              /* 0x000ff00000000800 */
        /*0010*/              @!P0 BRA 0x17a0 ;                               /* 0x0000001400bc8947 */
                                                                              /* 0x00cfea0003800000 */
		..........

		Function : _Z1bv
        /*0000*/                   EXIT ;                                     /* 0x000000000000794d */
                                                                              /* 0x000fea0003800000 */
)sass";

}  // namespace

TEST_CASE("SASS listing: functions, offsets, text and control bits of sm_90", "[isa]") {
  const std::vector<StaticProgram> programs = parsed(kHopperListing);
  REQUIRE(programs.size() == 2);
  const StaticProgram& a = programs[0];
  CHECK(a.function == "_Z1av");
  CHECK(a.architecture == 90);
  CHECK(a.has_listing);
  CHECK(a.has_control);
  CHECK(a.instruction_bytes == 16);
  REQUIRE(a.instructions.size() == 2);
  CHECK(a.instructions[1].pc == 0x10);
  CHECK(a.instructions[1].guard == 0);
  CHECK(a.instructions[1].control.wait_mask == 0b001100);
  CHECK(a.instructions[1].has_control);
  CHECK(a.text[0] == "LDC R1, c[0x0][0x28]");
  CHECK(a.opcodes[a.instructions[0].opcode] == "LDC");
  CHECK(programs[1].function == "_Z1bv");
}

TEST_CASE("SASS listing: only requested functions are kept", "[isa]") {
  const auto programs = parsed(kHopperListing, [](std::string_view name, std::uint32_t) { return name == "_Z1bv"; });
  REQUIRE(programs.size() == 1);
  CHECK(programs[0].instructions.size() == 1);
}

TEST_CASE("SASS listing: without encodings there are no control bits", "[isa]") {
  const auto programs = parsed("code for sm_90\nFunction : f\n/*0000*/ NOP ;\n/*0010*/ EXIT ;\n");
  REQUIRE(programs.size() == 1);
  CHECK(programs[0].instructions.size() == 2);
  CHECK_FALSE(programs[0].has_control);
}

TEST_CASE("SASS listing: a malformed line is an error with file and line", "[isa]") {
  struct Case {
    const char* text;
    const char* message;
  };
  const std::string head = "code for sm_90\nFunction : f\n";
  const Case cases[] = {
      {"/*0000*/ NOP /* 0x0 */\n", "some.sass:3: expected ';' at the end of the instruction"},
      {"/*zz*/ NOP ;\n", "some.sass:3: 'zz' is not an instruction's offset; expected hexadecimal digits"},
      {"/*0000*/ 12 ;\n", "some.sass:3: expected an opcode, got '12'"},
      {"/*0000 NOP ;\n", "some.sass:3: a comment does not end; expected '*/'"},
      {"/* 0x00 */\n", "some.sass:3: an encoding without its instruction"},
      {"/*0000*/ NOP ; /* 0x00 */\n/*0010*/ NOP ; /* 0x00 */\n",
       "some.sass:4: the second half of the previous instruction's encoding is missing"},
      {"/*0000*/ N\xc3P ;\n", "some.sass:3: a character outside ASCII in an instruction; expected SASS"},
      {"/*0006*/ NOP ;\n", "some.sass:3: offset 0x0006 is not a multiple of 8; expected the offset of an instruction"},
      {"/*0010*/ NOP ;\n/*0000*/ NOP ;\n",
       "some.sass:4: offset 0x0000 does not follow 0x0010; expected increasing offsets"},
      {"/*0000*/ NOP ; /* 0xzz */\n", "some.sass:3: malformed encoding; expected /* 0x<16 hex digits> */"},
      {"/*0000*/ NOP ; /* 0x00 */\n",
       "some.sass:4: the second half of the last instruction's encoding is missing; expected /* 0x<16 hex digits> */"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    try {
      parsed(head + c.text);
      FAIL("no error");
    } catch (const TraceError& error) {
      CHECK(std::string(error.what()) == c.message);
    }
  }
}

}  // namespace warpsim
