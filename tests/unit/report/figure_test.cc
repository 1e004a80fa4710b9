#include "report/figure.h"

#include <catch2/catch.hpp>

#include "report/figure_parts.h"
#include "support/figure_example.h"

namespace warpsim {
namespace {

using test::kCycles;
using test::kTime;
using test::numbers;
using test::request_of;
using test::Results;
using test::timed;

constexpr const char* kStall = "smsp__average_warps_issue_stalled_";

std::vector<ExampleRun> measured_runs() {
  return {{"a", "H200", "simulated", "t", "aa", "c1", {}, {timed(1100, 500), timed(2000, 600), timed(0, 1)}},
          {"b", "H200", "simulated", "u", "bb", "c1", {}, {timed(10, 5)}},
          {"a", "H200", "hardware", "", "", "", {}, {timed(1000, 480), timed(2500, 700), timed(7, 1)}}};
}

TEST_CASE("correlation figure: metrics of both sides, with the mean of the errors") {
  const Results results(measured_runs());
  const Figure figure = results.figure(request_of(FigureKind::kCorrelation));
  CHECK(numbers(figure, "hardware") == std::vector<double>{1000, 2500});
  CHECK(numbers(figure, "simulated") == std::vector<double>{1100, 2000});
  CHECK(numbers(figure, "error_pct") == std::vector<double>{10, -20});
  CHECK(figure.script.find("'2 launches, MAPE 15.0 %'") != std::string::npos);
  CHECK(figure.script.find("set xlabel 'measured cycles'") != std::string::npos);
  CHECK(figure.remarks == std::vector<std::string>{"1 left out: 0 or no value cannot be drawn on a logarithmic axis"});
  CHECK(figure.provenance.runs.size() == 2);
  FigureRequest request = request_of(FigureKind::kCorrelation);
  request.launch = 1;
  request.metric = kTime;
  CHECK(numbers(results.figure(request), "hardware") == std::vector<double>{700});
  request.metric = "gpu__time_duration.sun";
  CHECK(results.error(request) == "no metric 'gpu__time_duration.sun'; did you mean 'gpu__time_duration.sum'?");
  request = request_of(FigureKind::kCorrelation);
  request.runs = {"b"};
  CHECK(results.error(request).starts_with("no launch has both a simulated and a measured value of gpc__cycles"));
  request.runs = {"other"};
  CHECK(results.error(request) == "no run 'other'");
  request.runs = {"a"};
  request.launch = 2;
  CHECK(results.error(request).find("nothing to draw on logarithmic axes") != std::string::npos);
}

TEST_CASE("speed-up figure: groups by trace, bars by GPU, geometric mean derived by hand") {
  const Results results({{"x@A", "A", "simulated", "x.wtrace", "xx", "ca", {}, {timed(1, 400), timed(1, 400)}},
                         {"y@A", "A", "simulated", "y.wtrace", "yy", "ca", {}, {timed(1, 900)}},
                         {"x@B", "B", "simulated", "x.wtrace", "xx", "cb", {}, {timed(1, 100), timed(1, 100)}},
                         {"y@B", "B", "simulated", "y.wtrace", "yy", "cb", {}, {timed(1, 900)}},
                         {"z@B", "B", "simulated", "z.wtrace", "zz", "cb", {}, {timed(1, 900)}}});
  const Figure figure = results.figure(request_of(FigureKind::kSpeedup));
  CHECK(figure.data.columns == std::vector<std::string>{"workload", "B"});
  REQUIRE(figure.data.rows.size() == 3);
  CHECK(text_of(figure.data.rows[0][0]) == "x");
  CHECK(text_of(figure.data.rows[2][0]) == "geometric mean over workloads");
  CHECK(number_in(figure.data.rows[0][1]) == 4.0);
  CHECK(number_in(figure.data.rows[1][1]) == 1.0);
  CHECK(number_in(figure.data.rows[2][1]).value_or(0) == Approx(2.0));
  CHECK(figure.remarks ==
        std::vector<std::string>{"z left out: no complete launch of the baseline and another variant"});
  FigureRequest request = request_of(FigureKind::kSpeedup);
  request.baseline = "B";
  CHECK(number_in(results.figure(request).data.at(0, "A")) == 0.25);
  request.baseline = "C";
  CHECK(results.error(request).starts_with("--baseline 'C': no such GPU, variant or run"));
  request.baseline = "";
  request.runs = {"x@A", "y@A"};
  CHECK(results.error(request) == "all runs have one configuration; a speed-up needs two");
}

TEST_CASE("speed-up figure: variants of one GPU are named after the text following '@' or after their run") {
  const auto label = [](const std::string& first, const std::string& second) {
    const Results results({{first, "A", "simulated", "x.wtrace", "xx", "ca", {}, {timed(1, 400)}},
                           {second, "A", "simulated", "x.wtrace", "xx", "cb", {}, {timed(1, 100)}}});
    return results.figure(request_of(FigureKind::kSpeedup)).data.columns.at(1);
  };
  CHECK(label("x@base", "x@wide") == "wide");
  CHECK(label("x", "x-wide") == "x-wide");
}

TEST_CASE("stalls figure: the main reasons by name, the rest combined, with the same total") {
  std::vector<std::pair<std::string, std::optional<double>>> stalls;
  double sum = 0;
  int weight = 1;
  for (const char* reason :
       {"wait", "selected", "barrier", "membar", "drain", "misc", "sleeping", "imc_miss", "gmma"}) {
    stalls.emplace_back(std::string(kStall) + reason + "_per_issue_active.ratio", weight);
    sum += weight++;
  }
  const Results results({{"a", "H200", "simulated", "t", "aa", "c", {}, {{"k", stalls, {}}, {"k", stalls, {}}}}});
  const Figure figure = results.figure(request_of(FigureKind::kStalls));
  REQUIRE(figure.data.rows.size() == 2);
  CHECK(figure.data.columns[5] == "gmma");
  CHECK(figure.data.columns.back() == "other");
  CHECK(text_of(figure.data.at(1, "label")) == "a[1]");
  CHECK(number_in(figure.data.at(0, "imc_miss")) == 8.0);
  CHECK(number_in(figure.data.at(0, "other")) == 1.0 + 2.0);
  double drawn = 0;
  for (std::size_t i = 5; i < figure.data.columns.size(); ++i) {
    drawn += number_in(figure.data.rows[0][i]).value_or(0);
  }
  CHECK(drawn == sum);
  FigureRequest request = request_of(FigureKind::kStalls);
  request.launch = 5;
  CHECK(results.error(request) == "no simulated launch with stall reasons");
}

ExampleRun roofed(const std::string& name, const std::string& gpu, const std::string& core_mhz) {
  // 2 SMs of 4 sub-cores at 1 GHz start 8 x 10^9 instructions per second; 2 channels give 32 bytes per cycle of 1 GHz.
  const ExampleLaunch launch{"k",
                             {{kCycles, 1000},
                              {kTime, 1000},
                              {"smsp__inst_executed.sum", 4000},
                              {"sm__inst_executed.avg.per_cycle_elapsed", 2},
                              {"lts__t_sectors.sum", 500},
                              {"dram__bytes_read.sum", 3200},
                              {"dram__bytes_write.sum", 0}},
                             {}};
  return {name,
          gpu,
          "simulated",
          "t",
          "aa",
          "c" + core_mhz,
          {{"sm.sub_cores", "4"},
           {"sm.sub_core.issue.interval_cycles", "1"},
           {"clocks.core_mhz", core_mhz},
           {"clocks.dram_mhz", "1000"},
           {"address_map.num_channels", "2"},
           {"dram.burst_bytes", "32"},
           {"dram.burst_cycles", "1"}},
          {launch}};
}

TEST_CASE("roofline figure: intensities derived by hand, roofs from the configuration") {
  const Results results({roofed("a", "X", "1000")});
  const Figure figure = results.figure(request_of(FigureKind::kRoofline));
  REQUIRE(figure.data.rows.size() == 2);
  CHECK(text_of(figure.data.at(0, "level")) == "DRAM");
  CHECK(number_in(figure.data.at(0, "intensity")) == 40.0);
  CHECK(number_in(figure.data.at(1, "intensity")) == 8.0);
  CHECK(number_in(figure.data.at(1, "gips")) == 4.0);
  CHECK(figure.script.find("plot 8 with lines") != std::string::npos);
  // 64 GB/s are two transactions per nanosecond: the roof ends at 4 instructions per transaction.
  CHECK(figure.script.find("(x < 4 ? x * 2 : NaN) with lines lt 2 lw 1.2 title 'DRAM, 64 GB/s'") != std::string::npos);
  CHECK(figure.script.find("title 'L2") == std::string::npos);
  const Results two({roofed("a", "X", "1000"), roofed("b", "Y", "2000")});
  CHECK(two.error(request_of(FigureKind::kRoofline)) ==
        "a roofline is for one GPU, but the runs have several roofs (gpu of X and Y); select with --run");
  const Results bare(measured_runs());
  CHECK(bare.error(request_of(FigureKind::kRoofline)) == "no simulated launch with instructions and traffic");
}

TEST_CASE("time series figure: one line per sampled launch") {
  Results results(measured_runs());
  CHECK(results.error(request_of(FigureKind::kTimeseries)) == "no time series; simulate with --sample-interval");
  FigureRequest request = request_of(FigureKind::kTimeseries);
  request.metric = "ipcc";
  CHECK(results.error(request) == "the view timeseries has no numeric column 'ipcc'; did you mean 'ipc'?");
  // Two samples of run b, of 100 cycles each; columns that are not named here are 0.
  const QueryTable columns =
      read_table(results.database(),
                 "SELECT group_concat(name), group_concat(0) FROM pragma_table_info('sample_device') "
                 "WHERE name NOT IN ('run_id', 'launch_index', 'cycle', 'cycles', 'instructions')");
  for (const char* cycle : {"100, 100, 250", "200, 100, 50"}) {
    results.execute("INSERT INTO sample_device (run_id, launch_index, cycle, cycles, instructions, " +
                    text_of(columns.rows[0][0]) + ") VALUES (2, 0, " + cycle + ", " + text_of(columns.rows[0][1]) +
                    ")");
  }
  const Figure figure = results.figure(request_of(FigureKind::kTimeseries));
  CHECK(numbers(figure, "y") == std::vector<double>{2.5, 0.5});
  // 1000 cycles took 500 ns.
  CHECK(numbers(figure, "time_us") == std::vector<double>{0.05, 0.1});
  CHECK(text_of(figure.data.at(0, "line")) == "b");
}

TEST_CASE("figures: texts with special meaning in gnuplot") {
  CHECK(gnuplot_quoted("it's 10^9_x") == "'it''s 10^9_x'");
  CHECK(launch_label("a", 3, false) == "a[3]");
  CHECK(launch_label("a", 0, true) == "a");
  CHECK(figure_kinds().size() == 6);
  // 252 points: two columns of 94 or 11 of 36, of which four are enough; a label wider than all has one.
  CHECK(legend_above({}, {"short_scoreboard", "wait"}) == "set key above horizontal maxcols 2 samplen 1\n");
  CHECK(legend_above({}, {"a"}) == "set key above horizontal maxcols 4 samplen 1\n");
  CHECK(legend_above({}, {std::string(90, 'x')}) == "set key above horizontal maxcols 1 samplen 1\n");
}

TEST_CASE("figures: default sizes fit a column") {
  const Results results(measured_runs());
  FigureRequest request = request_of(FigureKind::kCorrelation);
  CHECK(results.figure(request).width == 3.5);
  CHECK(results.figure(request).height == Approx(3.2).margin(0.05));
  request.width = 7.16;
  request.height = 2;
  request.title = "Bob's";
  CHECK(results.figure(request).height == 2);
  CHECK(results.figure(request).script.find("set title 'Bob''s'") != std::string::npos);
}

}  // namespace
}  // namespace warpsim
