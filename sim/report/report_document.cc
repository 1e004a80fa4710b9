#include "report/report_document.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "base/error.h"
#include "report/report_blob.h"
#include "report/report_code.h"
#include "report/report_queries.h"
#include "report/report_series.h"
#include "report/report_verdicts.h"
#include "report/report_work.h"
#include "report/speedups.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

Json cell_json(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    return *integer;
  }
  if (const auto* real = std::get_if<double>(&cell)) {
    return *real;
  }
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  return nullptr;
}

// Runs on one GPU have equal values: each description is stored once, with its runs.
Json configs_json(const Database& database, const QueryTable& runs) {
  Json configs = Json::array();
  std::vector<QueryTable> known;
  for (std::size_t row = 0; row < runs.rows.size(); ++row) {
    const std::int64_t run = runs.integer(row, "run_id");
    const std::string sql =
        "SELECT path, value, origin FROM config WHERE run_id = " + std::to_string(run) + " ORDER BY path";
    QueryTable table = read_table(database, sql);
    if (table.rows.empty()) {
      continue;
    }
    std::size_t place = 0;
    while (place < known.size() && known[place].rows != table.rows) {
      ++place;
    }
    if (place == known.size()) {
      configs.push_back({{"runs", Json::array()}, {"table", table_json("GPU description in effect", sql, table)}});
      known.push_back(std::move(table));
    }
    configs[place]["runs"].push_back(run);
  }
  return configs;
}

// A read transaction: nothing is written, so that no commit is needed.
class Snapshot {
 public:
  explicit Snapshot(Database& database) : database_(database) { database_.execute("BEGIN"); }
  ~Snapshot() {
    try {
      database_.execute("ROLLBACK");
    } catch (const UserError&) {  // the connection is unusable; the original error is reported
    }
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Database& database_;
};

Json database_json(Database& database, const ReportOptions& options, std::vector<std::string>& blobs) {
  const Snapshot snapshot(database);
  check_schema(database);
  Json json;
  json["path"] = database.path();
  QueryTable runs;
  for (const ReportQuery& query : report_queries(options.runs)) {
    QueryTable table = read_table(database, query.sql);
    json["tables"][query.name] = table_json(query.title, query.sql, table);
    if (query.name == "runs") {
      runs = std::move(table);
    }
  }
  json["configs"] = configs_json(database, runs);
  json["verdicts"] = verdicts_json(database, options.runs);
  json["series"] = series_json(database, options, blobs);
  json["work"] = work_json(database, options.runs, blobs);
  json["code"] = code_json(database, options.runs, blobs);
  return json;
}

std::string title_of(const ReportOptions& options) {
  if (!options.title.empty()) {
    return options.title;
  }
  std::string title = "warpsim:";
  for (const std::string& path : options.databases) {
    title += (title.back() == ':' ? " " : ", ") + std::filesystem::path(path).filename().string();
  }
  return title;
}

}  // namespace

Json table_json(const std::string& title, const std::string& sql, const QueryTable& table) {
  Json json;
  json["title"] = title;
  json["sql"] = sql;
  json["columns"] = table.columns;
  Json data = Json::array();
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    Json values = Json::array();
    for (const std::vector<Cell>& row : table.rows) {
      values.push_back(cell_json(row[column]));
    }
    data.push_back(std::move(values));
  }
  json["data"] = std::move(data);
  return json;
}

std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ReportDocument read_report(const ReportOptions& options, const std::vector<Database*>& databases) {
  ReportDocument document;
  document.json["format"] = kFormat;
  document.json["title"] = title_of(options);
  document.json["program"] = options.program;
  document.json["databases"] = Json::array();
  std::vector<TimedLaunch> launches;
  for (Database* const database : databases) {
    document.json["databases"].push_back(database_json(*database, options, document.blobs));
    // The page's names of variants: with the file's name if there are several files.
    const std::string file = std::filesystem::path(database->path()).filename().string();
    std::ranges::move(
        read_timed_launches(*database, run_condition(options.runs), databases.size() > 1 ? file + ": " : ""),
        std::back_inserter(launches));
  }
  document.json["speedups"] = speedups_json(launches);
  return document;
}

ReportDocument read_report(const ReportOptions& options) {
  std::vector<std::unique_ptr<Database>> databases;
  std::vector<Database*> pointers;
  std::size_t runs = 0;
  for (const std::string& path : options.databases) {
    databases.push_back(std::make_unique<Database>(path, Database::Mode::kReadOnly));
    pointers.push_back(databases.back().get());
    check_schema(*databases.back());
    runs += static_cast<std::size_t>(
        databases.back()->integer("SELECT count(*) FROM run WHERE " + run_condition(options.runs)));
  }
  if (runs == 0) {
    throw UsageError(options.runs.empty()
                         ? options.databases.front() + ": contains no run yet; 'warpsim run' adds runs"
                         : "--runs '" + options.runs + "': no run of this name; 'SELECT name FROM run' lists them");
  }
  return read_report(options, pointers);
}

}  // namespace warpsim
