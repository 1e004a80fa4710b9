// Robustness of the parser: any text is a module or a PtxError, in short time and little memory.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ptx/parser.h"
#include "support/ptx_invariants.h"

namespace warpsim::ptx {
namespace {

std::vector<std::filesystem::path> bundled_modules() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(WARPSIM_SOURCE_DIR "/tests/data/ptx")) {
    paths.push_back(entry.path());
  }
  return paths;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Whether the text is a module.
bool parses(std::string_view text) {
  try {
    check_invariants(*parse_module(text, "t.ptx"));
    return true;
  } catch (const PtxError&) {
    return false;
  }
}

TEST_CASE("Compiler output, and all forms that compilers do not write, are read completely") {
  const std::vector<std::filesystem::path> paths = bundled_modules();
  REQUIRE(paths.size() >= 5);
  for (const std::filesystem::path& path : paths) {
    INFO(path.filename());
    CHECK_NOTHROW(check_invariants(*parse_module(text_of(path), path.filename())));
  }
}

TEST_CASE("A module truncated anywhere is a module or an error") {
  for (const std::filesystem::path& path : bundled_modules()) {
    const std::string text = text_of(path);
    std::size_t modules = 0;
    for (std::size_t length = 0; length <= text.size(); ++length) {
      modules += parses(std::string_view(text).substr(0, length)) ? 1 : 0;
    }
    INFO(path.filename());
    CHECK(modules > 0);
    CHECK(modules < text.size());
  }
}

TEST_CASE("A module that lacks a character is a module or an error") {
  for (const std::filesystem::path& path : bundled_modules()) {
    const std::string text = text_of(path);
    for (std::size_t at = 0; at < text.size(); at += 3) {
      std::string shorter = text;
      shorter.erase(at, 1);
      parses(shorter);
    }
  }
  SUCCEED();
}

std::string repeated(const std::string& text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) {
    all += text;
  }
  return all;
}

TEST_CASE("A megabyte of one construct is read in linear time") {
  const std::string head = ".version 9.0\n.target sm_90a\n";
  const std::string kernel = head + ".entry k() {\n.reg .b32 %r<4000000000>;\n";
  const std::size_t size = 1 << 20;
  for (const char* unit : {"{", "(", "[", "-", "1?", "1+", "a;", "_,", ".a", "L:", "/*", "\"", "\xff", "{}", "bra a;",
                           "{.reg .b32 %r<9>;}"}) {
    INFO(unit);
    CHECK_FALSE(parses(kernel + repeated(unit, size)));
    CHECK_FALSE(parses(kernel + "mov.b32 " + repeated(unit, size)));
    CHECK_FALSE(parses(head + ".global .u32 x[] = {" + repeated(unit, size)));
  }
  CHECK(parses(head + ".global .u8 x[] = {0" + repeated(",0", size) + "};"));
  CHECK(parses(head + ".global .u8 x" + repeated("[1]", size) + ";"));
  CHECK(parses(head + repeated(".func f;", size)));
  CHECK(parses(kernel + repeated("a _|_, {_}, [5];", size) + "}"));
}

}  // namespace
}  // namespace warpsim::ptx
