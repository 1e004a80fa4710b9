// The hot-spot listings of a report: the cost of each instruction of a launch. They are stored separately from the
// document, one block per launch, since code is long and viewed one kernel at a time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stats/database.h"

namespace warpsim {

// [{run_id, launch_index, blob}] of launches with hot spots; the blob is the JSON {spots, stalls, latency} of tables.
nlohmann::ordered_json code_json(const Database& database, const std::string& runs, std::vector<std::string>& blobs);

}  // namespace warpsim
