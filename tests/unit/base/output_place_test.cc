#include "base/output_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

TEST_CASE("output place: an input by any of its names is refused") {
  const TemporaryFolder folder;
  const std::string input = folder.write("sub/input.csv", "x");
  fs::create_symlink(input, folder.at("link"));
  fs::create_hard_link(input, folder.at("hard"));
  fs::create_directory_symlink(folder.at("sub"), folder.at("other"));
  for (const char* const name : {"sub/input.csv", "sub/../sub/./input.csv", "link", "hard", "other/input.csv"}) {
    OutputPlaces places;
    places.add_input(input, "the measurements that are read");
    CAPTURE(name);
    CHECK_THROWS_WITH(
        places.add_output(folder.at(name), "--csv"),
        "--csv '" + folder.at(name) + "': that is the measurements that are read; expected a file of its own");
  }
}

TEST_CASE("output place: two outputs are distinguished before they exist") {
  const TemporaryFolder folder;
  fs::create_directory(folder.at("sub"));
  fs::create_directory_symlink(folder.at("sub"), folder.at("other"));
  fs::create_symlink(folder.at("sub/new.db"), folder.at("dangling"));
  for (const char* const name : {"sub/new.db", "sub//new.db", "other/new.db", "dangling"}) {
    OutputPlaces places;
    places.add_output(folder.at("sub/new.db"), "--out");
    CAPTURE(name);
    CHECK_THROWS_WITH(places.add_output(folder.at(name), "--timeline"),
                      Catch::EndsWith("': that is what --out writes; expected a file of its own"));
  }
  OutputPlaces places;
  places.add_output(folder.at("sub/new.db"), "--out");
  places.add_output(folder.at("sub/new.db2"), "--timeline");
  places.add_output("", "--csv");
}

TEST_CASE("output place: the journal files of a database belong to it, as input and output") {
  const TemporaryFolder folder;
  const std::string database = folder.write("r.db", "");
  OutputPlaces places;
  places.add_input(database, "the database", OutputPlaces::Kind::kDatabase);
  CHECK_THROWS_AS(places.add_output(folder.at("r.db-wal"), "--out"), UsageError);
  CHECK_THROWS_AS(places.add_output(folder.at("r.db-journal"), "--out"), UsageError);
  OutputPlaces others;
  others.add_input(folder.write("s.db-wal", ""), "a trace");
  CHECK_THROWS_AS(others.add_output(folder.at("s.db"), "--out", OutputPlaces::Kind::kDatabase), UsageError);
  others.add_output(folder.at("s.db"), "--csv");
}

TEST_CASE("output place: folders, pipes, devices and names of the system are refused") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.at("pipe").c_str(), 0600) == 0);
  fs::create_symlink("/dev/null", folder.at("null"));
  CHECK_THROWS_WITH(require_output_place(folder.at(".")),
                    Catch::Contains("it is a folder; expected the name of a new file"));
  CHECK_THROWS_WITH(require_output_place(folder.at("pipe")), Catch::Contains("it is a pipe"));
  CHECK_THROWS_WITH(require_output_place("/dev/null"), Catch::Contains("it is a device"));
  CHECK_THROWS_WITH(require_output_place(folder.at("null")), Catch::Contains("it is a device"));
  CHECK_THROWS_WITH(require_output_place("/dev/new"), Catch::Contains("it is a name of the system"));
  CHECK_THROWS_WITH(require_output_place("/dev/fd/77"), Catch::Contains("it is a name of the system"));
  CHECK_THROWS_WITH(require_output_place(folder.at("no/such.db")),
                    Catch::EndsWith("cannot be written: there is no folder " + folder.at("no")));
  CHECK_THROWS_AS(require_output_place(""), UserError);
  CHECK_NOTHROW(require_output_place(folder.at("new")));
  CHECK_NOTHROW(require_output_place(folder.write("old", "")));
}

}  // namespace
}  // namespace warpsim
