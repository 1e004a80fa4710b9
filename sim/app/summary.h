// The table printed after a run, read from the database that the run wrote.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {

// `seconds`: host time of all runs together.
std::string summary_text(const std::string& database, const std::vector<std::int64_t>& run_ids, double seconds);

}  // namespace warpsim
