// The report's arithmetic, with numbers that are easy to follow.
#include <catch2/catch.hpp>

#include <cmath>

#include "base/error.h"
#include "microbench/report.h"

namespace warpsim::microbench {
namespace {

constexpr const char* kHead = "bench,name,unit,median,min,max,runs\n";

std::vector<HardwareValue> table_of(const std::string& rows) {
  return parse_hardware_values(kHead + rows, "micro.csv");
}

Family family_of(const std::vector<std::string>& names) {
  Family family;
  family.bench = "a";
  for (const std::string& name : names) {
    family.probes.push_back({name, {}});
  }
  return family;
}

TEST_CASE("an error is relative to the median of the hardware and keeps its sign") {
  const FamilyReport report = make_report(family_of({"x"}), table_of("a,x,cycles,8,7,9,3\n"), {{"x", 6.0}});
  REQUIRE(report.rows.size() == 1);
  CHECK(*report.rows[0].error() == Approx(-0.25));
  CHECK(report.summary.worst == Approx(0.25));
}

TEST_CASE("a hardware value of 0 has no error if the simulator also has 0, and an infinite one otherwise") {
  const auto table = table_of("a,x,cycles,0,0,0,3\na,y,cycles,0,0,0,3\n");
  const FamilyReport report = make_report(family_of({"x", "y"}), table, {{"x", 0.0}, {"y", 1.0}});
  CHECK(*report.rows[0].error() == 0);
  CHECK(std::isinf(*report.rows[1].error()));
}

TEST_CASE("the summary has the mean of the two middle errors, the ninth of ten and the maximum") {
  // Errors of 1 to 10 per cent.
  std::string rows;
  std::vector<std::string> names;
  std::map<std::string, double> simulated;
  for (int i = 1; i <= 10; ++i) {
    names.push_back("v" + std::to_string(i));
    rows += "a," + names.back() + ",cycles,100,100,100,3\n";
    simulated[names.back()] = i % 2 == 0 ? 100 + i : 100 - i;
  }
  const Summary summary = make_report(family_of(names), table_of(rows), simulated).summary;
  CHECK(summary.median == Approx(0.055));
  CHECK(summary.percentile_90 == Approx(0.09));
  CHECK(summary.worst == Approx(0.10));
  CHECK(summary.worst_name == "v10");
}

TEST_CASE("of three errors the middle one is the median and the maximum the 90th percentile") {
  const auto table = table_of("a,x,c,100,1,1,3\na,y,c,100,1,1,3\na,z,c,100,1,1,3\n");
  const Summary summary =
      make_report(family_of({"x", "y", "z"}), table, {{"x", 101.0}, {"y", 104.0}, {"z", 98.0}}).summary;
  CHECK(summary.median == Approx(0.02));
  CHECK(summary.percentile_90 == Approx(0.04));
}

TEST_CASE("a value is covered by a probe, uncovered with a reason, or not considered") {
  Family family = family_of({"x"});
  family.uncovered = {{"y.*", "no such thing"}};
  const auto table = table_of("a,x,c,1,1,1,3\na,y.1,c,1,1,1,3\na,y.2,c,1,1,1,3\na,z,c,1,1,1,3\nb,x,c,1,1,1,3\n");
  const FamilyReport report = make_report(family, table, {});
  CHECK(report.summary.values == 4);
  CHECK(report.summary.covered == 1);
  CHECK(report.summary.compared == 0);
  CHECK(report.uncovered == std::map<std::string, std::size_t>{{"y.*: no such thing", 2}});
  CHECK(report.not_considered == std::vector<std::string>{"z"});
}

TEST_CASE("a probe that the table lacks is an error, and so is one that appears twice") {
  CHECK_THROWS_AS(make_report(family_of({"w"}), table_of("a,x,c,1,1,1,3\n"), {}), UserError);
  CHECK_THROWS_AS(make_report(family_of({"x", "x"}), table_of("a,x,c,1,1,1,3\n"), {}), UserError);
}

TEST_CASE("a table with a wrong heading, a word for a number or a value twice is refused") {
  CHECK_THROWS_AS(parse_hardware_values("bench,name\n", "micro.csv"), UserError);
  CHECK_THROWS_AS(table_of("a,x,c,one,1,1,3\n"), UserError);
  CHECK_THROWS_AS(table_of("a,x,c,1,1,1,3\na,x,c,1,1,1,3\n"), UserError);
}

TEST_CASE("a star in a pattern stands for any characters, including none") {
  CHECK(matches("a.*.c", "a.b.c"));
  CHECK(matches("a*", "a"));
  CHECK(matches("*b*b", "abab"));
  CHECK_FALSE(matches("a.*.c", "a.b.d"));
  CHECK_FALSE(matches("a", "ab"));
}

TEST_CASE("the CSV has each value with its error in per cent, or the reason why it has none") {
  Family family = family_of({"x"});
  family.uncovered = {{"y", "a, b"}};
  const auto table = table_of("a,x,c,4,3,5,3\na,y,c,1,1,1,3\n");
  CHECK(render_csv({make_report(family, table, {{"x", 5.0}})}) ==
        "bench,name,unit,hardware,min,max,simulated,error_percent,reason\n"
        "a,x,c,4,3,5,5,25.0000,\n"
        "a,y,c,1,1,1,,,\"a, b\"\n");
}

}  // namespace
}  // namespace warpsim::microbench
