#include "report/csv.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

TEST_CASE("csv: lines are counted from the start of the text in its file") {
  const std::vector<CsvRow> rows = parse_csv("a,b\n\n\"two\nlines\",1\nc,2\n", "t.csv", 10);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].line == 10);
  CHECK(rows[1].line == 12);
  CHECK(rows[1].fields[0] == "two\nlines");
  CHECK(rows[2].line == 14);
  CHECK_THROWS_WITH(parse_csv("a\n\"b", "t.csv", 10), "t.csv:11: a quoted field has no closing quote");
}

TEST_CASE("csv: quoted text is read back unchanged") {
  for (const char* text : {"plain", "a,b", "a\"b", "\"", "a\nb", "a\rb"}) {
    const std::vector<CsvRow> rows = parse_csv("x," + csv_field(text) + "\n", "t.csv");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].fields.at(1) == text);
  }
}

TEST_CASE("csv: sizes of three extents") {
  CHECK(dim3_in("(256, 2, 3)") == Dim3{256, 2, 3});
  CHECK(dim3_in("7") == Dim3{7, 1, 1});
  CHECK(dim3_in("") == Dim3{1, 1, 1});
}

}  // namespace
}  // namespace warpsim
