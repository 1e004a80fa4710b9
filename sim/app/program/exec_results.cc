#include "app/program/exec_results.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <ctime>

#include "app/text_format.h"
#include "base/error.h"
#include "config/config_tree.h"
#include "config/gpu_files.h"
#include "core/gpu/gpu_config.h"
#include "cuda/device/run_results.h"
#include "stats/results_writer.h"

namespace warpsim {

namespace {

struct StoredRun {
  bool is_there = false;
  bool is_taken = false;  // by the program's process, or no longer by any
  std::string status;
  std::int64_t launches = 0;
  std::int64_t notes = 0;
  std::string writer;  // if it is still alive
};

StoredRun read_run(const Database& database, const RunToken& token) {
  StoredRun stored;
  Statement run(database,
                "SELECT status, (SELECT count(*) FROM launch l WHERE l.run_id = r.run_id), "
                "(SELECT token FROM run_writer w WHERE w.run_id = r.run_id), "
                "(SELECT count(*) FROM run_note n WHERE n.run_id = r.run_id) FROM run r WHERE run_id = ?");
  run.bind(1, token.run_id);
  while (run.step()) {
    stored = {true, run.text(2) != token.token, run.text(0), run.integer(1), run.integer(3), ""};
  }
  stored.writer = stored.is_taken ? live_writer(database, token.run_id) : "";
  return stored;
}

// "; and of 2 further processes: 5 launches"; empty if there were none.
std::string of_further_processes(const Database& database, std::int64_t run_id) {
  Statement query(database,
                  "SELECT count(*), sum((SELECT count(*) FROM launch l WHERE l.run_id = s.run_id)) "
                  "FROM run_setting s WHERE s.name = ? AND s.value = ?");
  query.bind(1, std::string_view(kProgramSetting)).bind(2, std::string_view(std::to_string(run_id)));
  std::string text;
  while (query.step()) {
    if (const std::int64_t runs = query.integer(0); runs != 0) {
      text = fmt::format("; and of {} further process{}, in runs of their own: {}", runs, runs == 1 ? "" : "es",
                         launches_text(static_cast<std::size_t>(query.integer(1))));
    }
  }
  return text;
}

}  // namespace

ExecResults::ExecResults(const ExecOptions& options, const std::string& run_name, const std::string& command)
    : database_(options.out), name_(run_name) {
  std::vector<cuda::GpuDescription> gpus;
  for (const std::string& gpu : options.gpus) {
    gpus.push_back(cuda::describe_gpu(gpu, options.overrides));
  }
  cuda::DeviceOptions device;
  device.flush_caches = options.flush_caches;
  device.max_cycles = options.max_cycles;
  device.run_name = run_name;
  device.command = command;
  device.details = options.details;
  const RunRecord record = cuda::run_record(gpus, device);
  ResultsWriter writer(database_);
  token_ = writer.hand_over(writer.begin_runs({record}, options.replace).front());
}

std::string ExecResults::closing_line(int status) {
  StoredRun stored;
  std::string further;
  {
    const Database database(database_, Database::Mode::kReadOnly);
    stored = read_run(database, token_);
    further = of_further_processes(database, token_.run_id);
  }
  if (!stored.is_there) {
    throw DatabaseError(fmt::format(
        "{}: run '{}' was replaced or deleted by another process; its launches are not stored", database_, name_));
  }
  if (!stored.is_taken) {
    return without_launches(status);
  }
  const std::string of_first = fmt::format("run '{}' in {}: {} stored", name_, database_,
                                           launches_text(static_cast<std::size_t>(stored.launches)));
  const std::string what = of_first + further;
  if (!stored.writer.empty()) {
    return fmt::format("{} so far; {}, which the program started, still writes it", what, stored.writer);
  }
  if (stored.status == "limited") {
    return what + "; the last one reached --max-cycles";
  }
  if (stored.status == "incomplete") {
    return fmt::format("{}; the run is incomplete, since {}", what,
                       WIFSIGNALED(status) ? fmt::format("signal {} ended the program", WTERMSIG(status))
                                           : "a kernel failed or the program did not end normally");
  }
  return stored.launches == 0 && stored.notes == 0 ? what + "; the program launched no kernel" : what;
}

std::string ExecResults::without_launches(int status) {
  ResultsWriter writer(database_);
  writer.take_run(token_);
  const std::string reason = WIFSIGNALED(status)
                                 ? fmt::format("signal {} ended the program before it used the GPU", WTERMSIG(status))
                                 : "the program did not use the GPU";
  writer.finish_run(token_.run_id, WIFSIGNALED(status) ? RunStatus::kIncomplete : RunStatus::kComplete, {reason}, 0);
  return fmt::format(
      "run '{}' in {}: no launches, since {}; the programs that can be simulated call CUDA's runtime or driver library",
      name_, database_, reason);
}

void ExecResults::withdraw() {
  Database database(database_, Database::Mode::kReadWrite);
  database.execute("PRAGMA foreign_keys = ON");
  Statement(database, "DELETE FROM run WHERE run_id = (SELECT run_id FROM run_writer WHERE run_id = ? AND token = ?)")
      .bind(1, token_.run_id)
      .bind(2, std::string_view(token_.token))
      .run();
}

}  // namespace warpsim
