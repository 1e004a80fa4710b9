#include "stats/run_table.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/random_name.h"
#include "stats/run_difference.h"
#include "stats/schema_variants.h"
#include "stats/writer_process.h"
#include "warpsim_version.h"

namespace warpsim {

namespace {

constexpr std::size_t kTokenDigits = 32;

struct KnownRow {
  std::int64_t run_id = 0;
  std::string status;
};

std::optional<KnownRow> find_run(const Database& database, const std::string& name) {
  Statement find(database, "SELECT run_id, status FROM run WHERE name = ? AND source = 'simulated'");
  find.bind(1, std::string_view(name));
  std::optional<KnownRow> row;
  while (find.step()) {
    row = {find.integer(0), find.text(1)};
  }
  return row;
}

std::optional<WriterProcess> writer_of(const Database& database, std::int64_t run_id) {
  Statement find(database, "SELECT host, system, process, started FROM run_writer WHERE run_id = ?");
  find.bind(1, run_id);
  std::optional<WriterProcess> writer;
  while (find.step()) {
    writer = WriterProcess{find.text(0), find.text(1), find.integer(2), find.text(3)};
  }
  return writer;
}

RunStatus status_of(const std::string& text) {
  return text == "complete" ? RunStatus::kComplete : text == "limited" ? RunStatus::kLimited : RunStatus::kIncomplete;
}

const char* status_text(RunStatus status) {
  switch (status) {
    case RunStatus::kIncomplete:
      return "incomplete";
    case RunStatus::kComplete:
      return "complete";
    case RunStatus::kLimited:
      break;
  }
  return "limited";
}

constexpr const char* kWaysOut =
    "give --replace to replace it, --name to store the new one under another name, or another --out";

std::vector<StoredLaunch> stored_launches(const Database& database, std::int64_t run_id) {
  Statement rows(database,
                 "SELECT l.launch_index, l.status, l.elapsed_cycles, l.duration_ns, "
                 "(SELECT sum(c.value) FROM counter_total c JOIN statistic s ON s.stat_id = c.stat_id "
                 " WHERE c.run_id = l.run_id AND c.launch_index = l.launch_index AND s.name = 'waits_given_up') "
                 "FROM launch l WHERE l.run_id = ? ORDER BY l.launch_index");
  rows.bind(1, run_id);
  std::vector<StoredLaunch> launches;
  while (rows.step()) {
    launches.push_back({static_cast<std::uint32_t>(rows.integer(0)), rows.text(1) == "limited",
                        static_cast<Cycle>(rows.integer(2)), rows.real(3),
                        static_cast<std::uint64_t>(rows.integer(4))});
  }
  return launches;
}

}  // namespace

std::string live_writer(const Database& database, std::int64_t run_id) {
  const std::optional<WriterProcess> writer = writer_of(database, run_id);
  return writer && state_of(*writer) == ProcessState::kAlive ? text_of(*writer) : "";
}

std::string to_text(const RunToken& token) {
  return fmt::format("{}:{}", token.run_id, token.token);
}

RunToken run_token(const std::string& text) {
  RunToken run;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), run.run_id);
  if (error != std::errc{} || end == text.data() + text.size() || *end != ':') {
    throw DatabaseError("'" + text + "' is not a run that was begun for this process; expected RUN_ID:TOKEN");
  }
  run.token = std::string(end + 1);
  return run;
}

RunTable::RunTable(Database& database) : database_(database), token_(random_hex(kTokenDigits)) {}

RunTable::~RunTable() {
  try {
    Statement(database_, "DELETE FROM run_writer WHERE token = ?").bind(1, std::string_view(token_)).run();
  } catch (const DatabaseError&) {
    // The process ends soon, which has the same effect.
  }
}

std::vector<BegunRun> RunTable::begin(const std::vector<RunRecord>& runs, KnownRun known) {
  const std::string& path = database_.path();
  std::vector<BegunRun> begun;
  begun.reserve(runs.size());
  database_.execute("PRAGMA foreign_keys = ON");  // deletes what belongs to a replaced run
  Transaction transaction(database_);
  // The number of a replaced run is not reused: a process that still refers to the old run does not find the new one.
  std::int64_t next_id = database_.integer("SELECT max(run_id) FROM run") + 1;
  for (const RunRecord& run : runs) {
    const std::optional<KnownRow> row = find_run(database_, run.name);
    if (!row) {
      begun.push_back({insert(run, next_id++)});
      continue;
    }
    require_no_writer(row->run_id, run.name);
    if (known == KnownRun::kReplace) {
      remove(row->run_id);
      begun.push_back({insert(run, next_id++)});
    } else if (known == KnownRun::kRefuse) {
      throw DatabaseError(
          fmt::format("{}: already holds a run named '{}' ({}); {}", path, run.name, row->status, kWaysOut));
    } else if (const std::string difference = run_difference(database_, row->run_id, run); !difference.empty()) {
      throw DatabaseError(fmt::format("{}: already holds a run named '{}' ({}) of another command: {}; {}", path,
                                      run.name, row->status, difference, kWaysOut));
    } else {
      begun.push_back(continued(row->run_id, run));
    }
  }
  update_sweep_view(database_);
  transaction.commit();
  // From here on keys are correct by construction; checking them again would double the time of a launch's inserts.
  database_.execute("PRAGMA foreign_keys = OFF");
  return begun;
}

void RunTable::require_no_writer(std::int64_t run_id, const std::string& name) const {
  if (const std::string writer = live_writer(database_, run_id); !writer.empty()) {
    throw DatabaseError(fmt::format(
        "{}: run '{}' is being written by {}; wait until that has ended, give --name to store the new one under "
        "another name, or another --out",
        database_.path(), name, writer));
  }
}

// With the runs of further processes of its program.
void RunTable::remove(std::int64_t run_id) {
  std::vector<std::pair<std::int64_t, std::string>> runs = {{run_id, ""}};
  Statement further(database_,
                    "SELECT run_id, run.name FROM run JOIN run_setting USING (run_id) "
                    "WHERE run_setting.name = ? AND run_setting.value = ?");
  further.bind(1, std::string_view(kProgramSetting)).bind(2, std::string_view(std::to_string(run_id)));
  while (further.step()) {
    runs.emplace_back(further.integer(0), further.text(1));
    require_no_writer(runs.back().first, runs.back().second);
  }
  for (const auto& [id, name] : runs) {
    Statement(database_, "DELETE FROM run WHERE run_id = ?").bind(1, id).run();
  }
}

BegunRun RunTable::continued(std::int64_t run_id, const RunRecord& run) {
  BegunRun begun{run_id, stored_launches(database_, run_id)};
  Statement status(database_, "SELECT status FROM run WHERE run_id = ?");
  status.bind(1, run_id);
  while (status.step()) {
    begun.status = status_of(status.text(0));
  }
  if (begun.status != RunStatus::kIncomplete) {
    return begun;
  }
  if (const std::optional<WriterProcess> writer = writer_of(database_, run_id);
      writer && state_of(*writer) == ProcessState::kUnknown) {
    throw DatabaseError(
        fmt::format("{}: run '{}' (incomplete) was begun by {}, and this machine cannot determine whether that process "
                    "is alive; continue the run there, or give --replace to start again",
                    database_.path(), run.name, text_of(*writer)));
  }
  set_writer(run_id);
  Statement(database_, "UPDATE run_host SET command = ?, started = ? WHERE run_id = ?")
      .bind(1, std::string_view(run.command))
      .bind(2, std::string_view(run.started))
      .bind(3, run_id)
      .run();
  return begun;
}

std::int64_t RunTable::insert(const RunRecord& run, std::int64_t run_id) {
  Statement row(database_,
                "INSERT INTO run (run_id, name, source, status, gpu, config_file, config_hash, trace, trace_hash, "
                "cache_control, launches, max_cycles, version) "
                "VALUES (?, ?, 'simulated', 'incomplete', ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const std::string launches = run.launches.empty() ? "all" : run.launches;
  const std::string gpu = machine_name(run);
  const std::string hash = machine_hash(run);
  const std::string* texts[] = {&run.name,          &gpu,     &run.config_file, &hash, &run.trace, &run.trace_hash,
                                &run.cache_control, &launches};
  int parameter = 0;
  row.bind(++parameter, run_id);
  for (const std::string* text : texts) {
    row.bind(++parameter, std::string_view(*text));
  }
  if (run.max_cycles) {
    row.bind(++parameter, *run.max_cycles);
  } else {
    row.bind_null(++parameter);
  }
  row.bind(++parameter, std::string_view(kVersion)).run();

  Statement config(database_, "INSERT INTO config VALUES (?, ?, ?, ?)");
  for (const ConfigValue& value : run.config) {
    config.bind(1, run_id).bind(2, std::string_view(value.path)).bind(3, std::string_view(value.text));
    config.bind(4, std::string_view(value.origin)).run();
  }
  insert_devices(run, run_id);
  Statement setting(database_, "INSERT INTO run_setting VALUES (?, ?, ?)");
  for (const auto& [name, value] : run.settings) {
    setting.bind(1, run_id).bind(2, std::string_view(name)).bind(3, std::string_view(value)).run();
  }
  Statement host(database_, "INSERT INTO run_host (run_id, command, build, started, program) VALUES (?, ?, ?, ?, ?)");
  host.bind(1, run_id).bind(2, std::string_view(run.command));
  host.bind(3, std::string_view(std::string(kCommit) + " " + kBuildType)).bind(4, std::string_view(run.started));
  host.bind(5, std::string_view(run.program)).run();
  set_writer(run_id);
  return run_id;
}

void RunTable::insert_devices(const RunRecord& run, std::int64_t run_id) {
  std::vector<DeviceRecord> devices = {{run.gpu, run.config_file, run.config_hash, {}}};
  devices.insert(devices.end(), run.further_devices.begin(), run.further_devices.end());
  Statement insert(database_, "INSERT INTO device VALUES (?, ?, ?, ?, ?)");
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    insert.bind(1, run_id).bind(2, i).bind(3, std::string_view(devices[i].gpu));
    insert.bind(4, std::string_view(devices[i].config_file)).bind(5, std::string_view(devices[i].config_hash)).run();
  }
  Statement different(database_, "INSERT INTO device_config VALUES (?, ?, ?, ?, ?)");
  for (const DeviceValue& value : device_values(run)) {
    different.bind(1, run_id).bind(2, value.device).bind(3, std::string_view(value.path));
    if (value.value) {
      different.bind(4, std::string_view(*value.value)).bind(5, std::string_view(value.origin)).run();
    } else {
      different.bind_null(4).bind_null(5).run();
    }
  }
}

void RunTable::set_writer(std::int64_t run_id) {
  const WriterProcess process = this_process();
  Statement(database_, "INSERT OR REPLACE INTO run_writer VALUES (?, ?, ?, ?, ?, ?)")
      .bind(1, run_id)
      .bind(2, std::string_view(token_))
      .bind(3, std::string_view(process.host))
      .bind(4, std::string_view(process.system))
      .bind(5, process.number)
      .bind(6, std::string_view(process.started))
      .run();
}

RunToken RunTable::hand_over(std::int64_t run_id) {
  RunToken run{run_id, random_hex(kTokenDigits)};
  Transaction transaction(database_);
  require_own(run_id);
  Statement(database_, "UPDATE run_writer SET token = ? WHERE run_id = ?")
      .bind(1, std::string_view(run.token))
      .bind(2, run_id)
      .run();
  transaction.commit();
  return run;
}

void RunTable::take(const RunToken& run) {
  Transaction transaction(database_);
  if (!try_take(run)) {
    throw DatabaseError(database_.path() +
                        ": the run of this command holds the launches of another process already; a run takes those "
                        "of one process");
  }
  transaction.commit();
}

std::int64_t RunTable::take_or_begin(const RunToken& run, RunRecord record) {
  Transaction transaction(database_);
  std::int64_t run_id = run.run_id;
  if (!try_take(run)) {
    const std::string name = record.name;
    int process = 1;
    do {
      record.name = fmt::format("{} (process {})", name, ++process);
    } while (find_run(database_, record.name));
    record.settings[kProgramSetting] = std::to_string(run.run_id);
    run_id = insert(record, database_.integer("SELECT max(run_id) FROM run") + 1);
  }
  transaction.commit();
  return run_id;
}

bool RunTable::try_take(const RunToken& run) {
  Statement find(database_, "SELECT count(*) FROM run_writer WHERE run_id = ? AND token = ?");
  find.bind(1, run.run_id).bind(2, std::string_view(run.token));
  bool free = false;
  while (find.step()) {
    free = find.integer(0) != 0;
  }
  if (free) {
    set_writer(run.run_id);
  }
  return free;
}

void RunTable::require_own(std::int64_t run_id) const {
  database_.require_in_place();
  Statement find(database_, "SELECT count(*) FROM run_writer WHERE run_id = ? AND token = ?");
  find.bind(1, run_id).bind(2, std::string_view(token_));
  bool own = false;
  while (find.step()) {
    own = find.integer(0) != 0;
  }
  if (!own) {
    throw DatabaseError(database_.path() +
                        ": the run was replaced or deleted by another process while this one wrote it; what this "
                        "process simulated is not stored");
  }
}

void RunTable::finish(std::int64_t run_id, RunStatus status, const std::vector<std::string>& notes,
                      double host_seconds) {
  Transaction transaction(database_);
  require_own(run_id);
  Statement(database_, "DELETE FROM run_note WHERE run_id = ?").bind(1, run_id).run();  // of an earlier process
  Statement insert(database_, "INSERT INTO run_note VALUES (?, ?, ?)");
  for (std::size_t i = 0; i < notes.size(); ++i) {
    insert.bind(1, run_id).bind(2, static_cast<std::uint64_t>(i)).bind(3, std::string_view(notes[i])).run();
  }
  Statement(database_, "UPDATE run_host SET seconds = ? WHERE run_id = ?").bind(1, host_seconds).bind(2, run_id).run();
  Statement(database_, "UPDATE run SET status = ? WHERE run_id = ?")
      .bind(1, std::string_view(status_text(status)))
      .bind(2, run_id)
      .run();
  Statement(database_, "DELETE FROM run_writer WHERE run_id = ?").bind(1, run_id).run();
  transaction.commit();
}

}  // namespace warpsim
