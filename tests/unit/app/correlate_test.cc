#include <catch2/catch.hpp>
#include <cmath>

#include "app/correlate_command.h"
#include "app/correlation.h"
#include "app/hardware_csv.h"
#include "base/error.h"
#include "stats/database.h"
#include "stats/results_writer.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

TEST_CASE("hardware csv: quoted fields, remarks in headings and odd line ends") {
  const HardwareTable table = parse_hardware_csv(
      "workload,launch,kernel,grid,block,status,runs,m.sum,m.sum (min),n.avg\r\n"
      "bfs,0,\"k \"\"x\"\"\",\"(256, 2, 1)\",\"(32, 1, 1)\",PASS,3,10.5,9,\r\n"
      "\r\n"
      "bfs,1,k,\"(1, 1, 1)\",\"(64, 1, 1)\",FAIL,3,1e3,9,n/a",
      "hw.csv");
  CHECK(table.metrics == std::vector<std::string>{"m.sum", "n.avg"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].workload == "bfs");
  CHECK(table.rows[0].launch.kernel == "k \"x\"");
  CHECK(table.rows[0].launch.grid == Dim3{256, 2, 1});
  CHECK(table.rows[0].launch.block == Dim3{32, 1, 1});
  CHECK(table.rows[0].launch.metrics[0].second == 10.5);
  CHECK_FALSE(table.rows[0].launch.metrics[1].second.has_value());
  CHECK(table.rows[0].passed);
  CHECK(table.rows[1].launch.launch_index == 1);
  CHECK(table.rows[1].launch.metrics[0].second == 1000);
  CHECK_FALSE(table.rows[1].passed);
}

TEST_CASE("hardware csv: each mistake has its place") {
  const auto error_of = [](const std::string& text) {
    try {
      parse_hardware_csv(text, "hw.csv");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(error_of("") == "hw.csv: empty; expected a CSV file with one row a launch");
  CHECK(error_of("name,launch\n") == "hw.csv:1: expected the columns 'workload' and 'launch' in the first line");
  CHECK(error_of("workload,launch,m\na,0\n") == "hw.csv:2: 2 fields, but the first line has 3");
  CHECK(error_of("workload,launch,m\na,x,1\n") == "hw.csv:2: the launch must be a number from 0, got 'x'");
  CHECK(error_of("workload,launch,m\na,0,many\n") == "hw.csv:2: 'm' must be a number, got 'many'");
  CHECK(error_of("workload,launch,m\na,0,1\na,0,2\n") == "hw.csv:3: launch 0 of a is there twice");
  CHECK(error_of("workload,launch,m\na,0,\"1\n") == "hw.csv:2: a quoted field never ends");
  CHECK_THROWS_WITH(read_hardware_csv("/no/such.csv"),
                    "/no/such.csv: cannot be read; expected a CSV file with one row a launch");
}

TEST_CASE("hardware csv: a field is quoted where it must be") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("a\"b") == "\"a\"\"b\"");
}

TEST_CASE("correlation: errors by hand") {
  // +10 %, -50 %, 0 %.
  const Correlation result = correlate({{"a", 100, 110}, {"b", 200, 100}, {"c", 50, 50}});
  CHECK(result.compared == 3);
  CHECK(*result.mean_absolute_error == Approx(0.2));
  CHECK(*result.mean_error == Approx(-0.4 / 3));
  CHECK(*result.worst == 1);
  CHECK(result.hardware_zero == 0);
}

TEST_CASE("correlation: where hardware counts 0 there is no relative error") {
  const Correlation result = correlate({{"a", 0, 0}, {"b", 0, 7}, {"c", 10, 12}});
  CHECK(result.compared == 1);
  CHECK(result.hardware_zero == 2);
  CHECK(result.hardware_zero_simulated_not == 1);
  CHECK(*result.mean_absolute_error == Approx(0.2));
  CHECK(*result.worst == 2);
  const Correlation none = correlate({{"a", 0, 5}});
  CHECK_FALSE(none.mean_absolute_error.has_value());
  CHECK_FALSE(none.worst.has_value());
}

TEST_CASE("correlation: Pearson's r by hand") {
  CHECK(*pearson({1, 2, 3}, {2, 4, 6}) == Approx(1.0));
  CHECK(*pearson({1, 2, 3}, {6, 4, 2}) == Approx(-1.0));
  // Deviations -1 0 1 and -1 1 0: covariance 1, both variances 2.
  CHECK(*pearson({1, 2, 3}, {1, 3, 2}) == Approx(0.5));
  CHECK_FALSE(pearson({1}, {1}).has_value());
  CHECK_FALSE(pearson({1, 2}, {3, 3}).has_value());
  // On logarithms 10, 100, 1000 against 1, 2, 4 is a straight line; on values it is not.
  const Correlation result = correlate({{"a", 10, 1}, {"b", 100, 2}, {"c", 1000, 4}, {"d", 0, 9}});
  CHECK(*result.log_pearson == Approx(1.0));
  CHECK(*result.pearson < 0.9);
}

// Runs "x" with two launches of 1000 and 2000 cycles, "y" with one that hit the cycle limit, and "z".
void write_results(const std::string& path) {
  const StatGroup nothing("gpu");
  ResultsWriter writer(path);
  std::vector<RunRecord> runs(3);
  runs[0].name = "x";
  runs[1].name = "y";
  runs[2].name = "z";
  const std::vector<std::int64_t> ids = writer.begin_runs(runs, false);
  LaunchRecord launch;
  launch.kernel = "k";
  launch.grid = {4, 1, 1};
  launch.block = {32, 1, 1};
  launch.elapsed_cycles = 1000;
  launch.duration_ns = 500;
  writer.add_launch(ids[0], launch, nothing);
  launch.launch_index = 1;
  launch.elapsed_cycles = 2000;
  writer.add_launch(ids[0], launch, nothing);
  launch.launch_index = 0;
  writer.add_launch(ids[2], launch, nothing);
  launch.limited = true;
  writer.add_launch(ids[1], launch, nothing);
}

const std::string kHardware =
    "workload,launch,kernel,grid,block,status,gpc__cycles_elapsed.max,idc__requests.sum\n"
    "x,0,k,\"(4, 1, 1)\",\"(32, 1, 1)\",PASS,800,5\n"
    "x,1,k,\"(8, 1, 1)\",\"(32, 1, 1)\",PASS,2500,6\n"
    "y,0,k,\"(4, 1, 1)\",\"(32, 1, 1)\",PASS,100,7\n"
    "w,0,k,\"(4, 1, 1)\",\"(32, 1, 1)\",PASS,100,8\n";

std::string report(const CorrelateOptions& options) {
  std::ostringstream out;
  correlate_command(options, out);
  return out.str();
}

TEST_CASE("correlate: the report compares what both sides have and lists what they have not") {
  const TemporaryFolder folder;
  CorrelateOptions options;
  options.database = folder.at("r.db");
  options.hardware = folder.write("hw.csv", kHardware);
  write_results(options.database);
  const std::string text = report(options);
  CHECK(text.find("2 launches compared\n") != std::string::npos);
  CHECK(text.find("measured, not simulated (1): w[0]\n") != std::string::npos);
  CHECK(text.find("simulated, not measured (1): z[0]\n") != std::string::npos);
  CHECK(text.find("left out, stopped by --max-cycles (1): y[0]\n") != std::string::npos);
  CHECK(text.find("grid or block differ, is it the same launch? (1): x[1]\n") != std::string::npos);
  CHECK(text.find("  x[0]    k            800      1,000  +25.0 %\n") != std::string::npos);
  CHECK(text.find("  x[1]    k          2,500      2,000  -20.0 %\n") != std::string::npos);
  CHECK(text.find("gpc__cycles_elapsed.max         2        22.5 %      +2.5 %    1.000    1.000               0 (0)  "
                  "x[0] +25.0 %\n") != std::string::npos);
}

TEST_CASE("correlate: measurements are kept as hardware, once however often they are read") {
  const TemporaryFolder folder;
  CorrelateOptions options;
  options.database = folder.at("r.db");
  options.hardware = folder.write("h200.csv", kHardware);
  write_results(options.database);
  const auto hardware_values = [&options] {
    return Database(options.database, Database::Mode::kReadOnly)
        .integer("SELECT count(*) FROM metrics WHERE source = 'hardware' AND gpu = 'h200'");
  };
  options.store = false;
  report(options);
  CHECK(hardware_values() == 0);
  options.store = true;
  report(options);
  report(options);
  CHECK(hardware_values() == 8);
}

TEST_CASE("correlate: chosen metrics, an unknown one, and the CSV of all comparisons") {
  const TemporaryFolder folder;
  CorrelateOptions options;
  options.database = folder.at("r.db");
  options.hardware = folder.write("hw.csv", kHardware);
  write_results(options.database);
  options.metrics = {"idc__requests.sum"};
  CHECK(report(options).find("no simulated value (why: table metric_status) (1): idc__requests.sum") !=
        std::string::npos);
  options.metrics = {"idc__request.sum"};
  CHECK_THROWS_WITH(report(options), "--metric 'idc__request.sum': " + options.hardware +
                                         " has no such column; did you mean 'idc__requests.sum'?");
  options.metrics.clear();
  options.all = true;
  options.csv = folder.at("out.csv");
  report(options);
  CHECK(TemporaryFolder::read(options.csv) ==
        "launch,kernel,metric,hardware,simulated,error\n"
        "x[0],k,gpc__cycles_elapsed.max,800,1000,0.25\n"
        "x[1],k,gpc__cycles_elapsed.max,2500,2000,-0.2\n"
        "x[0],k,idc__requests.sum,5,,\n"
        "x[1],k,idc__requests.sum,6,,\n");
  options.database = folder.at("none.db");
  CHECK_THROWS_AS(report(options), DatabaseError);
}

}  // namespace
}  // namespace warpsim
