// The queries of a report: every table of the page is the result of one of them, so that sqlite3 returns each number
// again.
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

// Of one database; `runs` is a glob that the names of runs must match, empty: all of them.
std::vector<ReportQuery> report_queries(const std::string& runs);

// One row a simulated launch: what verdicts are made of. Utilisations are of what the GPU can do at most, in per cent
// of the launch's whole time; what a GPU does not have or the launch did not use is NULL or 0.
std::string launch_facts_sql(const std::string& runs);
// One row a stall reason of a simulated launch, with its share in per cent of the warps' time; issuing is left out.
std::string stall_shares_sql(const std::string& runs);

// One row a precision in which a simulated launch calculated, with vector or tensor units: operations, their rate and
// its peak by the rates of the execution units, operations a byte. A multiply-add counts two.
std::string arithmetic_sql(const std::string& runs);

// 'text', as SQL writes it.
std::string sql_text(const std::string& text);
// "run_id IN (...)": the runs whose name matches; "1" for an empty glob.
std::string run_condition(const std::string& runs, const std::string& column = "run_id");

}  // namespace warpsim
