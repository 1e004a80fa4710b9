// The queries of a report: every table of the page is the result of one of them, so that each number can be reproduced
// with sqlite3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {

struct ReportQuery {
  std::string name;  // of the table in the document
  std::string title;
  std::string sql;
};

// Of one database; `runs` is the name of a run, or a pattern with * and ? of names; empty: all runs.
std::vector<ReportQuery> report_queries(const std::string& runs);

// One row per simulated launch: the input of verdicts. Utilisations are relative to the GPU's peak over the launch's
// whole time, in per cent; for units that the GPU lacks or the launch did not use they are NULL or 0.
std::string launch_facts_sql(const std::string& runs);
// One row per stall reason of a simulated launch, with its share in per cent of the warps' stall time.
std::string stall_shares_sql(const std::string& runs);

// One row per precision that a simulated launch used, in vector or tensor units: operations, their rate, the peak rate
// of the execution units, operations per byte. A multiply-add counts two.
std::string arithmetic_sql(const std::string& runs);

// 'text', quoted for SQL.
std::string sql_text(const std::string& text);
// "run_id IN (...)": the run of this name, or the runs whose name matches it as a pattern; "1" for an empty one.
std::string run_condition(const std::string& runs, const std::string& column = "run_id");

}  // namespace warpsim
