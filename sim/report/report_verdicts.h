// Verdicts (report/verdict.h) on all launches of a database, in the form of the document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stats/database.h"

namespace warpsim {

// [{run_id, launch_index, limiter, further}] of simulated launches; a finding is {kind, sentence, advice, evidence}.
nlohmann::ordered_json verdicts_json(const Database& database, const std::string& runs);

}  // namespace warpsim
