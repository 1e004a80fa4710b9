// The runs of a results database: how they begin, who writes them, how they end.
//
// While a run is not finished, table run_writer says which process writes it. Nobody else takes it over or deletes it
// as long as that process is alive. Whoever writes looks first, in the same transaction, whether the run is still its
// own: a process whose run was deleted or taken over all the same (it was held to have ended: on another machine that
// cannot be told) stops with an error, and the launches of two processes never mix.
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
  // Of a run that was continued: what is there already, by launch index; and its status if nothing is left to do.
  std::vector<StoredLaunch> launches = {};
  RunStatus status = RunStatus::kIncomplete;
};

// What becomes of a simulated run that the database holds under the name of a new one.
enum class KnownRun : std::uint8_t {
  kRefuse,
  kReplace,
  kContinue,  // if it is of the same command
};

// The token of a run that another process is to write on: see RunTable::hand_over().
struct RunToken {
  std::int64_t run_id = 0;
  std::string token;
};
// "12:0123456789abcdef".
std::string to_text(const RunToken& token);
// Throws DatabaseError for another text.
RunToken run_token(const std::string& text);

// The process that writes a run and is alive, for messages; empty if there is none.
std::string live_writer(const Database& database, std::int64_t run_id);

// Errors are DatabaseError.
class RunTable {
 public:
  explicit RunTable(Database& database);
  // Unfinished runs are no longer this process's own.
  ~RunTable();
  RunTable(const RunTable&) = delete;
  RunTable& operator=(const RunTable&) = delete;

  // Stores runs as incomplete and this process as their writer, all in one transaction. Throws if another process that
  // is alive writes one of them, and for names that are known if they are to be refused, or continued but are of
  // another command; the message says what differs.
  std::vector<BegunRun> begin(const std::vector<RunRecord>& runs, KnownRun known);

  // Of a run that this process has begun: another process, which gets the token, is to write it. Until that process
  // takes it, this one still counts as the writer.
  RunToken hand_over(std::int64_t run_id);
  // Makes this process the writer of the run. Throws if another one has taken it.
  void take(const RunToken& run);

  // Throws unless this process still writes the run, and the file has still its name. Inside a transaction.
  void require_own(std::int64_t run_id) const;
  // Ends a run in one transaction: nobody writes it any more. An incomplete one may be continued.
  void finish(std::int64_t run_id, RunStatus status, const std::vector<std::string>& notes, double host_seconds);

 private:
  std::int64_t insert(const RunRecord& run, std::int64_t run_id);
  BegunRun continued(std::int64_t run_id, const RunRecord& run);
  void set_writer(std::int64_t run_id);

  Database& database_;
  std::string token_;  // of this process and object
};

}  // namespace warpsim
