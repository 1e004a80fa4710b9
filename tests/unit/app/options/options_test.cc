#include "app/options/options.h"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "app/commands/command_line.h"
#include "app/options/command_help.h"
#include "base/error.h"
#include "support/words.h"

namespace warpsim {
namespace {

using test::words;

std::string run_error(const std::string& line) {
  try {
    parse_run(words(line));
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("options of run: missing options have their defaults") {
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

TEST_CASE("options of run: --dlcm changes the description, and so is stored with the run") {
  CHECK(parse_run(words("t --gpu g --out r --set l2.num_ways=24 --dlcm cg"))->overrides ==
        std::vector<std::string>{"l2.num_ways=24", "sm.l1.policy.load_operator=cg"});
}

TEST_CASE("options of run: each error has its message") {
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
  CHECK(run_error("t --gpu g --out r --gpu h") == "--gpu is given more than once");
  CHECK(run_error("t --gpu g --out r --jobs 0") == "--jobs '0': expected a whole number from 1 to 1024");
  CHECK(run_error("t --gpu g --out r --jobs 2x") == "--jobs '2x': expected a whole number from 1 to 1024");
  CHECK(run_error("t --gpu g --out r --jobs -1") == "--jobs '-1': expected a whole number from 1 to 1024");
  CHECK(run_error("t --gpu g --out r --max-cycles 1e6") ==
        "--max-cycles '1e6': expected a whole number from 1 to 1000000000000000");
  CHECK(run_error("t --gpu g --out r --dlcm cs") == "--dlcm 'cs': expected ca or cg; did you mean 'ca'?");
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
  CHECK_THROWS_WITH(parse_nothing("metric-reference", {"x"}),
                    "metric-reference takes no operands, got 1 (see 'warpsim metric-reference --help')");
}

TEST_CASE("options of occupancy: required options, and defaults of the others") {
  const OccupancyOptions options = *parse_occupancy(words("--gpu v100 --threads 256 --registers 32"));
  CHECK(options.needs.threads == 256);
  CHECK(options.needs.registers_per_thread == 32);
  CHECK(options.needs.shared_bytes == 0);
  CHECK(options.needs.barriers == 1);
  CHECK_FALSE(options.needs.argument_bytes.has_value());
  CHECK_FALSE(options.carveout_kib.has_value());
  CHECK(options.sweep == OccupancySweep::kNone);
  CHECK_FALSE(options.json);
  const OccupancyOptions all = *parse_occupancy(words(
      "--gpu g --threads 1 --registers 0 --shared 0 --carveout 0 --arguments 16 --barriers 2 --json --set a.b=1"));
  CHECK(all.carveout_kib == 0);
  CHECK(all.needs.argument_bytes == 16);
  CHECK(all.needs.barriers == 2);
  CHECK(all.json);
  CHECK(all.overrides == std::vector<std::string>{"a.b=1"});
}

TEST_CASE("options of occupancy: the swept value is optional") {
  CHECK(parse_occupancy(words("--gpu g --registers 32 --sweep threads"))->sweep == OccupancySweep::kThreads);
  CHECK(parse_occupancy(words("--gpu g --threads 32 --sweep registers"))->sweep == OccupancySweep::kRegisters);
  CHECK(parse_occupancy(words("--gpu g --threads 32 --registers 9 --sweep shared"))->sweep == OccupancySweep::kShared);
}

TEST_CASE("options of occupancy: each error has its message") {
  const std::string see = " (see 'warpsim occupancy --help')";
  CHECK_THROWS_WITH(parse_occupancy(words("--threads 1 --registers 1")),
                    "--gpu is missing: the GPU to compute for" + see);
  CHECK_THROWS_WITH(parse_occupancy(words("--gpu g --registers 1")), "--threads is missing: threads per block" + see);
  CHECK_THROWS_WITH(parse_occupancy(words("--gpu g --threads 1")),
                    "--registers is missing: registers per thread" + see);
  CHECK_THROWS_WITH(parse_occupancy(words("--gpu g --threads 1 --registers 1 --shared -1")),
                    "--shared '-1': expected a whole number from 0 to 16777216");
  CHECK_THROWS_WITH(parse_occupancy(words("--gpu g --threads 1 --registers 1 --sweep sharde")),
                    "--sweep 'sharde': expected threads or registers or shared; did you mean 'shared'?");
  CHECK_THROWS_WITH(parse_occupancy(words("--gpu g x --threads 1 --registers 1")),
                    "occupancy takes no operands, got 1" + see);
}

TEST_CASE("options of compare: traces on GPUs, or databases") {
  const CompareOptions traces = *parse_compare(words("a b --gpu p100 --gpu v100 --out r.db --jobs 2 --launches 0"));
  CHECK(traces.run.traces == std::vector<std::string>{"a", "b"});
  CHECK(traces.gpus == std::vector<std::string>{"p100", "v100"});
  CHECK(traces.run.out == "r.db");
  CHECK(traces.run.jobs == 2);
  CHECK_FALSE(traces.json);
  const CompareOptions databases = *parse_compare(words("a.db b.db --json"));
  CHECK(databases.gpus.empty());
  CHECK(databases.json);
  CHECK_THROWS_WITH(parse_compare({}), "no traces and no databases given (see 'warpsim compare --help')");
  CHECK_THROWS_WITH(parse_compare(words("a.db b.db --out c.db")),
                    "--out is for traces; name the GPUs to simulate with --gpu (see 'warpsim compare --help')");
}

TEST_CASE("options of exec: arguments after -- belong to the program") {
  CHECK(parse_exec(words("--memory-at 0x7fb406000000 -- ./program"))->memory_at == 0x7fb406000000);
  CHECK(parse_exec(words("./program"))->memory_at == 0);
  for (const char* const address : {"7fb4z", "0x", "0xffffffff", "0x800000000000", "-1"}) {
    CHECK_THROWS_WITH(parse_exec({"--memory-at", address, "./program"}),
                      Catch::Contains("expected an address of device memory in hexadecimal"));
  }
  CHECK(parse_exec(words("--code machine ./program"))->code == "machine");
  const auto options = parse_exec(words("--gpu v100 --set l2.num_ways=4 --force-target -- ./program --gpu x -- y"));
  CHECK(options->gpus == words("v100"));
  CHECK(options->overrides == words("l2.num_ways=4"));
  CHECK(options->force_target);
  CHECK_FALSE(options->functional_only);
  CHECK(options->program == words("./program --gpu x -- y"));
  CHECK(parse_exec(words("./program"))->gpus == words("h200"));
  CHECK(parse_exec(words("--gpu v100 --gpus 2 ./program"))->gpus == words("v100 v100"));
  CHECK(parse_exec(words("--gpus v100,a100 ./program"))->gpus == words("v100 a100"));
  CHECK_FALSE(parse_exec(words("./program"))->max_cycles);
  CHECK(parse_exec(words("--max-cycles 70 --replace -- p"))->max_cycles == 70);
  CHECK(parse_exec(words("--max-cycles 70 --replace -- p"))->replace);
  CHECK_FALSE(parse_exec(words("./program"))->flush_caches);
  CHECK(parse_exec(words("--cache-control all -- p"))->flush_caches);
  CHECK_THROWS_WITH(parse_exec({"--"}), "no program given (see 'warpsim exec --help')");
  CHECK_THROWS_WITH(parse_exec(words("--functional-only --out a.db -- p")),
                    Catch::Contains("--functional-only simulates no timing"));
}

TEST_CASE("options that limit and check launches belong to exec, trace, and run with PTX") {
  const LaunchBounds none = parse_exec(words("./program"))->bounds;
  CHECK_FALSE(none.max_instructions);
  CHECK_FALSE(none.quarantine_mib);
  CHECK(none.checks.uninitialised);
  CHECK_FALSE(none.checks.races);
  const std::string some = "--max-instructions 90 --quarantine 0 --check races ";
  const LaunchBounds given[] = {
      parse_exec(words("--functional-only " + some + "-- p"))->bounds,
      parse_trace(words("--out a.wtrace " + some + "-- p"))->bounds,
      parse_run(words("k.ptx --launch l.yaml --functional-only " + some))->ptx->bounds,
  };
  for (const LaunchBounds& bounds : given) {
    CHECK(bounds.max_instructions == 90);
    CHECK(bounds.quarantine_mib == 0);
    CHECK(bounds.checks.races);
    CHECK_FALSE(bounds.checks.uninitialised);
  }
  CHECK_THROWS_WITH(parse_run(words("t.wtrace --gpu h200 --out a.db --check races")),
                    Catch::Contains("--check is for PTX, not for traces"));
  CHECK_THROWS_WITH(parse_exec(words("--max-instructions 0 -- p")), Catch::Contains("expected a whole number from 1"));
  CHECK_THROWS_WITH(parse_exec(words("--check rases -- p")), Catch::Contains("expected races, uninitialised"));
}

TEST_CASE("options of trace: a program, and where to record it") {
  const auto options = parse_trace(words("--gpu a100 --out a.wtrace -- ./program --out x"));
  CHECK(options->gpus == words("a100"));
  CHECK(options->trace == "a.wtrace");
  CHECK(options->out.empty());
  CHECK(options->program == words("./program --out x"));
  CHECK_THROWS_AS(parse_trace(words("-- ./program")), UsageError);
  CHECK_THROWS_WITH(parse_trace(words("--out a.db -- p")), Catch::Contains("ends in .wtrace"));
  CHECK_FALSE(parse_trace({"--help"}).has_value());
}

TEST_CASE("options of gpus: capabilities and Markdown belong to the table") {
  CHECK_FALSE(parse_gpus({})->table);
  CHECK(parse_gpus({"--json"})->json);
  CHECK(parse_gpus(words("--table 2.0 9.0 --json"))->capabilities == std::vector<std::string>{"2.0", "9.0"});
  CHECK(parse_gpus(words("--table --markdown"))->markdown);
  CHECK_THROWS_WITH(parse_gpus({"2.0"}), "gpus takes no operands without --table, got 1 (see 'warpsim gpus --help')");
  CHECK_THROWS_WITH(parse_gpus({"--markdown"}), "--markdown needs --table (see 'warpsim gpus --help')");
  CHECK_THROWS_WITH(parse_gpus(words("--table --json --markdown")), "--json and --markdown exclude each other");
}

TEST_CASE("help: every command has one, and it is shown without an error") {
  std::multiset<std::string> grouped;
  for (const CommandGroup& group : command_groups()) {
    CHECK(help_text("").find(std::string("\n") + group.task + ":\n") != std::string::npos);
    for (const CommandSummary& command : group.commands) {
      grouped.insert(command.name);
    }
  }
  for (const std::string& command : command_names()) {
    const std::string text = help_text(command);
    CHECK(text.find("usage: warpsim " + command) == 0);
    CHECK(help_text("").find("\n  " + command + " ") != std::string::npos);
    CHECK(grouped.count(command) == 1);
  }
  CHECK(grouped.size() == command_names().size());
  std::istringstream lines(help_text(""));
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 110);
  }
  CHECK_FALSE(parse_run({"--help"}).has_value());
  CHECK_FALSE(parse_info({"--help"}).has_value());
  CHECK_FALSE(parse_convert({"-h"}).has_value());
  CHECK_FALSE(parse_correlate({"--help"}).has_value());
  CHECK_FALSE(parse_occupancy({"--help"}).has_value());
  CHECK_FALSE(parse_gpus({"--help"}).has_value());
  CHECK_FALSE(parse_compare({"--help"}).has_value());
  CHECK_FALSE(parse_exec({"--help"}).has_value());
  CHECK_FALSE(parse_nothing("config-reference", {"--help"}));
}

TEST_CASE("command line: the words are stored so that a shell splits them in the same way") {
  CHECK(quoted_command({"run", "a b", "--set", "x='y'", ""}) == "warpsim run 'a b' --set 'x='\\''y'\\''' ''");
}

}  // namespace
}  // namespace warpsim
