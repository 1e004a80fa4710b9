#include "mechanisms/mechanism_library.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

// The least that is a shared library of 64 bits: the header, and one segment of `bytes` behind it.
std::string library_header(std::uint64_t bytes) {
  std::string file(64 + 56, '\0');
  const auto put = [&file](std::size_t at, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      file[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
    }
  };
  file.replace(0, 5,
               std::string("\x7f"
                           "ELF\x02"));
  put(16, 3, 2);    // a shared object
  put(32, 64, 8);   // program headers follow
  put(54, 56, 2);   // bytes of each
  put(56, 1, 2);    // one
  put(64, 1, 4);    // to be loaded
  put(72, 120, 8);  // from here
  put(96, bytes, 8);
  return file;
}

TEST_CASE("Files that are no complete library are refused before they are loaded") {
  const TemporaryFolder folder;
  const std::string path = folder.at("libmine.so");
  const std::string expected = "; expected a shared library with mechanisms";
  CHECK_THROWS_WITH(MechanismLibrary(path), path + ": cannot be read: there is no such file" + expected);
  folder.write("libmine.so", "replacement");
  CHECK_THROWS_WITH(MechanismLibrary(path), path + ": the file is too short" + expected);
  folder.write("libmine.so", std::string(500, 'x'));
  CHECK_THROWS_WITH(MechanismLibrary(path), path + ": the file is not a shared library" + expected);
  folder.write("libmine.so", library_header(100));
  CHECK_THROWS_WITH(MechanismLibrary(path), path + ": the file is truncated" + expected);
  folder.write("libmine.so", library_header(0).substr(0, 100));
  CHECK_THROWS_WITH(MechanismLibrary(path), path + ": the file is truncated" + expected);
}

TEST_CASE("What the linker refuses, and libraries of other purposes, are errors") {
  const TemporaryFolder folder;
  folder.write("libmine.so", library_header(0));
  CHECK_THROWS_WITH(MechanismLibrary(folder.at("libmine.so")), Catch::Contains("cannot be loaded: "));
}

}  // namespace
}  // namespace warpsim
