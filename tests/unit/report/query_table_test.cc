#include "report/query_table.h"

#include <catch2/catch.hpp>

#include "base/check.h"
#include "base/error.h"
#include "support/temporary_folder.h"

using namespace warpsim;

namespace {

TEST_CASE("query tables keep the stored types, and bind parameters in order") {
  const TemporaryFolder folder;
  const Database database(folder.at("t.db"), Database::Mode::kCreate);
  const QueryTable table = read_table(database, "SELECT ? AS a, ? AS b, 1.5 AS c, NULL AS d, 'x' || ? AS e",
                                      {std::int64_t{7}, std::string("two"), std::int64_t{3}});
  REQUIRE(table.columns == std::vector<std::string>{"a", "b", "c", "d", "e"});
  REQUIRE(table.rows.size() == 1);
  CHECK(std::get<std::int64_t>(table.at(0, "a")) == 7);
  CHECK(text_of(table.at(0, "b")) == "two");
  CHECK(text_of(table.at(0, "c")) == "1.5");
  CHECK(text_of(table.at(0, "d")).empty());
  CHECK(text_of(table.at(0, "e")) == "x3");
  CHECK(number_in(table.at(0, "a")) == 7.0);
  CHECK(number_in(table.at(0, "c")) == 1.5);
  CHECK_FALSE(number_in(table.at(0, "d")));
  CHECK_FALSE(number_in(table.at(0, "b")));
  CHECK_THROWS_AS(table.column("f"), InternalError);
}

TEST_CASE("query tables: an integer of another type is an error with database and column") {
  const TemporaryFolder folder;
  const Database database(folder.at("t.db"), Database::Mode::kCreate);
  const QueryTable table = read_table(database, "SELECT 7 AS a, 'x' AS b, NULL AS c, 1.5 AS d");
  CHECK(table.integer(0, "a") == 7);
  const std::string place = folder.at("t.db") + ": column ";
  CHECK_THROWS_WITH(table.integer(0, "b"), place + "'b' holds 'x'; expected an integer (is the file damaged?)");
  CHECK_THROWS_WITH(table.integer(0, "c"), place + "'c' holds nothing; expected an integer (is the file damaged?)");
  CHECK_THROWS_AS(table.integer(0, "d"), DatabaseError);
}

}  // namespace
