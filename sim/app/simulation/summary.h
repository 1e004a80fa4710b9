// The table printed after a run, read from the database that the run wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {

struct SummaryWork {
  double seconds = 0;               // host time of all runs together
  std::size_t launches_before = 0;  // stored by earlier processes, not part of the time
};

// Throws DatabaseError if the database no longer holds one of the runs.
std::string summary_text(const std::string& database, const std::vector<std::int64_t>& run_ids,
                         const SummaryWork& work);

}  // namespace warpsim
