#include "report/sweep_data.h"

#include <catch2/catch.hpp>

#include "report/figure_parts.h"
#include "support/figure_example.h"

namespace warpsim {
namespace {

using test::kTime;
using test::numbers;
using test::request_of;
using test::Results;
using test::timed;

TEST_CASE("sweep figure: one line per launch, in the order of values") {
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
        "'cycels' is neither a numeric column of kernel_summary nor a metric; did you mean 'cycles'?");
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

TEST_CASE("sweep figure: values relative to one of x, or to a variant, which --run may exclude") {
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

TEST_CASE("sweep figure: names are adjacent bars and never joined, also GPUs") {
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

TEST_CASE("figures: every kind accepts ranges of its axes, and the panels of a sweep share them") {
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

}  // namespace
}  // namespace warpsim
