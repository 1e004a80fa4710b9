#include "stats/schema_layout.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "stats/database.h"
#include "stats/schema.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

// The error of check_schema() for a database that was changed by `sql`.
std::string error_after(const std::string& sql) {
  const TemporaryFolder folder;
  Database database(folder.at("r.db"), Database::Mode::kCreate);
  create_schema(database);
  database.execute(sql);
  try {
    check_schema(database);
  } catch (const DatabaseError& error) {
    const std::string message = error.what();
    REQUIRE(message.starts_with(folder.at("r.db") + ": "));
    return message.substr(folder.at("r.db").size() + 2);
  }
  return "";
}

TEST_CASE("schema layout: a database of this schema is accepted, also with tables of the user's own") {
  CHECK(error_after("").empty());
  CHECK(error_after("CREATE TABLE mine (a); CREATE VIEW ours AS SELECT a FROM mine").empty());
}

TEST_CASE("schema layout: missing parts are reported") {
  const std::string end = "; expected all tables of a results database (is the file damaged?)";
  CHECK(error_after("DROP VIEW hot_spots; DROP TABLE run_note") == "there is no view 'hot_spots'" + end);
  CHECK(error_after("DROP TABLE run_note") == "there is no table 'run_note'" + end);
  CHECK(error_after("DROP VIEW comparison; CREATE TABLE comparison (a)") == "there is no view 'comparison'" + end);
  CHECK(error_after("DROP VIEW comparison; CREATE VIEW comparison AS SELECT 1 AS gpu")
            .starts_with("view 'comparison' has no column '"));
  CHECK(error_after("DROP TABLE run_note; CREATE TABLE run_note (run_id, number)") ==
        "table 'run_note' has no column 'note'" + end);
}

}  // namespace
}  // namespace warpsim
