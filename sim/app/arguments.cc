#include "app/arguments.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <charconv>
#include <sstream>

#include "base/error.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

namespace po = boost::program_options;

po::typed_value<std::string>* text_value(const char* name) {
  return po::value<std::string>()->value_name(name);
}
po::typed_value<std::vector<std::string>>* list_value(const char* name) {
  return po::value<std::vector<std::string>>()->value_name(name);
}

constexpr const char* kGpuText = "GPU description: a YAML file, or the name of one that ships (see 'warpsim gpus')";

void add_detail_options(po::options_description& options) {
  auto add = options.add_options();
  add("sample-interval", text_value("N"),
      "record time series, a sample every N core cycles, of the GPU and each SM, L2 slice and DRAM channel");
  add("hot-spots", "record for each instruction how often it ran, what its warps waited for and how its accesses went");
}

// Of run and compare; the latter takes several GPUs and names its runs itself.
void add_simulation_options(po::options_description& options, bool several_gpus) {
  auto add = options.add_options();
  if (several_gpus) {
    add("gpu", list_value("GPU")->composing(), (std::string(kGpuText) + "; repeated, the first is the base").c_str());
  } else {
    add("gpu", text_value("GPU"), kGpuText);
  }
  add("out,o", text_value("FILE"),
      several_gpus ? "results database to keep what was simulated" : "results database to write");
  add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
  add("dlcm", text_value("OPERATOR"),
      "ca or cg: loads from global memory without a cache operator have this one, as with nvcc -dlcm "
      "(sets sm.l1.policy.load_operator; ca has no effect where L1 never keeps such loads)");
  add("cache-control", text_value("WHAT"),
      "all (default): caches are empty before each launch, as when a profiler measures; none: they keep their content "
      "and copies to the device fill L2");
  add("jobs", text_value("N"), "simulate N traces at a time (default 1); results do not depend on it");
  add("launches", text_value("LIST"), "only these launches, counted from 0: 0,3-5");
  add("max-cycles", text_value("N"), "stop a launch after N core cycles; the run is then 'limited', exit code 3");
  if (several_gpus) {
    add("json", "print JSON");
  } else {
    add("name", text_value("NAME"), "name of the run (one trace only)");
  }
  add_detail_options(options);
  add("replace", "replace runs of the same name that the database holds, instead of continuing them");
  add("progress", text_value("WHEN"), "auto (default): a progress bar on a terminal; always; never");
  add("no-skip", "tick every component at every cycle: slow, same results");
}

void add_sweep_options(po::options_description& options) {
  auto add = options.add_options();
  add("out,o", text_value("FILE"), "results database to write (default: the sweep's name with .db, in this folder)");
  add("engine", text_value("WHERE"), "local (default): processes on this machine; slurm: job arrays");
  add("jobs", text_value("N"),
      "points at a time (default: one a processor); with --engine slurm tasks at a time (default: no limit)");
  add("retries", text_value("N"), "try a point that failed up to N times more (default 0)");
  add("dry-run", "list the points and what is known of them; nothing is run or written");
  add("collect", "run nothing: store what is finished and tell what is not");
  add("replace", "replace a database at --out that is not of this sweep");
  add("progress", text_value("WHEN"), "auto (default): a progress line on a terminal; always; never");
  add("slurm-args", text_value("WORDS"), "further options of sbatch, as '--partition=long --time=2:00:00'");
  add("points-per-task", text_value("N"), "points that one task of a job array runs, one after another (default 1)");
  add("no-wait", "end when the jobs are submitted; the same command without it, or with --collect, goes on");
  add("poll", text_value("SECONDS"), "how often to ask Slurm what became of the jobs (default 10)");
}

// Of the commands that read results: export, import-ncu, plot.
void add_report_options(po::options_description& options, const std::string& command) {
  auto add = options.add_options();
  if (command == "export") {
    add("view", text_value("NAME"), "view or table to export (docs/statistics.md)");
    add("query", text_value("SQL"), "one SELECT to export instead; rows stay in its order");
    add("run", list_value("NAME")->composing(), "only this run; may be repeated (default: all)");
    add("format", text_value("FORMAT"),
        "csv, json, md, tex, or parquet-csv, which is csv that insists on a file (default: by the end of FILE, else "
        "csv)");
    add("out,o", text_value("FILE"), "file to write (default: standard output); FILE.csv gets a FILE.schema.json");
    add("digits", text_value("N"), "md and tex: round real numbers to N digits behind the point");
    add("comment", "csv: begin with lines '# ...' that name runs, configurations and versions");
  }
  if (command == "plot") {
    add("out,o", text_value("FILE"), "FILE.svg, FILE.pdf, or FILE.gp for gnuplot's script and FILE.csv alone");
    add("run", list_value("NAME")->composing(), "only this run; may be repeated (default: all)");
    add("launch", text_value("N"), "only this launch of each run, counted from 0");
    add("metric", text_value("NAME"),
        "correlation: a metric (default gpc__cycles_elapsed.max); timeseries: a column of that view (default ipc)");
    add("x", text_value("KEY"), "sweep: the value of the configuration that differs between runs");
    add("y", text_value("NAME"), "sweep: a column of kernel_summary (default cycles) or a metric");
    add("baseline", text_value("NAME"), "speedup: GPU, variant or run that is 1 (default: that of the first run)");
    add("title", text_value("TEXT"), "title above the figure (default: none)");
    add("width", text_value("INCHES"), "or single (3.5, default) or double (7.16): columns of a page with two");
    add("height", text_value("INCHES"), "default: as suits the kind");
    add("keep", "leave gnuplot's script and data beside the figure, as FILE.gp and FILE.csv");
  }
  if (command == "import-ncu") {
    add("name", text_value("RUN"), "the simulated run that was measured (default: the only one of the database)");
    add("gpu", text_value("NAME"),
        "what to call the measured GPU (default: as the file names it, else the file's name)");
    add("launches", text_value("LIST"),
        "which launches of the run were measured, counted from 0: 0,3-5 (default: the first ones)");
  }
}

void add_timeline_options(po::options_description& options) {
  auto add = options.add_options();
  add("timeline", text_value("FILE"),
      "write a window of one launch as a Perfetto trace: blocks on SMs, warp states, queues, DRAM commands");
  add("timeline-window", text_value("FROM:TO"), "core cycles since the launch began (default 0:20000)");
  add("timeline-launch", text_value("N"), "the launch, counted from 0 (default: the first that is simulated)");
  add("timeline-sms", text_value("LIST"), "SMs whose warps are shown: 0,3-5 (default 0); blocks are those of all");
  add("timeline-channels", text_value("LIST"), "DRAM channels whose commands are shown (default 0)");
}

// Of report, which writes a page, and serve.
void add_page_options(po::options_description& options, bool writes) {
  auto add = options.add_options();
  if (writes) {
    add("out,o", text_value("FILE"), "page to write");
  } else {
    add("port", text_value("N"), "port of 127.0.0.1 to listen at (default 8017); 0: any that is free");
  }
  add("runs", text_value("GLOB"), "only runs whose name matches, for example 'bfs*'");
  add("title", text_value("TEXT"), "title of the page (default: names of the databases)");
  add("series-points", text_value("N"),
      "points in time that the series of a launch keep at most (default: 400000, shared by the launches); longer "
      "series are averaged");
}

void add_occupancy_options(po::options_description& options) {
  auto add = options.add_options();
  add("gpu", text_value("GPU"), kGpuText);
  add("threads", text_value("N"), "threads of a block");
  add("registers", text_value("R"), "registers of a thread");
  add("shared", text_value("BYTES"),
      "shared memory of a block, static and dynamic, without what the driver adds (default 0)");
  add("carveout", text_value("KIB"),
      "size of the SM's shared memory; the next size that exists and holds a block is taken");
  add("arguments", text_value("BYTES"),
      "kernel arguments, which take shared memory on compute capability 1.x (default: --shared counts them)");
  add("barriers", text_value("N"), "named barriers of a block, a limit on compute capability 9.0 (default 1)");
  add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
  add("sweep", text_value("WHAT"), "print the curve over threads, registers or shared, which need not be given");
  add("json", "print JSON");
}

// The options that a command shows in its help.
po::options_description visible_options(const std::string& command) {
  constexpr unsigned kLineLength = 110;
  constexpr unsigned kDescriptionLength = 78;
  po::options_description options("options", kLineLength, kDescriptionLength);
  auto add = options.add_options();
  if (command == "run" || command == "compare") {
    add_simulation_options(options, command == "compare");
  }
  if (command == "run" || command == "compare" || command == "info") {
    add("sass", text_value("FILE"), "SASS listing of all kernels (default: the listings beside the trace)");
    add("strict", "an opcode that is not known, or that the GPU's compute capability lacks, is an error");
  }
  if (command == "run") {
    add_timeline_options(options);
    add("launch", text_value("FILE"), "what to launch of a PTX file: kernels, grids, buffers, parameters, results");
  }
  if (command == "run" || command == "exec") {
    add("functional-only", command == "run" ? "run the kernels of PTX without timing them"
                                            : "run kernels without timing them: fast, and all simulated times are 0");
    add("force-target", "run PTX that asks for a newer compute capability than the GPU has");
    add("break", list_value("KERNEL:LINE")->composing(),
        "show the registers of the first warp that comes to this line of the PTX; may be repeated");
    add("break-warp", text_value("BLOCK,WARP"), "the warp that --break is for, both counted from 0");
    add("break-count", text_value("N"), "show the registers up to N times (default 1)");
  }
  if (command == "sweep") {
    add_sweep_options(options);
  }
  if (command == "merge") {
    add("out,o", text_value("FILE"), "database to merge into (default: the first one named)");
    add("replace", "a run takes the place of an earlier one of the same name");
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
  if (command == "report" || command == "serve") {
    add_page_options(options, command == "report");
  }
  if (command == "occupancy") {
    add_occupancy_options(options);
  }
  if (command == "trace") {
    add("gpu", text_value("GPU"), (std::string(kGpuText) + " (default h200): code is made for it").c_str());
    add("out,o", text_value("FILE"), "trace to write, FILE.wtrace");
    add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
    add("force-target", "run PTX that asks for a newer compute capability than the GPU has");
  }
  if (command == "exec") {
    add("gpu", text_value("GPU"), (std::string(kGpuText) + " (default h200)").c_str());
    add("out,o", text_value("FILE"), "results database to write (default: none)");
    add("name", text_value("NAME"), "name of the run (default: that of the program)");
    add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
    add("max-cycles", text_value("N"), "a kernel that takes more than N core cycles fails; the run is then 'limited'");
    add("cache-control", text_value("WHAT"),
        "all: caches are empty before each launch, as when a profiler measures (default with --out); none: they keep "
        "their content and copies to the device fill L2 (default without)");
    add_detail_options(options);
    add("replace", "replace a run of the same name that the database holds");
  }
  if (command == "exec" || command == "trace") {
    add("skip-kernel", list_value("NAME")->composing(),
        "launches of this kernel do nothing and take no time, for warm-ups that hardware needs and a simulator does "
        "not; "
        "may be repeated");
  }
  if (command == "gpus") {
    add("table", "print features and technical specifications of the compute capabilities instead");
    add("json", "print JSON");
    add("markdown", "print the table as a Markdown page");
  }
  add_report_options(options, command);
  add("help,h", "print this text");
  return options;
}

std::string suggestion(const po::unknown_option& error, const po::options_description& visible) {
  std::vector<std::string> names;
  for (const auto& option : visible.options()) {
    names.push_back("--" + option->long_name());
  }
  return did_you_mean(error.get_option_name(), names);
}

po::variables_map parse(const std::string& command, const std::vector<std::string>& words) {
  const po::options_description visible = visible_options(command);
  po::options_description all;
  all.add(visible).add_options()("operand", po::value<std::vector<std::string>>());
  if (command == "sweep") {
    all.add_options()("slurm-task", text_value("FOLDER"), "");  // what job arrays call, not people
  }
  po::positional_options_description positions;
  positions.add("operand", -1);
  constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::variables_map values;
  try {
    po::store(po::command_line_parser(words).options(all).positional(positions).style(kStyle).run(), values);
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
  return values;
}

}  // namespace

Arguments::Arguments(const std::string& command, const std::vector<std::string>& words) : command_(command) {
  for (const auto& [name, value] : parse(command, words)) {
    if (const auto* text = boost::any_cast<std::string>(&value.value())) {
      values_[name] = {*text};
    } else if (const auto* list = boost::any_cast<std::vector<std::string>>(&value.value())) {
      values_[name] = *list;
    } else {
      values_[name] = {};  // a switch
    }
  }
}

std::string Arguments::text(const char* option) const {
  const auto found = values_.find(option);
  return found == values_.end() || found->second.empty() ? std::string() : found->second.front();
}

std::vector<std::string> Arguments::list(const char* option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

void Arguments::expect_operands(std::size_t count, const char* what) const {
  if (operands().size() != count) {
    throw UsageError(fmt::format("{} takes {}, got {}{}", command_, what, operands().size(), see_help(command_)));
  }
}

std::string Arguments::required(const char* option, const char* meaning) const {
  std::string value = text(option);
  if (value.empty()) {
    throw UsageError(fmt::format("--{} is missing: {}{}", option, meaning, see_help(command_)));
  }
  return value;
}

std::optional<std::uint64_t> Arguments::number(const char* option, std::uint64_t least, std::uint64_t most) const {
  if (!has(option)) {
    return std::nullopt;
  }
  const std::string word = text(option);
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || stop != word.data() + word.size() || value < least || value > most) {
    throw UsageError(fmt::format("--{} '{}': expected a whole number from {} to {}", option, word, least, most));
  }
  return value;
}

std::size_t Arguments::choice(const char* option, const std::vector<std::string>& words) const {
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

std::string options_text(const std::string& command) {
  std::ostringstream text;
  text << visible_options(command);
  return text.str();
}

std::vector<OptionName> option_names(const std::string& command) {
  std::vector<OptionName> names;
  const po::options_description visible = visible_options(command);
  for (const auto& option : visible.options()) {
    names.push_back({option->long_name(), option->semantic()->max_tokens() == 0});
  }
  return names;
}

std::vector<std::string> split_words(const std::string& option, const std::string& line) {
  try {
    return po::split_unix(line);
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("--{} '{}': {}", option, line, error.what()));
  }
}

std::string see_help(const std::string& command) {
  return " (see 'warpsim " + command + " --help')";
}

}  // namespace warpsim
