#include "report/output_file.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/temporary_folder.h"

using namespace warpsim;

namespace {

TEST_CASE("an output file is written whole or not at all") {
  const TemporaryFolder folder;
  const std::string path = folder.write("page.html", "old");
  write_output_file(path, "new");
  CHECK(TemporaryFolder::read(path) == "new");
  CHECK_THROWS_WITH(write_output_file(folder.at("no/page.html"), "x"), Catch::EndsWith("page.html: cannot be written"));
  std::filesystem::create_directory(folder.at("folder"));
  CHECK_THROWS_AS(write_output_file(folder.at("folder"), "x"), UserError);
  // Nothing is left beside them.
  const std::filesystem::directory_iterator entries(std::filesystem::path(path).parent_path());
  CHECK(std::distance(begin(entries), end(entries)) == 2);
}

TEST_CASE("a device is written to, not replaced; a full one is an error") {
  if (!std::filesystem::is_character_file("/dev/full")) {
    WARN("skipped: there is no /dev/full");
    return;
  }
  CHECK_THROWS_WITH(write_output_file("/dev/full", std::string(100000, 'x')), "/dev/full: cannot be written");
  CHECK(std::filesystem::is_character_file("/dev/full"));
  write_output_file("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
