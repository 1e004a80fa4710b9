#include "app/options.h"

#include <catch2/catch.hpp>

#include "app/command_line.h"
#include "base/error.h"

namespace warpsim {
namespace {

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> result;
  std::string word;
  while (stream >> word) {
    result.push_back(word);
  }
  return result;
}

std::string run_error(const std::string& line) {
  try {
    parse_run(words(line));
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("options of run: what is not given has its default") {
  const RunOptions options = *parse_run(words("a b/traces --gpu h200 --out r.db"));
  CHECK(options.traces == std::vector<std::string>{"a", "b/traces"});
  CHECK(options.gpu == "h200");
  CHECK(options.out == "r.db");
  CHECK(options.flush_caches);
  CHECK(options.skip);
  CHECK(options.jobs == 1);
  CHECK(options.launches.all());
  CHECK_FALSE(options.max_cycles.has_value());
  CHECK(options.progress == ProgressMode::kAuto);
  CHECK_FALSE(options.strict);
  CHECK_FALSE(options.replace);
}

TEST_CASE("options of run: all of them, in any order") {
  const RunOptions options = *parse_run(
      words("--set l2.num_ways=24 --jobs 4 --cache-control none t --launches 0,3-5 --max-cycles 1000 --progress never "
            "--set sm.count=2 --name x --no-skip --strict --replace --sass k.sass --gpu=g.yaml --out r.db"));
  CHECK(options.overrides == std::vector<std::string>{"l2.num_ways=24", "sm.count=2"});
  CHECK(options.jobs == 4);
  CHECK_FALSE(options.flush_caches);
  CHECK(options.launches.contains(4));
  CHECK_FALSE(options.launches.contains(1));
  CHECK(options.max_cycles == 1000);
  CHECK(options.progress == ProgressMode::kNever);
  CHECK(options.name == "x");
  CHECK_FALSE(options.skip);
  CHECK(options.strict);
  CHECK(options.replace);
  CHECK(options.sass_file == "k.sass");
  CHECK(options.gpu == "g.yaml");
}

TEST_CASE("options of run: each mistake has its message") {
  const std::string see = " (see 'warpsim run --help')";
  CHECK(run_error("--gpu g --out r") == "no trace given" + see);
  CHECK(run_error("t --out r") == "--gpu is missing: the GPU to simulate" + see);
  CHECK(run_error("t --gpu g") == "--out is missing: the results database to write" + see);
  CHECK(run_error("t --gup g --out r") == "unknown option '--gup'; did you mean '--gpu'?" + see);
  CHECK(run_error("t --gpu g --out r --cache-contrl all") ==
        "unknown option '--cache-contrl'; did you mean '--cache-control'?" + see);
  CHECK(run_error("t --gpu g --out r --xyzzy") == "unknown option '--xyzzy'" + see);
  CHECK(run_error("t --gpu g --out r --job 2") == "unknown option '--job'; did you mean '--jobs'?" + see);
  CHECK(run_error("t --gpu g --out r --jobs") == "--jobs: expected a value" + see);
  CHECK(run_error("t --gpu g --out r --gpu h") == "--gpu is given twice");
  CHECK(run_error("t --gpu g --out r --jobs 0") == "--jobs '0': expected a whole number from 1 to 1024");
  CHECK(run_error("t --gpu g --out r --jobs 2x") == "--jobs '2x': expected a whole number from 1 to 1024");
  CHECK(run_error("t --gpu g --out r --jobs -1") == "--jobs '-1': expected a whole number from 1 to 1024");
  CHECK(run_error("t --gpu g --out r --max-cycles 1e6") ==
        "--max-cycles '1e6': expected a whole number from 1 to 1000000000000000");
  CHECK(run_error("t --gpu g --out r --cache-control nnoe") ==
        "--cache-control 'nnoe': expected all or none; did you mean 'none'?");
  CHECK(run_error("t --gpu g --out r --progress sometimes") ==
        "--progress 'sometimes': expected auto or always or never");
  CHECK(run_error("t --gpu g --out r --launches 1,") ==
        "--launches '1,': expected launch indices and ranges, like 0,3-5");
  CHECK(run_error("t u --gpu g --out r --name n") == "--name names one run, but there are several traces");
}

TEST_CASE("options of the other commands: operands are counted") {
  CHECK(parse_info({"t"})->trace == "t");
  CHECK_THROWS_WITH(parse_info({}), "info takes one trace, got 0 (see 'warpsim info --help')");
  CHECK(parse_convert({"a", "b.wtrace"})->out == "b.wtrace");
  CHECK_THROWS_WITH(parse_convert({"a"}), "convert takes two paths, IN and OUT, got 1 (see 'warpsim convert --help')");
  CHECK_THROWS_WITH(parse_correlate({"r.db"}),
                    "--hardware is missing: the CSV file of measurements (see 'warpsim correlate --help')");
  CHECK_THROWS_WITH(parse_correlate(words("r.db --hardware h.csv --all --metric x")),
                    "--all and --metric exclude each other");
  CHECK(parse_correlate(words("r.db --hardware h.csv --metric x --metric y"))->metrics ==
        std::vector<std::string>{"x", "y"});
  CHECK(parse_correlate(words("r.db --hardware h.csv --table a.csv --table b.tex"))->tables ==
        std::vector<std::string>{"a.csv", "b.tex"});
  CHECK_THROWS_WITH(parse_correlate(words("r.db --hardware h.csv --table a.txt")),
                    "--table 'a.txt': expected a file name ending in .csv, .md or .tex");
  CHECK_THROWS_WITH(parse_nothing("gpus", {"x"}), "gpus takes no operands, got 1 (see 'warpsim gpus --help')");
}

TEST_CASE("help: every command has one, and it is shown instead of a complaint") {
  for (const std::string& command : command_names()) {
    const std::string text = help_text(command);
    CHECK(text.find("usage: warpsim " + command) == 0);
    CHECK(help_text("").find("  " + command + " ") != std::string::npos);
  }
  CHECK_FALSE(parse_run({"--help"}).has_value());
  CHECK_FALSE(parse_info({"--help"}).has_value());
  CHECK_FALSE(parse_convert({"-h"}).has_value());
  CHECK_FALSE(parse_correlate({"--help"}).has_value());
  CHECK_FALSE(parse_nothing("gpus", {"--help"}));
}

TEST_CASE("command line: the words are kept so that a shell would split them again") {
  CHECK(quoted_command({"run", "a b", "--set", "x='y'", ""}) == "warpsim run 'a b' --set 'x='\\''y'\\''' ''");
}

}  // namespace
}  // namespace warpsim
