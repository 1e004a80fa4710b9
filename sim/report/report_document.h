// The content of a report, read from results databases: a JSON document of tables with their queries, of verdicts on
// launches, and of time series, work of devices and code, which are stored separately until a reader requests them.
//
// Document: {format, title, program, databases: [{path, tables: {NAME: TABLE}, configs, verdicts, verdict_queries,
// series, work, code}]}. A TABLE is {title, sql, columns, data}, data column by column; its numbers are those that
// sqlite3 prints for the query. If a query fails (the database changed meanwhile), the error is thrown; a partial table
// is never returned.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/query_table.h"
#include "stats/database.h"

namespace warpsim {

struct ReportOptions {
  std::vector<std::string> databases;  // paths
  std::string runs;                    // name of a run, or pattern of names; empty: all
  std::string title;                   // empty: derived from the paths
  // Maximum number of points in time of a launch's series; longer series are averaged over equal numbers of cycles. 0:
  // each sampled launch gets an equal share of kSeriesBudget.
  std::size_t series_points = 0;
  std::string program;  // name and version that the page shows
};

inline constexpr std::size_t kSeriesBudget = 400'000;
// The same for cells of maps, instances times points: larger maps are averaged over time.
inline constexpr std::size_t kMapBudget = 12'000'000;

struct ReportDocument {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
  nlohmann::ordered_json json;
  std::vector<std::string> blobs;  // each compressed by deflated(); the document refers to them by index
};

// Opens the databases for reading. Throws DatabaseError for files that are not results databases, UsageError if no run
// matches.
ReportDocument read_report(const ReportOptions& options);
// Of open databases; each is read in one transaction, so that the data of a running simulation are consistent.
ReportDocument read_report(const ReportOptions& options, const std::vector<Database*>& databases);

// {title, sql, columns, data}
nlohmann::ordered_json table_json(const std::string& title, const std::string& sql, const QueryTable& table);
// Text of any bytes: invalid UTF-8 is replaced.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace warpsim
