#include "report/figure.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.h"
#include "report/figure_parts.h"
#include "report/sweep_data.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

constexpr const char* kCycles = "gpc__cycles_elapsed.max";
constexpr const char* kTime = "gpu__time_duration.sum";
constexpr const char* kStall = "smsp__average_warps_issue_stalled_";

ExampleLaunch timed(double cycles, double nanoseconds) {
  return {"k", {{kCycles, cycles}, {kTime, nanoseconds}}, {}};
}

class Results {
 public:
  explicit Results(const std::vector<ExampleRun>& runs) {
    write_example_results(folder_.at("r.db"), runs);
    database_.emplace(folder_.at("r.db"), Database::Mode::kReadOnly);
  }
  const Database& database() const { return *database_; }
  Figure figure(const FigureRequest& request) const { return make_figure(database(), request); }
  // Without the path of the database.
  std::string error(const FigureRequest& request) const {
    try {
      make_figure(database(), request);
    } catch (const UserError& problem) {
      std::string text = problem.what();
      const std::size_t at = text.find(database().path() + ": ");
      return at == std::string::npos ? text : text.substr(at + database().path().size() + 2);
    }
    return "";
  }
  void execute(const std::string& sql) { Database(folder_.at("r.db"), Database::Mode::kReadWrite).execute(sql); }

 private:
  TemporaryFolder folder_;
  std::optional<Database> database_;
};

FigureRequest request_of(FigureKind kind) {
  FigureRequest request;
  request.kind = kind;
  return request;
}

std::vector<double> numbers(const Figure& figure, const std::string& column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < figure.data.rows.size(); ++row) {
    values.push_back(number_in(figure.data.at(row, column)).value_or(NAN));
  }
  return values;
}

std::vector<ExampleRun> measured_runs() {
  return {{"a", "H200", "simulated", "t", "aa", "c1", {}, {timed(1100, 500), timed(2000, 600), timed(0, 1)}},
          {"b", "H200", "simulated", "u", "bb", "c1", {}, {timed(10, 5)}},
          {"a", "H200", "hardware", "", "", "", {}, {timed(1000, 480), timed(2500, 700), timed(7, 1)}}};
}

TEST_CASE("correlation figure: what both sides have, with the mean of the errors") {
  const Results results(measured_runs());
  const Figure figure = results.figure(request_of(FigureKind::kCorrelation));
  CHECK(numbers(figure, "hardware") == std::vector<double>{1000, 2500});
  CHECK(numbers(figure, "simulated") == std::vector<double>{1100, 2000});
  CHECK(numbers(figure, "error_pct") == std::vector<double>{10, -20});
  CHECK(figure.script.find("'2 launches, MAPE 15.0 %'") != std::string::npos);
  CHECK(figure.script.find("set xlabel 'measured cycles'") != std::string::npos);
  CHECK(figure.remarks == std::vector<std::string>{"1 left out: 0 or no value cannot be shown on a logarithmic axis"});
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

TEST_CASE("speed-up figure: groups by trace, bars by GPU, geometric mean by hand") {
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

TEST_CASE("speed-up figure: variants of one GPU are called after what follows '@' or after their run") {
  const auto label = [](const std::string& first, const std::string& second) {
    const Results results({{first, "A", "simulated", "x.wtrace", "xx", "ca", {}, {timed(1, 400)}},
                           {second, "A", "simulated", "x.wtrace", "xx", "cb", {}, {timed(1, 100)}}});
    return results.figure(request_of(FigureKind::kSpeedup)).data.columns.at(1);
  };
  CHECK(label("x@base", "x@wide") == "wide");
  CHECK(label("x", "x-wide") == "x-wide");
}

TEST_CASE("stalls figure: the chief reasons by name, the rest together, nothing lost") {
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
  // 2 SMs of 4 sub-cores at 1 GHz start 8 x 10^9 instructions a second; 2 channels bring 32 bytes each cycle of 1 GHz.
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

TEST_CASE("roofline figure: intensities by hand, roofs from the configuration") {
  const Results results({roofed("a", "X", "1000")});
  const Figure figure = results.figure(request_of(FigureKind::kRoofline));
  REQUIRE(figure.data.rows.size() == 2);
  CHECK(text_of(figure.data.at(0, "level")) == "DRAM");
  CHECK(number_in(figure.data.at(0, "intensity")) == 40.0);
  CHECK(number_in(figure.data.at(1, "intensity")) == 8.0);
  CHECK(number_in(figure.data.at(1, "gips")) == 4.0);
  CHECK(figure.script.find("plot 8 with lines") != std::string::npos);
  // 64 GB/s are two transactions a nanosecond: the roof ends at 4 instructions a transaction.
  CHECK(figure.script.find("(x < 4 ? x * 2 : NaN) with lines lt 2 lw 1.2 title 'DRAM, 64 GB/s'") != std::string::npos);
  CHECK(figure.script.find("title 'L2") == std::string::npos);
  const Results two({roofed("a", "X", "1000"), roofed("b", "Y", "2000")});
  CHECK(two.error(request_of(FigureKind::kRoofline)) ==
        "a roofline is for one GPU, but the runs have several roofs (gpu of X and Y); select with --run");
  const Results bare(measured_runs());
  CHECK(bare.error(request_of(FigureKind::kRoofline)) == "no simulated launch with instructions and traffic");
}

TEST_CASE("sweep figure: a line a launch, in the order of its values") {
  const auto run = [](const std::string& name, const std::string& ways, double cycles) {
    return ExampleRun{name,
                      "X",
                      "simulated",
                      "scan.wtrace",
                      "aa",
                      "c" + ways,
                      {{"l2.num_ways", ways}, {"l2.kind", "k" + ways}},
                      {timed(cycles, 1), timed(cycles * 2, 1)}};
  };
  Results results({run("s8", "8", 80), run("s16", "16", 70), run("s4", "4", 90)});
  FigureRequest request = request_of(FigureKind::kSweep);
  request.x = "l2.num_ways";
  const Figure figure = results.figure(request);
  CHECK(numbers(figure, "y") == std::vector<double>{90, 80, 70, 180, 160, 140});
  CHECK(text_of(figure.data.at(5, "line")) == "scan[1]");
  CHECK(figure.script.find("set label 1 'l2.num_ways'") != std::string::npos);
  request.metric = kTime;
  request.launch = 0;
  CHECK(numbers(results.figure(request), "y") == std::vector<double>{1, 1, 1});
  request.metric = "";
  request.x = "l2.kind";
  const Figure words = results.figure(request);
  CHECK(numbers(words, "x_position") == std::vector<double>{0, 1, 2});
  CHECK(text_of(words.data.at(0, "x")) == "k8");
  request.x = "l2.num_way";
  CHECK(results.error(request) == "--x 'l2.num_way': no such key in the configurations; did you mean 'l2.num_ways'?");
  request.x = "";
  CHECK(results.error(request).starts_with("plot sweep needs --x KEY"));
  request.x = "l2.num_ways";
  request.metric = "cycels";
  CHECK(results.error(request) ==
        "'cycels' is neither a number of kernel_summary nor a metric; did you mean 'cycles'?");
  request.metric = "";
  request.runs = {"s8"};
  CHECK(results.error(request) == "l2.num_ways is 8 in all runs; a sweep needs two values");
  const Results doubles({run("s8", "8", 80), run("t8", "8", 70)});
  request.runs = {};
  CHECK(doubles.error(request) ==
        "runs s8 and t8 both have l2.num_ways = 8, so they differ in another value; select with --run");
}

// Two traces on two GPUs, L2 of 8 and 16 ways, DRAM of two clocks on A; scan@A has the values of another run.
std::vector<ExampleRun> swept_runs() {
  std::vector<ExampleRun> runs;
  const auto add = [&runs](const std::string& workload, const std::string& gpu, int ways, int clock, double cycles) {
    const std::string settings =
        "[l2.num_ways=" + std::to_string(ways) + ",clocks.dram_mhz=" + std::to_string(clock) + "]";
    runs.push_back({workload + "@" + gpu + settings,
                    gpu,
                    "simulated",
                    workload + ".wtrace",
                    workload,
                    gpu + settings,
                    {{"l2.num_ways", std::to_string(ways)},
                     {"clocks.dram_mhz", std::to_string(clock)},
                     {"l2.kind", ways == 8 ? "small" : "large"}},
                    {timed(cycles, cycles)}});
  };
  double cycles = 100;
  for (const char* workload : {"scan", "sort"}) {
    for (const int clock : {900, 1800}) {
      add(workload, "A", 8, clock, cycles);
      add(workload, "A", 16, clock, cycles / 2);
      cycles += 100;
    }
    add(workload, "B", 8, 700, cycles);
    add(workload, "B", 16, 700, cycles / 4);
  }
  runs.push_back(runs.front());
  runs.back().name = "scan@A";
  return runs;
}

std::vector<std::string> texts(const Figure& figure, const std::string& column) {
  return distinct(figure.data, column);
}

TEST_CASE("sweep figure: panels by workload, lines by GPU and by the values that x does not imply") {
  const Results results(swept_runs());
  FigureRequest request = request_of(FigureKind::kSweep);
  request.x = "l2.num_ways";
  const Figure figure = results.figure(request);
  CHECK(texts(figure, "panel") == std::vector<std::string>{"scan", "sort"});
  CHECK(texts(figure, "line") == std::vector<std::string>{"A, dram_mhz 900", "A, dram_mhz 1800", "B, dram_mhz 700"});
  CHECK(numbers(figure, "y") == std::vector<double>{100, 50, 200, 100, 300, 75, 300, 150, 400, 200, 500, 125});
  CHECK(figure.remarks == std::vector<std::string>{"scan@A is the same as scan@A[l2.num_ways=8,clocks.dram_mhz=900]"});
  CHECK(sweep_data(results.database(), request, "cycles").categories.empty());
  request.facet = "gpu";
  request.runs = {"scan@*"};
  CHECK(texts(results.figure(request), "panel") == std::vector<std::string>{"A", "B"});
  request.facet = "clocks.dram_mhz";
  CHECK(texts(results.figure(request), "panel") ==
        std::vector<std::string>{"dram_mhz 900", "dram_mhz 1800", "dram_mhz 700"});
  request.facet = "none";
  CHECK(texts(results.figure(request), "panel") == std::vector<std::string>{""});
  request.facet = "gpus";
  CHECK(results.error(request) ==
        "--facet 'gpus': expected one of clocks.dram_mhz, gpu, l2.kind, none, workload; did you mean 'gpu'?");
}

TEST_CASE("sweep figure: values relative to one of x, or to a variant, which --run may leave out") {
  const Results results(swept_runs());
  FigureRequest request = request_of(FigureKind::kSweep);
  request.x = "l2.num_ways";
  request.baseline = "8";
  const Figure by_value = results.figure(request);
  CHECK(numbers(by_value, "y") == std::vector<double>{1, 0.5, 1, 0.5, 1, 0.25, 1, 0.5, 1, 0.5, 1, 0.25});
  CHECK(by_value.script.find("'cycles relative to l2.num_ways = 8'") != std::string::npos);
  // Each workload by its own run of the variant: 300 for scan, 500 for sort.
  request.baseline = "sort@B[l2.num_ways=8,clocks.dram_mhz=700]";
  request.runs = {"*@A[*1800]"};
  CHECK(numbers(results.figure(request), "y") ==
        std::vector<double>{200.0 / 300, 100.0 / 300, 400.0 / 500, 200.0 / 500});
  request.baseline = "7";
  CHECK(results.error(request).starts_with("--baseline '7': neither a value of l2.num_ways nor a run, GPU or variant"));
}

TEST_CASE("sweep figure: names are bars side by side and never joined, GPUs as well") {
  const Results results(swept_runs());
  FigureRequest request = request_of(FigureKind::kSweep);
  request.x = "l2.kind";
  const Figure kinds = results.figure(request);
  CHECK(kinds.script.find("with boxes") != std::string::npos);
  CHECK(kinds.script.find("lines") == std::string::npos);
  CHECK(kinds.script.find("set xtics ('small' 0, 'large' 1)") != std::string::npos);
  CHECK(numbers(kinds, "x_position") == std::vector<double>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  request.x_range.low = 0;
  CHECK(results.error(request) == "--x-range: the values of l2.kind are names, which have no range");
  request.x_range = {};
  request.x = "gpu";
  request.runs = {"*[l2.num_ways=8,clocks.dram_mhz=900]", "*@B[l2.num_ways=8*"};
  const Figure gpus = results.figure(request);
  CHECK(texts(gpus, "x") == std::vector<std::string>{"A", "B"});
  CHECK(texts(gpus, "line") == std::vector<std::string>{"scan", "sort"});
}

TEST_CASE("figures: every kind takes ranges of its axes, and the panels of a sweep share them") {
  const Results results(swept_runs());
  FigureRequest request = request_of(FigureKind::kSpeedup);
  request.y_range = {0, 3};
  CHECK(results.figure(request).script.find("set yrange [0:3]\nplot ") != std::string::npos);
  request.kind = FigureKind::kSweep;
  request.x = "l2.num_ways";
  request.x_range = {4, std::nullopt};
  request.y_range = {std::nullopt, 600};
  // 16 and 6 % of the 8 between the values.
  CHECK(results.figure(request).script.find("set xrange [4:16.48]\nset yrange [0:600]\n") != std::string::npos);
}

TEST_CASE("time series figure: a line a launch that was sampled") {
  Results results(measured_runs());
  CHECK(results.error(request_of(FigureKind::kTimeseries)) == "no time series; simulate with --sample-interval");
  FigureRequest request = request_of(FigureKind::kTimeseries);
  request.metric = "ipcc";
  CHECK(results.error(request) == "the view timeseries has no number 'ipcc'; did you mean 'ipc'?");
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

TEST_CASE("figures: texts that gnuplot would read otherwise") {
  CHECK(gnuplot_quoted("it's 10^9_x") == "'it''s 10^9_x'");
  CHECK(launch_label("a", 3, false) == "a[3]");
  CHECK(launch_label("a", 0, true) == "a");
  CHECK(figure_kinds().size() == 6);
  // 252 points: two columns of 94 or 11 of 36, of which four are enough; a label wider than all has one.
  CHECK(legend_above({}, {"short_scoreboard", "wait"}) == "set key above horizontal maxcols 2 samplen 1\n");
  CHECK(legend_above({}, {"a"}) == "set key above horizontal maxcols 4 samplen 1\n");
  CHECK(legend_above({}, {std::string(90, 'x')}) == "set key above horizontal maxcols 1 samplen 1\n");
}

TEST_CASE("figures: sizes for a column unless told otherwise") {
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
