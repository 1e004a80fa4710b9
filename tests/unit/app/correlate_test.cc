#include <catch2/catch.hpp>
#include <cmath>

#include "app/commands/correlate_command.h"
#include "app/comparison/correlation.h"
#include "app/comparison/correlation_table.h"
#include "app/comparison/hardware_csv.h"
#include "base/error.h"
#include "report/csv.h"
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

TEST_CASE("hardware csv: each error has its place") {
  const auto error_of = [](const std::string& text) {
    try {
      parse_hardware_csv(text, "hw.csv");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(error_of("") == "hw.csv: empty; expected a CSV file with one row per launch");
  CHECK(error_of("name,launch\n") == "hw.csv:1: expected the columns 'workload' and 'launch' in the first line");
  CHECK(error_of("workload,launch,m\na,0\n") == "hw.csv:2: 2 fields, but the first line has 3");
  CHECK(error_of("workload,launch,m\na,x,1\n") == "hw.csv:2: the launch must be a number from 0, got 'x'");
  CHECK(error_of("workload,launch,m\na,0,many\n") == "hw.csv:2: 'm' must be a number, got 'many'");
  CHECK(error_of("workload,launch,m\na,0,1\na,0,2\n") == "hw.csv:3: launch 0 of a appears twice");
  CHECK(error_of("workload,launch,m\na,0,\"1\n") == "hw.csv:2: a quoted field has no closing quote");
  CHECK_THROWS_WITH(read_hardware_csv("/no/such.csv"),
                    "/no/such.csv: cannot be read: there is no such file; expected a CSV file with one row per launch");
}

TEST_CASE("hardware csv: a field is quoted where it must be") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("a\"b") == "\"a\"\"b\"");
}

TEST_CASE("hardware csv: the spread of repeated measurements needs both ends") {
  const HardwareTable table = parse_hardware_csv(
      "workload,launch,m.sum,m.sum (min),m.sum (max),n.avg,n.avg (max)\n"
      "bfs,0,10,9,12,3,4\n"
      "bfs,1,10,,12,3,4\n",
      "hw.csv");
  CHECK(table.metrics == std::vector<std::string>{"m.sum", "n.avg"});
  REQUIRE(table.rows[0].spreads.size() == 1);
  CHECK(table.rows[0].spreads.at("m.sum").least == 9);
  CHECK(table.rows[0].spreads.at("m.sum").greatest == 12);
  CHECK(table.rows[1].spreads.empty());
  CHECK_THROWS_WITH(parse_hardware_csv("workload,launch,m,m (min),m (max)\na,0,1,few,2\n", "hw.csv"),
                    "hw.csv:2: 'm (min)' must be a number, got 'few'");
}

TEST_CASE("correlation: the name of a metric determines its kind of error") {
  for (const char* count : {"smsp__inst_executed.sum", "sm__cycles_active.avg", "gpc__cycles_elapsed.max", "x.min"}) {
    CHECK(metric_kind(count) == MetricKind::kCount);
  }
  CHECK(metric_kind("sm__warps_active.avg.pct_of_peak_sustained_active") == MetricKind::kPercentage);
  for (const char* ratio : {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", "launch__grid_size",
                            "smsp__inst_executed.avg.per_cycle_active"}) {
    CHECK(metric_kind(ratio) == MetricKind::kRatio);
  }
}

TEST_CASE("correlation: small counts differ by thousandths, percentages by points, ratios relatively") {
  CHECK(*error_between(MetricKind::kCount, 2000, 2100) == Approx(0.05));
  CHECK(*error_between(MetricKind::kCount, 1000, 900) == Approx(-0.1));
  CHECK(*error_between(MetricKind::kCount, 999, 899) == Approx(-0.1));
  CHECK(*error_between(MetricKind::kCount, 20, 70) == Approx(0.05));
  CHECK(*error_between(MetricKind::kCount, 0, 70) == Approx(0.07));
  CHECK(*error_between(MetricKind::kPercentage, 40, 44) == Approx(0.04));
  CHECK(*error_between(MetricKind::kPercentage, 0, 4) == Approx(0.04));
  CHECK(*error_between(MetricKind::kRatio, 0.5, 0.4) == Approx(-0.2));
  CHECK_FALSE(error_between(MetricKind::kRatio, 0, 0.4).has_value());
}

TEST_CASE("correlation: errors derived by hand") {
  // +10 %, -50 %, 0 %.
  const Correlation result = correlate(MetricKind::kRatio, {{"a", 100, 110}, {"b", 200, 100}, {"c", 50, 50}});
  CHECK(result.compared == 3);
  CHECK(*result.mean_absolute_error == Approx(0.2));
  CHECK(*result.median_absolute_error == Approx(0.1));
  // Four fifths of the way from 10 % to 50 %.
  CHECK(*result.p90_absolute_error == Approx(0.42));
  CHECK(*result.mean_error == Approx(-0.4 / 3));
  CHECK(*result.worst == 1);
  CHECK(*result.worst_error == Approx(-0.5));
  CHECK(result.hardware_zero == 0);
}

TEST_CASE("correlation: percentiles are interpolated between the nearest values") {
  CHECK(percentile({7}, 0.9) == 7);
  CHECK(percentile({4, 1, 3, 2}, 0.5) == Approx(2.5));
  CHECK(percentile({4, 1, 3, 2}, 0) == 1);
  CHECK(percentile({4, 1, 3, 2}, 1) == 4);
  CHECK(percentile({0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, 0.9) == Approx(90));
}

TEST_CASE("correlation: for 0 on hardware a ratio has no error, but a count has one") {
  const std::vector<ValuePair> pairs = {{"a", 0, 0}, {"b", 0, 7}, {"c", 10, 12}};
  const Correlation result = correlate(MetricKind::kRatio, pairs);
  CHECK(result.compared == 1);
  CHECK(result.hardware_zero == 2);
  CHECK(result.hardware_zero_simulated_not == 1);
  CHECK(*result.mean_absolute_error == Approx(0.2));
  CHECK(*result.worst == 2);
  const Correlation counts = correlate(MetricKind::kCount, pairs);
  CHECK(counts.compared == 3);
  CHECK(counts.hardware_zero == 0);
  CHECK(*counts.mean_absolute_error == Approx(0.003));
  CHECK(*counts.worst == 1);
  const Correlation none = correlate(MetricKind::kRatio, {{"a", 0, 5}});
  CHECK_FALSE(none.mean_absolute_error.has_value());
  CHECK_FALSE(none.median_absolute_error.has_value());
  CHECK_FALSE(none.worst.has_value());
}

TEST_CASE("correlation: Pearson's r derived by hand") {
  CHECK(*pearson({1, 2, 3}, {2, 4, 6}) == Approx(1.0));
  CHECK(*pearson({1, 2, 3}, {6, 4, 2}) == Approx(-1.0));
  // Deviations -1 0 1 and -1 1 0: covariance 1, both variances 2.
  CHECK(*pearson({1, 2, 3}, {1, 3, 2}) == Approx(0.5));
  CHECK_FALSE(pearson({1}, {1}).has_value());
  CHECK_FALSE(pearson({1, 2}, {3, 3}).has_value());
  // On logarithms 10, 100, 1000 against 1, 2, 4 is a straight line; on values it is not.
  const Correlation result = correlate(MetricKind::kRatio, {{"a", 10, 1}, {"b", 100, 2}, {"c", 1000, 4}, {"d", 0, 9}});
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

TEST_CASE("correlate: the report compares metrics of both sides and lists missing ones") {
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
  CHECK(text.find("grid or block size differs; is it the same launch? (1): x[1]\n") != std::string::npos);
  CHECK(text.find("  x[0]    k            800      1,000  +20.0 %\n") != std::string::npos);
  CHECK(text.find("  x[1]    k          2,500      2,000  -20.0 %\n") != std::string::npos);
  CHECK(text.find("hardware spread") == std::string::npos);
  CHECK(text.find(
            "metric                   launches  mean |error|  median    90 %    worst  mean error  Pearson  of logs  "
            "hw 0 (other)  worst launch\n") != std::string::npos);
  CHECK(text.find(
            "gpc__cycles_elapsed.max         2        20.0 %  20.0 %  20.0 %  +20.0 %      +0.0 %    1.000    1.000  "
            "       0 (0)  x[0]\n") != std::string::npos);
}

TEST_CASE("correlate: measurements are stored as hardware, once even if read several times") {
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
  CHECK(report(options).find("no simulated value (reasons: table metric_status) (1): idc__requests.sum") !=
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
        "x[0],k,gpc__cycles_elapsed.max,800,1000,0.2\n"
        "x[1],k,gpc__cycles_elapsed.max,2500,2000,-0.2\n"
        "x[0],k,idc__requests.sum,5,,\n"
        "x[1],k,idc__requests.sum,6,,\n");
  options.csv = folder.at("none/out.csv");
  CHECK_THROWS_WITH(report(options), options.csv + ": cannot be written: there is no folder " + folder.at("none"));
  options.csv.clear();
  options.database = folder.at("none.db");
  CHECK_THROWS_AS(report(options), DatabaseError);
}

TEST_CASE("correlate: the spread of repeated measurements appears next to the error") {
  const TemporaryFolder folder;
  CorrelateOptions options;
  options.database = folder.at("r.db");
  options.hardware = folder.write(
      "hw.csv",
      "workload,launch,kernel,grid,block,gpc__cycles_elapsed.max,gpc__cycles_elapsed.max (min),gpc__cycles_elapsed.max "
      "(max)\n"
      "x,0,k,\"(4, 1, 1)\",\"(32, 1, 1)\",1250,1200,1350\n"
      "x,1,k,\"(4, 1, 1)\",\"(32, 1, 1)\",2500,,\n");
  write_results(options.database);
  const std::string text = report(options);
  CHECK(text.find("launch  kernel  hardware  simulated    error  hardware spread\n") != std::string::npos);
  CHECK(text.find("x[0]    k          1,250      1,000  -20.0 %   -4.0 .. +8.0 %\n") != std::string::npos);
  CHECK(text.find("x[1]    k          2,500      2,000  -20.0 %                -\n") != std::string::npos);
  CHECK(spread_text(MetricKind::kPercentage, 50, {49, 52}) == "-1.0 .. +2.0 pt");
  CHECK(spread_text(MetricKind::kRatio, 0, {0, 1}) == "-");
}

// +10 % and -30 %, and a percentage that is 5 points off.
const std::vector<MetricRow>& two_rows() {
  static const std::vector<MetricRow> rows = {
      {"a_b.sum", MetricKind::kCount, correlate(MetricKind::kCount, {{"x[0]", 1000, 1100}, {"y[1]", 2000, 1400}}),
       "y[1]"},
      {"c.pct", MetricKind::kPercentage, correlate(MetricKind::kPercentage, {{"x|y[0]", 50, 55}}), "x|y[0]"}};
  return rows;
}

TEST_CASE("correlate: the suffix of a table's file selects its format") {
  CHECK(table_format("a/b.csv") == TableFormat::kCsv);
  CHECK(table_format("b.md") == TableFormat::kMarkdown);
  CHECK(table_format("b.c.tex") == TableFormat::kLatex);
  CHECK_FALSE(table_format("b.txt").has_value());
  CHECK_FALSE(table_format("csv").has_value());
}

TEST_CASE("correlate: the table of metrics as CSV has plain numbers") {
  const std::vector<CsvRow> rows = parse_csv(render_table(two_rows(), TableFormat::kCsv), "t.csv");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].fields.size() == 13);
  CHECK(rows[0].fields[5] == "p90_absolute_error");
  CHECK(rows[1].fields[0] == "a_b.sum");
  CHECK(rows[1].fields[1] == "share");
  CHECK(std::stod(rows[1].fields[3]) == Approx(0.2));
  CHECK(std::stod(rows[1].fields[4]) == Approx(0.2));
  CHECK(std::stod(rows[1].fields[5]) == Approx(0.28));
  CHECK(std::stod(rows[1].fields[6]) == Approx(-0.3));
  CHECK(std::stod(rows[1].fields[7]) == Approx(-0.1));
  CHECK(rows[1].fields[12] == "y[1]");
  CHECK(rows[2].fields[1] == "points");
  CHECK(rows[2].fields[8].empty());
}

TEST_CASE("correlate: the table of metrics as Markdown and as LaTeX") {
  CHECK(
      render_table(two_rows(), TableFormat::kMarkdown) ==
      "| metric | launches | mean \\|error\\| | median | 90 % | worst | mean error | Pearson | of logs | hw 0 (other) "
      "| worst launch |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
      "| `a_b.sum` | 2 | 20.0 % | 20.0 % | 28.0 % | -30.0 % | -10.0 % | 1.000 | 1.000 | 0 (0) | y[1] |\n"
      "| `c.pct` | 1 | 5.0 pt | 5.0 pt | 5.0 pt | +5.0 pt | +5.0 pt | - | - | 0 (0) | x\\|y[0] |\n");
  CHECK(render_table(two_rows(), TableFormat::kLatex) ==
        "\\begin{tabular}{lrrrrrrrrrl}\n\\toprule\n"
        "metric & launches & mean \\textbar{}error\\textbar{} & median & 90 \\% & worst & mean error & Pearson & of "
        "logs & hw 0 (other) "
        "& worst launch \\\\\n\\midrule\n"
        "a\\_b.sum & 2 & 20.0 \\% & 20.0 \\% & 28.0 \\% & -30.0 \\% & -10.0 \\% & 1.000 & 1.000 & 0 (0) & y[1] \\\\\n"
        "c.pct & 1 & 5.0 pt & 5.0 pt & 5.0 pt & +5.0 pt & +5.0 pt & - & - & 0 (0) & x\\textbar{}y[0] \\\\\n"
        "\\bottomrule\n\\end{tabular}\n");
}

TEST_CASE("correlate: tables are written to every file requested") {
  const TemporaryFolder folder;
  CorrelateOptions options;
  options.database = folder.at("r.db");
  options.hardware = folder.write("hw.csv", kHardware);
  write_results(options.database);
  options.tables = {folder.at("t.md"), folder.at("t.csv")};
  CHECK(report(options).find("The table of metrics is in " + options.tables[1]) != std::string::npos);
  CHECK(TemporaryFolder::read(options.tables[0]).find("| `gpc__cycles_elapsed.max` | 2 | 20.0 % |") !=
        std::string::npos);
  CHECK(TemporaryFolder::read(options.tables[1]).find("\ngpc__cycles_elapsed.max,share,2,0.2,") != std::string::npos);
  options.tables = {folder.at("none/t.tex")};
  CHECK_THROWS_WITH(report(options),
                    options.tables[0] + ": cannot be written: there is no folder " + folder.at("none"));
}

}  // namespace
}  // namespace warpsim
