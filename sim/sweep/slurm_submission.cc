#include "sweep/slurm_submission.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "base/random_name.h"
#include "sweep/point_run.h"
#include "sweep/slurm_commands.h"
#include "sweep/sweep_state.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json to_json(const SweepPoint& point) {
  return {{"name", point.name},
          {"key", point.key},
          {"trace_hash", point.trace_hash},
          {"config_hash", point.config_hash},
          {"words", point.words}};
}

SweepPoint point_from(const json& value) {
  SweepPoint point;
  value.at("name").get_to(point.name);
  value.at("key").get_to(point.key);
  value.at("trace_hash").get_to(point.trace_hash);
  value.at("config_hash").get_to(point.config_hash);
  value.at("words").get_to(point.words);
  return point;
}

// A separate folder: numbers increase, so that the newest is the last.
std::string make_folder(const std::string& state) {
  std::size_t number = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(state + "/slurm", error)) {
    number = std::max<std::size_t>(number, std::strtoul(entry.path().filename().c_str(), nullptr, 10) + 1);
  }
  std::string folder = fmt::format("{}/slurm/{:06}", state, number);
  if (error || !fs::create_directory(folder, error)) {
    throw UserError(fmt::format("{}: cannot be created{}", folder, error ? ": " + error.message() : ""));
  }
  return folder;
}

std::string worker_name(const SlurmSubmission& submission, std::uint32_t task) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format("slurm-{}-{}-{}-{}", submission.job_name, task, host.data(), ::getpid());
}

}  // namespace

SlurmSubmission prepare_submission(const std::string& state, const PointProgram& program, const std::string& version,
                                   std::vector<std::vector<SweepPoint>> tasks) {
  SlurmSubmission submission;
  submission.state = fs::absolute(state).lexically_normal().string();
  submission.program = program;
  submission.version = version;
  submission.folder = make_folder(submission.state);
  constexpr std::size_t kDigits = 16;
  submission.job_name = "warpsim-" + random_hex(kDigits);
  submission.tasks = std::move(tasks);
  json lists = json::array();
  for (const std::vector<SweepPoint>& task : submission.tasks) {
    json& list = lists.emplace_back(json::array());
    for (const SweepPoint& point : task) {
      list.push_back(to_json(point));
    }
  }
  write_output_file(submission.folder + "/script.sh", script_of(submission));
  const json value = {
      {"job_name", submission.job_name}, {"program", submission.program.path}, {"threads", submission.program.threads},
      {"version", submission.version},   {"state", submission.state},          {"tasks", std::move(lists)}};
  try {
    write_output_file(submission.folder + "/tasks.json", value.dump());
  } catch (const json::exception& error) {
    throw UserError(
        fmt::format("{}: its tasks cannot be listed, since a path is not UTF-8: {}", submission.folder, error.what()));
  }
  return submission;
}

std::string script_of(const SlurmSubmission& submission) {
  return "#!/bin/sh\n# One task of a sweep. Paths are those of the command that started the sweep.\ncd " +
         shell_quoted(fs::current_path().string()) + " || exit 1\nexec " + shell_quoted(submission.program.path) +
         " sweep --slurm-task " + shell_quoted(submission.folder) + "\n";
}

void note_job(SlurmSubmission& submission, const std::string& job) {
  submission.job = job;
  write_output_file(submission.folder + "/job", job);
}

SlurmSubmission load_submission(const std::string& folder) {
  SlurmSubmission submission;
  submission.folder = folder;
  try {
    const json value = json::parse(require_input(folder + "/tasks.json", "a file of the submission"));
    value.at("job_name").get_to(submission.job_name);
    value.at("program").get_to(submission.program.path);
    submission.program.threads = value.value("threads", 1U);  // absent where an earlier version submitted
    value.at("version").get_to(submission.version);
    value.at("state").get_to(submission.state);
    for (const json& list : value.at("tasks")) {
      std::vector<SweepPoint>& task = submission.tasks.emplace_back();
      for (const json& point : list) {
        task.push_back(point_from(point));
      }
    }
  } catch (const json::exception& error) {
    throw UserError(fmt::format("{}/tasks.json: not a list of tasks of a sweep: {}", folder, error.what()));
  }
  std::error_code error;
  if (fs::exists(folder + "/job", error)) {
    submission.job = require_input(folder + "/job", "a file of the submission");
  }
  return submission;
}

std::vector<SlurmSubmission> load_submissions(const std::string& state) {
  std::vector<std::string> folders;
  std::error_code error;
  const fs::path parent = fs::absolute(state).lexically_normal() / "slurm";
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    if (fs::exists(entry.path() / "tasks.json", error)) {
      folders.push_back(entry.path().string());
    }
  }
  std::ranges::sort(folders);
  std::vector<SlurmSubmission> submissions;
  submissions.reserve(folders.size());
  for (const std::string& folder : folders) {
    submissions.push_back(load_submission(folder));
  }
  return submissions;
}

void run_slurm_task(const std::string& submission_folder, std::uint32_t task, const std::string& program,
                    const std::string& version) {
  const SlurmSubmission submission = load_submission(submission_folder);
  if (task >= submission.tasks.size()) {
    throw UserError(fmt::format("{}: has no task {}", submission_folder, task));
  }
  if (submission.version != version) {
    throw UserError(fmt::format("{}: the program was changed since the task was submitted; start the sweep again",
                                submission.program.path));
  }
  const SweepState state(submission.state);
  const std::string worker = worker_name(submission, task);
  for (const SweepPoint& point : submission.tasks[task]) {
    std::error_code error;
    if (fs::exists(state.point_path(point.key), error) || state.failure(point.key)) {
      continue;
    }
    PointRun run(state, point, {program, submission.program.threads}, worker);
    const std::string why = run.final_outcome();
    if (!why.empty()) {
      state.record_failure(point.key, why);
    }
  }
}

}  // namespace warpsim
