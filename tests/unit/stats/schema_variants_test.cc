#include "stats/schema_variants.h"

#include <catch2/catch.hpp>

#include "stats/database.h"
#include "support/query_text.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

using test::text;

ExampleRun stored_run(const std::string& name, const std::string& gpu, const std::string& trace,
                      const std::map<std::string, std::string>& config) {
  std::string hash = gpu;
  for (const auto& [key, value] : config) {
    hash += key + value;
  }
  return {name, gpu, "simulated", "traces/" + trace + ".wtrace", "hash of " + trace, hash, config, {{"k", {}, {}}}};
}

class StoredResults {
 public:
  explicit StoredResults(const std::vector<ExampleRun>& runs) {
    write_example_results(folder_.at("r.db"), runs);
    database_.emplace(folder_.at("r.db"), Database::Mode::kReadWrite);
  }
  std::string operator()(const std::string& sql) { return text(*database_, sql); }
  Database& database() { return *database_; }

 private:
  TemporaryFolder folder_;
  std::optional<Database> database_;
};

TEST_CASE("variants: five traces by four policies are four variants of five workloads") {
  std::vector<ExampleRun> runs;
  for (const char* trace : {"bfs", "scan", "sort", "spmv", "gemm"}) {
    for (const char* policy : {"lru", "fifo", "random", "srrip"}) {
      runs.push_back(
          stored_run(std::string(trace) + "-" + policy, "H200", trace, {{"l2.policy", policy}, {"l2.ways", "8"}}));
    }
  }
  StoredResults results(runs);
  CHECK(results("SELECT count(DISTINCT variant), count(DISTINCT variant_id), count(DISTINCT workload) FROM variants") ==
        "4|4|5\n");
  CHECK(results("SELECT DISTINCT variant FROM variants ORDER BY variant_id LIMIT 2") ==
        "H200 [l2.policy=lru]\nH200 [l2.policy=fifo]\n");
  CHECK(results("SELECT DISTINCT parameter FROM parameters") == "l2.policy\n");
}

TEST_CASE("variants: named after the GPU, the text following '@', their values, or their only run") {
  const auto variants = [](const std::vector<ExampleRun>& runs) {
    StoredResults results(runs);
    return results("SELECT variant FROM variants ORDER BY run_id");
  };
  CHECK(variants({stored_run("x@a", "A", "x", {{"w", "1"}}), stored_run("x@b", "B", "x", {{"w", "2"}})}) == "A\nB\n");
  CHECK(variants({stored_run("x@base", "A", "x", {{"w", "1"}}), stored_run("y@base", "A", "y", {{"w", "1"}}),
                  stored_run("x@wide", "A", "x", {{"w", "2"}})}) == "base\nbase\nwide\n");
  CHECK(variants({stored_run("x", "A", "x", {{"w", "1"}}), stored_run("x-2", "A", "x", {{"w", "2"}})}) ==
        "A [w=1]\nA [w=2]\n");
  // The same trace and configuration again.
  CHECK(variants({stored_run("x", "A", "x", {{"w", "1"}}), stored_run("again", "A", "x", {{"w", "1"}})}) ==
        "x\nagain\n");
}

TEST_CASE("variants: workloads are named after their runs or traces, and matched by the content of traces") {
  std::vector<ExampleRun> runs = {stored_run("bfs@wide", "A", "x", {}), stored_run("r1", "A", "deep/bfs.v2", {}),
                                  stored_run("r2", "A", "y", {}), stored_run("r3", "A", "y", {}),
                                  stored_run("r4", "A", "y", {})};
  runs[2].trace = "a/bfs/traces/kernelslist.g";
  runs[3].trace = "a/sort/";
  runs[4].trace = "";
  StoredResults results(runs);
  CHECK(results("SELECT workload, workload_id FROM variants ORDER BY run_id") ==
        "bfs|1\nbfs.v2|2\nbfs|3\nsort|3\nr4|3\n");
}

TEST_CASE("variants: cache control is part of a variant") {
  StoredResults results({stored_run("a", "A", "x", {}), stored_run("b", "A", "x", {})});
  results.database().execute("UPDATE run SET cache_control = CASE run_id WHEN 1 THEN 'all' ELSE 'none' END");
  CHECK(results("SELECT variant FROM variants ORDER BY run_id") == "A [cache_control=all]\nA [cache_control=none]\n");
}

TEST_CASE("sweep view: a column for each value that varies, numbers as numbers") {
  StoredResults results(
      {stored_run("x@1", "A", "x", {{"l2.num_ways", "8"}, {"l2.policy", "lru"}, {"l2.same", "1"}}),
       stored_run("x@2", "A", "x", {{"l2.num_ways", "16"}, {"l2.policy", "fifo"}, {"l2.same", "1"}}),
       stored_run("x@3", "A", "x", {{"l2.num_ways", "2.5e1"}, {"l2.policy", "[0, 8]"}, {"l2.same", "1"}})});
  CHECK(results("SELECT workload, variant, l2_num_ways, typeof(l2_num_ways), l2_policy FROM sweep ORDER BY run_id") ==
        "x|1|8|integer|lru\nx|2|16|integer|fifo\nx|3|25|integer|[0, 8]\n");
  CHECK(results("SELECT count(*) FROM pragma_table_info('sweep') WHERE name LIKE '%same%'") == "0\n");
  // Added runs have their own parameters.
  results.database().execute(
      "INSERT INTO run (name, source, status, gpu, config_hash, trace, trace_hash, version)"
      " VALUES ('new', 'simulated', 'complete', 'A', 'other', 'x', 'hash of x', '0');"
      "INSERT INTO config SELECT last_insert_rowid(), path, CASE path WHEN 'l2.same' THEN '2' ELSE value END, origin"
      " FROM config WHERE run_id = 1");
  update_sweep_view(results.database());
  CHECK(results("SELECT DISTINCT l2_same FROM sweep") == "1\n");
  CHECK(results("SELECT count(*) FROM pragma_table_info('sweep') WHERE name LIKE 'l2_%'") == "5\n");
}

}  // namespace
}  // namespace warpsim
