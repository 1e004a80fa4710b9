#include "report/export.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "report/column_units.h"
#include "report/csv.h"
#include "report/export_numbers.h"
#include "report/text_table_formats.h"
#include "stats/schema.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

constexpr const char* kCycles = "gpc__cycles_elapsed.max";

// Two runs of one launch each, with numbers with many digits.
class Example {
 public:
  Example() {
    const ExampleLaunch launch{
        "k_a, \"b\"", {{kCycles, 12345}, {"gpu__time_duration.sum", 1e9 / 3}, {"odd.ratio", std::nullopt}}, {}};
    write_example_results(folder_.at("r.db"), {{"one", "H200", "simulated", "t", "aa", "c1", {}, {launch}},
                                               {"two", "A100", "simulated", "t", "aa", "c2", {}, {launch}}});
    database_.emplace(folder_.at("r.db"), Database::Mode::kReadOnly);
  }
  const Database& database() const { return *database_; }
  ExportedTable query(const std::string& sql) const { return export_table(database(), {"", sql, {}}); }
  std::string error(const ExportRequest& request) const {
    try {
      export_table(database(), request);
    } catch (const UserError& problem) {
      return problem.what();
    }
    return "";
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
  std::optional<Database> database_;
};

TEST_CASE("export: every number of a CSV file is read back as that of the query") {
  const Example example;
  const ExportedTable table = export_table(example.database(), {"metrics", "", {}});
  const QueryTable direct = read_table(example.database(), "SELECT * FROM metrics ORDER BY 1, 2, 3, 4, 5, 6, 7");
  const std::vector<CsvRow> rows = parse_csv(render_export(table, ExportFormat::kCsv), "t.csv");
  REQUIRE(direct.rows.size() == 6);
  REQUIRE(rows.size() == 7);
  CHECK(rows.front().fields == direct.columns);
  for (std::size_t row = 0; row < direct.rows.size(); ++row) {
    for (std::size_t i = 0; i < direct.columns.size(); ++i) {
      const std::optional<double> number = number_in(direct.rows[row][i]);
      const std::string& field = rows[row + 1].fields[i];
      CHECK((number ? std::stod(field) == *number : field == text_of(direct.rows[row][i])));
    }
  }
}

TEST_CASE("export: JSON has records, types, units and their origin") {
  const Example example;
  const ExportedTable table = export_table(example.database(), {"kernel_summary", "", {"two"}});
  const auto json = nlohmann::json::parse(render_export(table, ExportFormat::kJson));
  REQUIRE(json["records"].size() == 1);
  CHECK(json["records"][0]["run_name"] == "two");
  CHECK(json["records"][0]["cycles"] == 12345);
  CHECK(json["records"][0]["time_us"].get<double>() == 1e9 / 3 / 1000);
  CHECK(json["records"][0]["l1_hit_pct"].is_null());
  REQUIRE(json["metadata"]["runs"].size() == 1);
  CHECK(json["metadata"]["runs"][0]["config_hash"] == "c2");
  CHECK(json["metadata"]["runs"][0]["version"] == "0.1.0");
  CHECK(json["metadata"]["content"] == "kernel_summary");
  const auto column = [&json](const std::string& name) {
    for (const auto& candidate : json["columns"]) {
      if (candidate["name"] == name) {
        return candidate;
      }
    }
    return nlohmann::json();
  };
  CHECK(column("cycles") == nlohmann::json{{"name", "cycles"}, {"type", "integer"}, {"unit", "cycle"}});
  CHECK(column("time_us")["type"] == "number");
  CHECK(column("l1_hit_pct") == nlohmann::json{{"name", "l1_hit_pct"}, {"type", "number"}, {"unit", "%"}});
  CHECK(column("top_stall") == nlohmann::json{{"name", "top_stall"}, {"type", "string"}});
}

TEST_CASE("export: NULL and empty text differ, in CSV and in its schema") {
  const Example example;
  const ExportedTable table =
      example.query("SELECT NULL AS a, '' AS b, 'x,y' AS c, 1 AS d UNION ALL SELECT 2.5, 'z', 1, 2");
  CHECK(render_export(table, ExportFormat::kCsv) == "a,b,c,d\n,\"\",\"x,y\",1\n2.5,z,1,2\n");
  const auto schema = nlohmann::json::parse(csv_schema(table, "some/where/t.csv"));
  CHECK(schema["path"] == "t.csv");
  CHECK(schema["schema"]["missingValues"] == nlohmann::json::array({""}));
  std::string types;
  for (const auto& field : schema["schema"]["fields"]) {
    types += field["type"].get<std::string>() + " ";
  }
  CHECK(types == "number string string integer ");
  CHECK(schema["metadata"]["runs"].size() == 2);
  CHECK(csv_schema_path("a/t.csv") == "a/t.schema.json");
  CHECK(csv_comment(table).find("\n# run one: H200, simulated, complete, config c1, trace aa, by warpsim 0.1.0\n") !=
        std::string::npos);
}

TEST_CASE("export: Markdown and LaTeX name their runs, have units and round only if requested") {
  const Example example;
  const ExportedTable table =
      example.query("SELECT run_name, name, cycles, time_us, 0.0004 AS ipc FROM kernel_summary WHERE run_id = 1");
  const std::string markdown = render_export(table, ExportFormat::kMarkdown);
  CHECK(markdown.find("\nrun one: H200") != std::string::npos);
  CHECK(markdown.find("run two") == std::string::npos);
  CHECK(markdown.find("| run_name | name | cycles | time_us (us) | ipc (inst/cycle) |\n"
                      "| --- | --- | ---: | ---: | ---: |\n"
                      "| one | k_a, \"b\" | 12345 | 333333.3333333333 | 0.0004 |\n") != std::string::npos);
  CHECK(markdown.find("rounded") == std::string::npos);
  const std::string latex = render_export(table, ExportFormat::kLatex, {DecimalRounding::Kind::kDecimals, 2});
  CHECK(latex.find("% real numbers are rounded to 2 decimal places\n") != std::string::npos);
  CHECK(latex.find("\\begin{tabular}{llS[table-format=5]S[table-format=6.2]S[table-format=1.1e-2]}\n\\toprule\n"
                   "run\\_name & name & {cycles} & {time\\_us (us)} & {ipc (inst/cycle)} \\\\\n"
                   "\\midrule\none & k\\_a, \"b\" & 12345 & 333333.33 & 4.0e-04 \\\\\n\\bottomrule\n") !=
        std::string::npos);
}

TEST_CASE("export: four significant digits keep whole parts and magnitudes") {
  const DecimalRounding four{DecimalRounding::Kind::kSignificant, 4};
  CHECK(rounded(333333.3333, four) == "333333");
  CHECK(rounded(1234.5678, four) == "1235");
  CHECK(rounded(123.45678, four) == "123.5");
  CHECK(rounded(-0.0123456, four) == "-0.01235");
  CHECK(rounded(0.2, four) == "0.2000");
  CHECK(rounded(9.99996, four) == "10.00");
  CHECK(rounded(0.0000123456, four) == "1.235e-05");
  CHECK(rounded(0, four) == "0");
  CHECK(rounded(0.1234567890123, {}) == "0.1234567890123");
}

TEST_CASE("export: columns are selected by name, for readers without keys and hashes") {
  const Example example;
  const ExportedTable table = export_table(example.database(), {"kernel_summary", "", {"two"}});
  const ExportedTable chosen = with_columns(table, {"cycles", "run_name"});
  CHECK(render_export(chosen, ExportFormat::kCsv) == "cycles,run_name\n12345,two\n");
  CHECK(chosen.provenance.runs.size() == 1);
  CHECK_THROWS_WITH(with_columns(table, {"cycels"}), "--columns: no column 'cycels'; did you mean 'cycles'?");
  CHECK_THROWS_WITH(with_columns(table, {"cycles", "cycles"}), "--columns: 'cycles' is named twice");
  const std::vector<std::string> summary = readable_columns(table, "kernel_summary");
  CHECK(summary.size() < 15);
  CHECK_NOTHROW(with_columns(table, summary));
  const ExportedTable runs = export_table(example.database(), {"run", "", {}});
  const std::vector<std::string> readable = readable_columns(runs, "run");
  for (const char* column : {"run_id", "config_hash", "trace_hash", "trace"}) {
    INFO(column);
    CHECK(std::ranges::find(readable, column) == readable.end());
  }
  CHECK(std::ranges::find(readable, "name") != readable.end());
  CHECK(readable_columns(export_table(example.database(), {"launch_program", "", {}}), "launch_program") ==
        std::vector<std::string>{"launch_index"});
}

TEST_CASE("export: the columns for readers are those of the view") {
  const Example example;
  for (const char* view : {"kernel_summary", "comparison", "hot_spots"}) {
    INFO(view);
    const ExportedTable table = export_table(example.database(), {view, "", {}});
    CHECK_NOTHROW(with_columns(table, readable_columns(table, view)));
  }
}

TEST_CASE("export: a pattern selects runs, and brackets in names are literal") {
  CHECK(matches_pattern("scan@a[l2.num_ways=8]", "scan@*[*ways=8]"));
  CHECK(matches_pattern("scan", "scan*"));
  CHECK(matches_pattern("scan", "*"));
  CHECK(matches_pattern("abcbc", "a*bc"));
  CHECK(matches_pattern("a8", "a?"));
  CHECK_FALSE(matches_pattern("a", "a?"));
  CHECK_FALSE(matches_pattern("scan@a[8]", "scan@a8"));
  CHECK_FALSE(matches_pattern("scans", "scan"));
  const Example example;
  CHECK(export_table(example.database(), {"kernel_summary", "", {"t?o"}}).content.rows.size() == 1);
  CHECK(export_table(example.database(), {"kernel_summary", "", {"*"}}).content.rows.size() == 2);
}

TEST_CASE("export: an unknown export is an error with the available names") {
  const Example example;
  const std::string path = example.database().path();
  CHECK(example.error({"kernel_sumary", "", {}}) ==
        path + ": no view or table 'kernel_sumary'; did you mean 'kernel_summary'?");
  CHECK(example.error({"everything", "", {}}).find("; there are comparison, counters, ") != std::string::npos);
  CHECK(example.error({"metrics", "", {"tow"}}) == path + ": no run 'tow'; did you mean 'two'?");
  CHECK(example.error({"metric", "", {"two"}}) ==
        path + ": --run: 'metric' is not about runs; it has no column run_id");
  CHECK(example.error({"", "SELECT 1; DELETE FROM run", {}}).starts_with("--query: expected one SELECT; "));
  CHECK(example.error({"", "DELETE FROM run", {}}).starts_with("--query: expected one SELECT; "));
  CHECK(example.error({"", "SELECT nonsense FROM run", {}}).find("no such column: nonsense") != std::string::npos);
  CHECK(example.error({"", "SELECT 1 AS a, 2 AS a", {}}) ==
        "--query: two columns are named 'a'; rename one of them with AS");
  CHECK_THROWS_WITH(render_export(example.query("SELECT 9e999 AS a"), ExportFormat::kJson),
                    "column 'a' has an infinite value, which JSON cannot hold");
  CHECK(render_export(example.query("SELECT 1 AS a -- one\n;"), ExportFormat::kCsv) == "a\n1\n");
}

TEST_CASE("export: every view and table can be exported in every format") {
  const Example example;
  Statement names(example.database(), "SELECT name FROM sqlite_master WHERE type IN ('view', 'table')");
  int exported = 0;
  while (names.step()) {
    const ExportedTable table = export_table(example.database(), {names.text(0), "", {}});
    for (const ExportFormat format :
         {ExportFormat::kCsv, ExportFormat::kJson, ExportFormat::kMarkdown, ExportFormat::kLatex}) {
      CHECK_FALSE(render_export(table, format).empty());
    }
    ++exported;
  }
  CHECK(exported > 30);
}

TEST_CASE("export: the suffix of a file selects the format") {
  CHECK(export_format("a.json") == ExportFormat::kJson);
  CHECK(export_format("b/a.csv") == ExportFormat::kCsv);
  CHECK(export_format("a.md") == ExportFormat::kMarkdown);
  CHECK(export_format("a.tex") == ExportFormat::kLatex);
  CHECK_FALSE(export_format("a.xlsx"));
}

TEST_CASE("tables: special characters are escaped") {
  CHECK(latex_escaped("50% of a_b & {c}\\d~^#$<|>") ==
        "50\\% of a\\_b \\& \\{c\\}\\textbackslash{}d\\textasciitilde{}\\textasciicircum{}\\#\\$\\textless{}\\textbar{}"
        "\\textgreater{}");
  CHECK(markdown_escaped("f(int*, a<b>|c) a_b _x_ `d` \\") == "f(int\\*, a\\<b>\\|c) a_b \\_x\\_ \\`d\\` \\\\");
  CHECK(markdown_escaped("two\nlines") == "two lines");
  const PrintedTable table{{{"a", CellAlign::kText, false}, {"b", CellAlign::kNumber, false}},
                           {{"[x]", "-1.25"}, {"y", ""}, {"z", "10"}}};
  CHECK(
      latex_table(table) ==
      "\\begin{tabular}{lS[table-format=-2.2]}\n\\toprule\na & {b} \\\\\n\\midrule\n{}[x] & -1.25 \\\\\ny & {--} \\\\\n"
      "z & 10 \\\\\n\\bottomrule\n\\end{tabular}\n");
}

TEST_CASE("units: columns of summaries, series and hot spots") {
  CHECK(column_unit("l2_gb_per_s") == "GB/s");
  CHECK(column_unit("l1_hit_pct") == "%");
  CHECK(column_unit("mean_load_latency_cycles") == "cycle");
  CHECK(column_unit("dram_bytes_read") == "byte");
  CHECK(column_unit("shared_wavefronts") == "wavefront");
  CHECK(column_unit("kernel").empty());
  CHECK(column_heading("time_us") == "time_us (us)");
  CHECK(column_heading("grid") == "grid");
}

}  // namespace
}  // namespace warpsim
