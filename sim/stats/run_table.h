// The runs of a results database: how they begin, who writes them, how they end.
//
// While a run is not finished, table run_writer names the process that writes it. Other processes do not take it over
// or delete it while that process is alive. Each writer first checks, in the same transaction, that the run is still
// its own. If its run was deleted or taken over (another machine cannot see that the process is alive), it stops with
// an error, so that the launches of two processes never mix.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "stats/database.h"
#include "stats/run_record.h"

namespace warpsim {

// A launch that an earlier process has stored.
struct StoredLaunch {
  std::uint32_t launch_index = 0;
  bool limited = false;
  Cycle elapsed_cycles = 0;
  double duration_ns = 0;
  std::uint64_t waits_given_up = 0;
};

struct BegunRun {
  std::int64_t run_id = 0;
  // For a continued run: the launches that are stored, by launch index, and its status if it is finished.
  std::vector<StoredLaunch> launches = {};
  RunStatus status = RunStatus::kIncomplete;
};

// How a stored simulated run with the name of a new one is treated.
enum class KnownRun : std::uint8_t {
  kRefuse,
  kReplace,
  kContinue,  // if it is of the same command
};

// The token of a run that another process will continue to write: see RunTable::hand_over().
struct RunToken {
  std::int64_t run_id = 0;
  std::string token;
};
// "12:0123456789abcdef".
std::string to_text(const RunToken& token);
// Throws DatabaseError for any other text.
RunToken run_token(const std::string& text);

// The live process that writes a run, for messages; empty if there is none.
std::string live_writer(const Database& database, std::int64_t run_id);

// Errors are DatabaseError.
// The further runs of a program whose first process has written `run_id`: setting of a run with that number.
inline constexpr const char* kProgramSetting = "program_of_run";

class RunTable {
 public:
  explicit RunTable(Database& database);
  // Releases this process's unfinished runs.
  ~RunTable();
  RunTable(const RunTable&) = delete;
  RunTable& operator=(const RunTable&) = delete;

  // Stores runs as incomplete and this process as their writer, all in one transaction. Throws if another live process
  // writes one of them, and for existing names if they are refused, or continued but belong to another command; the
  // message names the differences.
  std::vector<BegunRun> begin(const std::vector<RunRecord>& runs, KnownRun known);

  // Prepares a run that this process has begun for another process, which receives the token. Until that process takes
  // it, this one counts as the writer.
  RunToken hand_over(std::int64_t run_id);
  // Makes this process the writer of the run. Throws if another one has taken it.
  void take(const RunToken& run);
  // The same for a process of a program that may have several: if another one has taken the run, stores `record` as a
  // further run of the program, under the first name "NAME (process 2)" and so on that is free. Returns the run's
  // number. Replacing the program's run also deletes its further runs.
  std::int64_t take_or_begin(const RunToken& run, RunRecord record);

  // Throws unless this process still writes the run, and the file still has its name. Inside a transaction.
  void require_own(std::int64_t run_id) const;
  // Ends a run in one transaction: it has no writer afterwards. An incomplete one may be continued.
  void finish(std::int64_t run_id, RunStatus status, const std::vector<std::string>& notes, double host_seconds);

 private:
  bool try_take(const RunToken& run);
  void require_no_writer(std::int64_t run_id, const std::string& name) const;
  void remove(std::int64_t run_id);
  std::int64_t insert(const RunRecord& run, std::int64_t run_id);
  BegunRun continued(std::int64_t run_id, const RunRecord& run);
  void insert_devices(const RunRecord& run, std::int64_t run_id);
  void set_writer(std::int64_t run_id);

  Database& database_;
  std::string token_;  // of this process and object
};

}  // namespace warpsim
