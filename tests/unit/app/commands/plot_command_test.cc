#include "app/commands/plot_command.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "base/error.h"
#include "report/csv.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

TEST_CASE("plot options: a kind, its arguments, and a file") {
  const auto parse = [](const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
      words.push_back(word);
    }
    return parse_plot(words);
  };
  CHECK_FALSE(parse("--help"));
  const auto options = parse("sweep r.db --x l2.num_ways --y ipc -o a/b.pdf --width double --height 2.5 --keep");
  REQUIRE(options);
  CHECK(options->request.kind == FigureKind::kSweep);
  CHECK(options->request.metric == "ipc");
  const auto panels =
      parse("sweep r.db --x l2.num_ways --facet gpu --baseline 8 --x-range 4: --y-range 0:1.5 -o b.pdf");
  CHECK(panels->request.facet == "gpu");
  CHECK(panels->request.baseline == "8");
  CHECK(panels->request.x_range.low == 4.0);
  CHECK_FALSE(panels->request.x_range.high);
  CHECK(panels->request.y_range.high == 1.5);
  for (const char* range : {"1", "2:1", "a:b", "1:1", "1:2:3", "nan:2"}) {
    CHECK_THROWS_WITH(parse(std::string("sweep r.db --x a -o b.pdf --y-range ") + range),
                      Catch::Contains("expected LOW:HIGH"));
  }
  CHECK_THROWS_WITH(parse("stalls r.db -o a.svg --x-range 0:1"), Catch::StartsWith("--x-range has no meaning"));
  CHECK(options->request.width == 7.16);
  CHECK(options->request.height == 2.5);
  CHECK(options->format == FigureFormat::kPdf);
  CHECK(options->keep);
  CHECK_THROWS_WITH(parse("r.db -o a.svg"), Catch::StartsWith("plot takes a kind of figure and a results database"));
  CHECK_THROWS_WITH(parse("stall r.db -o a.svg"), Catch::Contains("did you mean 'stalls'?"));
  CHECK_THROWS_WITH(parse("stalls r.db"), Catch::StartsWith("--out is missing: the figure to write"));
  CHECK_THROWS_WITH(parse("stalls r.db -o a.png"), Catch::StartsWith("-o 'a.png': expected a name ending in .svg,"));
  CHECK_THROWS_WITH(parse("stalls r.db -o a.svg --x l2"), Catch::StartsWith("--x has no meaning for plot stalls"));
  CHECK_THROWS_WITH(parse("stalls r.db -o a.svg --baseline l2"), Catch::StartsWith("--baseline has no meaning"));
  CHECK_THROWS_WITH(parse("speedup r.db -o a.svg --launch 2"), Catch::StartsWith("--launch has no meaning"));
  CHECK_THROWS_WITH(parse("stalls r.db -o a.svg --width wide"),
                    "--width 'wide': expected inches from 1 to 40, single or double");
  CHECK_THROWS_WITH(parse("stalls r.db -o a.svg --height nan"), "--height 'nan': expected inches from 1 to 40");
  CHECK_THROWS_WITH(parse("sweep r.db -o a.svg --y a --metric b"), Catch::StartsWith("--y and --metric mean the same"));
}

TEST_CASE("plot: the figure, and its script and data if requested") {
  const TemporaryFolder folder;
  const ExampleLaunch launch{"k", {{"gpc__cycles_elapsed.max", 1000}}, {}};
  write_example_results(folder.at("r.db"), {{"a", "H200", "simulated", "t", "aa", "c1", {}, {launch}},
                                            {"a", "H200", "hardware", "", "", "", {}, {launch}}});
  PlotOptions options;
  options.database = folder.at("r.db");
  options.out = folder.at("f.svg");
  options.keep = true;
  std::ostringstream out;
  CHECK(plot_command(options, out) == 0);
  CHECK(out.str() ==
        "wrote " + options.out + ": 1 rows, 2 runs\nwrote " + folder.at("f.gp") + " and " + folder.at("f.csv") + "\n");
  CHECK(TemporaryFolder::read(options.out).find("<title>correlation figure of r.db</title>") != std::string::npos);
  CHECK(TemporaryFolder::read(folder.at("f.gp")).find("set output 'f.svg'") != std::string::npos);
  CHECK(parse_csv(TemporaryFolder::read(folder.at("f.csv")), "f.csv").size() == 2);
  options.out = folder.at("g.gp");
  options.format = FigureFormat::kScript;
  std::ostringstream script;
  plot_command(options, script);
  CHECK(script.str() == "wrote " + folder.at("g.gp") + " and " + folder.at("g.csv") + "\n");
  CHECK(TemporaryFolder::read(folder.at("g.gp")).find("set output 'g.pdf'") != std::string::npos);
  options.out = folder.at("none/g.svg");
  options.format = FigureFormat::kSvg;
  CHECK_THROWS_WITH(plot_command(options, script),
                    options.out + ": cannot be written: there is no folder " + folder.at("none"));
}

}  // namespace
}  // namespace warpsim
