#include "app/options.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <charconv>
#include <sstream>

#include "app/correlation_table.h"
#include "base/check.h"
#include "base/error.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

namespace po = boost::program_options;

constexpr const char* kProgramHelp =
    R"(warpsim simulates GPU kernels cycle by cycle: recorded instruction traces and a description of the GPU in,
a database of statistics out.

usage: warpsim COMMAND [options]

  run               simulate traces on a GPU and store the statistics
  info              what a trace holds: kernels, sizes, instructions by class
  convert           change the format of a trace
  correlate         compare results with hardware measurements
  gpus              list the GPU descriptions that ship
  config-reference  print the reference of all keys of a GPU description
  metric-reference  print the reference of all metrics

'warpsim COMMAND --help' tells more. 'warpsim --version' names version, schema and build.
Exit codes: 0 done, 2 wrong input, 3 a cycle limit was reached, 4 internal error.

A first run:
  warpsim run traces/vecadd.wtrace --gpu h200 --out results.db
)";

struct CommandHelp {
  const char* name;
  const char* usage;  // also says what the command does
  const char* notes;  // behind the options
};

constexpr CommandHelp kCommands[] = {
    {"run",
     "usage: warpsim run TRACE... --gpu GPU --out FILE [options]\n\n"
     "Simulates traces and stores their statistics. A TRACE is a directory with a kernelslist.g, a kernelslist.g, one\n"
     ".traceg (plain, .gz, .xz or .zst) or a .wtrace. Several traces make several runs in one database.\n",
     "A run is named after its directory (a folder called 'traces' after the one above it) or file. An existing\n"
     "results database is appended to. Statistics: docs/statistics.md; keys of a GPU description:\n"
     "docs/config-reference.md.\n\n"
     "examples:\n"
     "  warpsim run traces/vecadd.wtrace --gpu h200 --out results.db\n"
     "  warpsim run traces/*.wtrace --gpu h200 --set l2.num_ways=24 --jobs 4 --out wide.db\n"
     "  sqlite3 -box results.db 'SELECT * FROM kernel_summary'\n"},
    {"info",
     "usage: warpsim info TRACE [options]\n\n"
     "Reads a trace through and prints its kernels, their sizes and their instructions by class.\n",
     ""},
    {"convert",
     "usage: warpsim convert IN OUT\n\n"
     "Changes the format of a trace. IN is anything that run takes. OUT ending in .wtrace is written in the native\n"
     "format; from a .wtrace, OUT is a directory for the text format.\n",
     "examples:\n"
     "  warpsim convert bfs/traces bfs.wtrace\n"
     "  warpsim convert bfs.wtrace bfs_text\n"},
    {"correlate",
     "usage: warpsim correlate DATABASE --hardware CSV [options]\n\n"
     "Compares simulated runs with measurements: per launch and metric the two values and the error, per metric mean,\n"
     "median, 90th percentile and worst of the absolute errors and Pearson's correlation, of values and of "
     "logarithms.\n"
     "The CSV has one row a launch, with the columns workload, launch, kernel, grid, block and one a metric; workload\n"
     "and launch are joined with the run's name and the launch index. Columns 'METRIC (min)' and 'METRIC (max)' hold "
     "the\n"
     "spread of repeated measurements.\n",
     "Errors are relative to hardware. Where hardware counts under 1,000 (metrics in .sum, .avg, .max or .min), the "
     "error\n"
     "is the difference / 1,000; percentages (.pct) differ in points. Percentiles are interpolated linearly.\n"
     "The measurements are kept in the database, where the view 'metrics' shows them with source 'hardware'.\n\n"
     "examples:\n"
     "  warpsim correlate results.db --hardware h200.csv\n"
     "  warpsim correlate results.db --hardware h200.csv --metric lts__t_sectors.sum\n"
     "  warpsim correlate results.db --hardware h200.csv --all --csv comparison.csv\n"
     "  warpsim correlate results.db --hardware h200.csv --all --table accuracy.md --table accuracy.tex\n"},
    {"gpus", "usage: warpsim gpus\n\nLists the GPU descriptions that ship; run takes their names.\n", ""},
    {"config-reference",
     "usage: warpsim config-reference\n\n"
     "Prints docs/config-reference.md: every key of a GPU description with its range and meaning.\n",
     ""},
    {"metric-reference",
     "usage: warpsim metric-reference\n\n"
     "Prints docs/metrics.md: every metric with its unit, meaning and derivation.\n",
     ""},
};

const CommandHelp& command_help(const std::string& name) {
  for (const CommandHelp& command : kCommands) {
    if (name == command.name) {
      return command;
    }
  }
  throw UsageError("unknown command '" + name + "'" + did_you_mean(name, command_names()));
}

po::typed_value<std::string>* text_value(const char* name) {
  return po::value<std::string>()->value_name(name);
}
po::typed_value<std::vector<std::string>>* list_value(const char* name) {
  return po::value<std::vector<std::string>>()->value_name(name);
}

// The options that a command shows in its help.
po::options_description visible_options(const std::string& command) {
  constexpr unsigned kLineLength = 110;
  constexpr unsigned kDescriptionLength = 78;
  po::options_description options("options", kLineLength, kDescriptionLength);
  auto add = options.add_options();
  if (command == "run") {
    add("gpu", text_value("GPU"), "GPU description: a YAML file, or the name of one that ships (see 'warpsim gpus')");
    add("out", text_value("FILE"), "results database to write");
    add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
    add("cache-control", text_value("WHAT"),
        "all (default): caches are empty before each launch, as when a profiler measures; none: they keep their "
        "content "
        "and copies to the device fill L2");
    add("jobs", text_value("N"), "simulate N traces at a time (default 1); results do not depend on it");
    add("launches", text_value("LIST"), "only these launches, counted from 0: 0,3-5");
    add("max-cycles", text_value("N"), "stop a launch after N core cycles; the run is then 'limited', exit code 3");
    add("name", text_value("NAME"), "name of the run (one trace only)");
    add("replace", "replace runs of the same name that the database holds");
    add("progress", text_value("WHEN"), "auto (default): a progress bar on a terminal; always; never");
    add("no-skip", "tick every component at every cycle: slow, same results");
  }
  if (command == "run" || command == "info") {
    add("sass", text_value("FILE"), "SASS listing of all kernels (default: the listings beside the trace)");
    add("strict", "an opcode that is not known is an error");
  }
  if (command == "correlate") {
    add("hardware", text_value("CSV"), "measurements");
    add("metric", list_value("NAME")->composing(), "compare this metric launch by launch; may be repeated");
    add("all", "compare every metric that both sides have");
    add("csv", text_value("FILE"), "write every comparison of the chosen metrics as CSV");
    add("table", list_value("FILE")->composing(),
        "write the table of metrics: FILE.csv, FILE.md (Markdown) or FILE.tex (LaTeX); may be repeated");
    add("hardware-gpu", text_value("NAME"), "what to call the measured GPU (default: name of the CSV file)");
    add("no-store", "leave the database as it is");
  }
  add("help,h", "print this text");
  return options;
}

std::string see_help(const std::string& command) {
  return " (see 'warpsim " + command + " --help')";
}

// Words of one command, parsed.
class Arguments {
 public:
  Arguments(const std::string& command, const std::vector<std::string>& words) : command_(command) {
    const po::options_description visible = visible_options(command);
    po::options_description all;
    all.add(visible).add_options()("operand", po::value<std::vector<std::string>>());
    po::positional_options_description positions;
    positions.add("operand", -1);
    constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    try {
      po::store(po::command_line_parser(words).options(all).positional(positions).style(kStyle).run(), values_);
    } catch (const po::unknown_option& error) {
      throw UsageError("unknown option '" + error.get_option_name() + "'" + suggestion(error, visible) +
                       see_help(command));
    } catch (const po::multiple_occurrences& error) {
      throw UsageError(error.get_option_name() + " is given twice");
    } catch (const po::error_with_option_name& error) {
      throw UsageError(error.get_option_name() + ": expected a value" + see_help(command));
    } catch (const po::error& error) {
      throw UsageError(std::string(error.what()) + see_help(command));
    }
  }

  bool has(const char* option) const { return values_.count(option) != 0; }
  std::string text(const char* option) const { return has(option) ? values_[option].as<std::string>() : std::string(); }
  std::vector<std::string> list(const char* option) const {
    return has(option) ? values_[option].as<std::vector<std::string>>() : std::vector<std::string>();
  }
  std::vector<std::string> operands() const { return list("operand"); }

  std::string required(const char* option, const char* meaning) const {
    std::string value = text(option);
    if (value.empty()) {
      throw UsageError(fmt::format("--{} is missing: {}{}", option, meaning, see_help(command_)));
    }
    return value;
  }

  std::optional<std::uint64_t> number(const char* option, std::uint64_t most) const {
    if (!has(option)) {
      return std::nullopt;
    }
    const std::string word = text(option);
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size() || value == 0 || value > most) {
      throw UsageError(fmt::format("--{} '{}': expected a whole number from 1 to {}", option, word, most));
    }
    return value;
  }

  // Index of the word; 0 if the option is not given.
  std::size_t choice(const char* option, const std::vector<std::string>& words) const {
    const std::string word = text(option);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (word == words[i]) {
        return i;
      }
    }
    if (!has(option)) {
      return 0;
    }
    throw UsageError(
        fmt::format("--{} '{}': expected {}{}", option, word, fmt::join(words, " or "), did_you_mean(word, words)));
  }

 private:
  static std::string suggestion(const po::unknown_option& error, const po::options_description& visible) {
    std::vector<std::string> names;
    for (const auto& option : visible.options()) {
      names.push_back("--" + option->long_name());
    }
    return did_you_mean(error.get_option_name(), names);
  }

  std::string command_;
  po::variables_map values_;
};

void expect_operands(const Arguments& arguments, const std::string& command, std::size_t count, const char* what) {
  if (arguments.operands().size() != count) {
    throw UsageError(
        fmt::format("{} takes {}, got {}{}", command, what, arguments.operands().size(), see_help(command)));
  }
}

}  // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandHelp& command : kCommands) {
    names.emplace_back(command.name);
  }
  return names;
}

std::string help_text(const std::string& command) {
  if (command.empty()) {
    return kProgramHelp;
  }
  const CommandHelp& help = command_help(command);
  std::ostringstream text;
  text << help.usage << "\n" << visible_options(command);
  if (*help.notes != '\0') {
    text << "\n" << help.notes;
  }
  return text.str();
}

std::optional<RunOptions> parse_run(const std::vector<std::string>& words) {
  const Arguments arguments("run", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  RunOptions options;
  options.traces = arguments.operands();
  if (options.traces.empty()) {
    throw UsageError("no trace given" + see_help("run"));
  }
  options.gpu = arguments.required("gpu", "the GPU to simulate");
  options.out = arguments.required("out", "the results database to write");
  options.overrides = arguments.list("set");
  options.flush_caches = arguments.choice("cache-control", {"all", "none"}) == 0;
  constexpr std::uint64_t kMostJobs = 1024;
  options.jobs = static_cast<std::uint32_t>(arguments.number("jobs", kMostJobs).value_or(1));
  if (arguments.has("launches")) {
    options.launches = LaunchSelection(arguments.text("launches"));
  }
  constexpr std::uint64_t kMostCycles = 1'000'000'000'000'000;
  options.max_cycles = arguments.number("max-cycles", kMostCycles);
  options.progress = static_cast<ProgressMode>(arguments.choice("progress", {"auto", "always", "never"}));
  options.name = arguments.text("name");
  if (!options.name.empty() && options.traces.size() > 1) {
    throw UsageError("--name names one run, but there are several traces");
  }
  options.skip = !arguments.has("no-skip");
  options.strict = arguments.has("strict");
  options.sass_file = arguments.text("sass");
  options.replace = arguments.has("replace");
  return options;
}

std::optional<InfoOptions> parse_info(const std::vector<std::string>& words) {
  const Arguments arguments("info", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  expect_operands(arguments, "info", 1, "one trace");
  return InfoOptions{arguments.operands().front(), arguments.text("sass"), arguments.has("strict")};
}

std::optional<ConvertOptions> parse_convert(const std::vector<std::string>& words) {
  const Arguments arguments("convert", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  expect_operands(arguments, "convert", 2, "two paths, IN and OUT");
  return ConvertOptions{arguments.operands()[0], arguments.operands()[1]};
}

std::optional<CorrelateOptions> parse_correlate(const std::vector<std::string>& words) {
  const Arguments arguments("correlate", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  expect_operands(arguments, "correlate", 1, "one results database");
  CorrelateOptions options;
  options.database = arguments.operands().front();
  options.hardware = arguments.required("hardware", "the CSV file of measurements");
  options.metrics = arguments.list("metric");
  options.all = arguments.has("all");
  if (options.all && !options.metrics.empty()) {
    throw UsageError("--all and --metric exclude each other");
  }
  options.csv = arguments.text("csv");
  options.tables = arguments.list("table");
  for (const std::string& table : options.tables) {
    if (!table_format(table)) {
      throw UsageError("--table '" + table + "': expected a file name ending in .csv, .md or .tex");
    }
  }
  options.store = !arguments.has("no-store");
  options.hardware_gpu = arguments.text("hardware-gpu");
  return options;
}

bool parse_nothing(const std::string& command, const std::vector<std::string>& words) {
  const Arguments arguments(command, words);
  if (arguments.has("help")) {
    return false;
  }
  expect_operands(arguments, command, 0, "no operands");
  return true;
}

}  // namespace warpsim
