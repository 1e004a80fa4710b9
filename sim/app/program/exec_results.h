// The run in which `warpsim exec` stores the launches of a program: begun before the program starts, written by the
// libraries in the program's process, completed when it has ended.
#pragma once

#include <cstdint>
#include <string>

#include "app/options/options.h"
#include "stats/run_table.h"

namespace warpsim {

class ExecResults {
 public:
  // Begins an incomplete run. Throws UserError, also for a name that already exists in the database. `command`: as
  // typed.
  ExecResults(const ExecOptions& options, const std::string& run_name, const std::string& command);

  // For the program's process: see cuda::DeviceOptions::begun_run.
  std::string token() const { return to_text(token_); }

  // The program has ended with this status (waitpid()). Returns the line that reports what is stored. Throws
  // DatabaseError if the run no longer exists.
  std::string closing_line(int status);
  // The program did not start: removes the run.
  void withdraw();

 private:
  std::string without_launches(int status);

  std::string database_;
  std::string name_;
  RunToken token_;
};

}  // namespace warpsim
