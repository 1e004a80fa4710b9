#include "app/options/sweep_options.h"

#include <filesystem>

#include "app/options/arguments.h"
#include "base/error.h"
#include "engine/worker_pool.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kMostJobs = 100'000;
constexpr std::uint64_t kMostRetries = 1000;
constexpr std::uint64_t kMostPoints = 1'000'000;
constexpr std::uint64_t kMostSeconds = 3600;

std::uint32_t small_number(const Arguments& arguments, const char* option, std::uint64_t most,
                           std::uint32_t otherwise) {
  const std::uint64_t least = otherwise == 0 ? 0 : 1;
  return static_cast<std::uint32_t>(arguments.number(option, least, most).value_or(otherwise));
}

void refuse_together(const Arguments& arguments, const char* one, const char* other) {
  if (arguments.has(one) && arguments.has(other)) {
    throw UsageError(std::string("--") + one + " and --" + other + " exclude each other" + see_help("sweep"));
  }
}

}  // namespace

std::optional<SweepOptions> parse_sweep_options(const std::vector<std::string>& words) {
  const Arguments arguments("sweep", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  SweepOptions options;
  options.slurm_task = arguments.text("slurm-task");
  if (!options.slurm_task.empty()) {
    return options;
  }
  arguments.expect_operands(1, "one file that describes a sweep");
  options.file = arguments.operands().front();
  options.out = arguments.text("out");
  if (options.out.empty()) {
    options.out = std::filesystem::path(options.file).stem().string() + ".db";
  }
  options.slurm = arguments.choice("engine", {"local", "slurm"}) == 1;
  if (const auto jobs = arguments.number("jobs", 1, kMostJobs)) {
    options.jobs = static_cast<std::uint32_t>(*jobs);
  }
  options.threads = small_number(arguments, "threads", kMostThreads, 1);
  options.retries = small_number(arguments, "retries", kMostRetries, 0);
  options.dry_run = arguments.has("dry-run");
  options.collect = arguments.has("collect");
  options.replace = arguments.has("replace");
  options.progress = static_cast<ProgressMode>(arguments.choice("progress", {"auto", "always", "never"}));
  for (const char* option : {"slurm-args", "points-per-task", "no-wait", "poll"}) {
    if (arguments.has(option) && !options.slurm) {
      throw UsageError(std::string("--") + option + " is for --engine slurm" + see_help("sweep"));
    }
  }
  refuse_together(arguments, "collect", "no-wait");
  refuse_together(arguments, "collect", "dry-run");
  options.slurm_words = split_words("slurm-args", arguments.text("slurm-args"));
  options.points_per_task = small_number(arguments, "points-per-task", kMostPoints, 1);
  options.wait = !arguments.has("no-wait");
  constexpr std::uint32_t kUsualPoll = 10;
  options.poll = std::chrono::seconds(small_number(arguments, "poll", kMostSeconds, kUsualPoll));
  return options;
}

std::optional<MergeCommandOptions> parse_merge_options(const std::vector<std::string>& words) {
  const Arguments arguments("merge", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  MergeCommandOptions options;
  options.inputs = arguments.operands();
  options.out = arguments.text("out");
  if (options.out.empty() && !options.inputs.empty()) {
    options.out = options.inputs.front();
    options.inputs.erase(options.inputs.begin());
  }
  if (options.inputs.empty()) {
    throw UsageError("merge takes the database to merge into and at least one to merge" + see_help("merge"));
  }
  options.replace = arguments.has("replace");
  return options;
}

}  // namespace warpsim
