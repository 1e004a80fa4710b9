// The differences between a stored run and the one that a command would write.
#pragma once

#include <cstdint>
#include <string>

#include "stats/database.h"
#include "stats/run_record.h"

namespace warpsim {

// Empty if the command is the same: trace, GPU description, settings and simulator are equal, so that the results are
// also equal. Otherwise a text that names each difference: "the GPU description differs (l2.num_ways: stored 16, now
// 24)".
std::string run_difference(const Database& database, std::int64_t run_id, const RunRecord& run);

}  // namespace warpsim
