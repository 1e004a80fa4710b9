#include "app/options/disassemble_options.h"

#include <catch2/catch.hpp>

#include "base/error.h"

namespace warpsim {
namespace {

TEST_CASE("options of disassemble: one file, and what is printed of it") {
  const DisassembleOptions plain = *parse_disassemble_options({"x.cubin"});
  CHECK(plain.file == "x.cubin");
  CHECK(plain.function.empty());
  CHECK(plain.target.empty());
  CHECK_FALSE(plain.words);
  const DisassembleOptions all = *parse_disassemble_options({"x", "--hex", "--arch", "sm_90a", "--function", "saxpy"});
  CHECK(all.function == "saxpy");
  CHECK(all.target == "sm_90a");
  CHECK(all.architecture == 90);
  CHECK(all.words);
  CHECK_FALSE(all.is_ptx);
  CHECK(parse_disassemble_options({"x.ptx"})->is_ptx);
  CHECK_FALSE(parse_disassemble_options({"--help"}));
}

TEST_CASE("options of disassemble: each error has its message") {
  CHECK_THROWS_AS(parse_disassemble_options({}), UsageError);
  CHECK_THROWS_AS(parse_disassemble_options({"a", "b"}), UsageError);
  CHECK_THROWS_WITH(parse_disassemble_options({"x.ptx", "--hex"}),
                    "--hex: code that is generated for PTX has no words (see 'warpsim disassemble --help')");
  for (const char* const word : {"90", "sm_", "sm_9x", "compute_90", "sm_90aa", "sm_99999999999"}) {
    CHECK_THROWS_WITH(parse_disassemble_options({"x", "--arch", word}),
                      "--arch '" + std::string(word) +
                          "': expected an architecture such as sm_90 or sm_90a (see "
                          "'warpsim disassemble --help')");
  }
}

}  // namespace
}  // namespace warpsim
