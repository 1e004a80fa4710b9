// The work of devices in a report: one table per run, stored separately from the document until a reader requests it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stats/database.h"

namespace warpsim {

// [{run_id, blob}] of the runs whose devices have stored their work. The blob is a TABLE (report_document.h): the view
// device_timeline by device and start.
nlohmann::ordered_json work_json(const Database& database, const std::string& runs, std::vector<std::string>& blobs);

}  // namespace warpsim
