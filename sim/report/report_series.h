// The time series of a report. They are stored separately from the document: lines of the whole GPU in single
// precision, maps of SMs, L2 slices and DRAM channels over time in one byte per cell.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/report_document.h"
#include "stats/database.h"

namespace warpsim {

// [{run_id, launch_index, samples, points, samples_per_point, lines: {sql, columns, blob}, maps: [MAP]}] of sampled
// launches. Lines: first the column `cycle` in double precision, 8 planes of bytes, then the others in single
// precision, 4 planes each (float_planes()). MAP: {title, component, column, sql, instances, points, cycles_blob, blob,
// greatest}, the cells in the order of points: 0 for no value, else 1 + 254 * value / greatest, rounded.
nlohmann::ordered_json series_json(const Database& database, const ReportOptions& options,
                                   std::vector<std::string>& blobs);

}  // namespace warpsim
