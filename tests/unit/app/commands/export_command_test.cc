#include "app/commands/export_command.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "app/options/report_options.h"
#include "base/error.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"
#include "support/words.h"

namespace warpsim {
namespace {

using test::words;

TEST_CASE("export options: one source to export, and a known format") {
  CHECK_FALSE(parse_export(words("--help")));
  CHECK(parse_export(words("r.db --view metrics"))->format == ExportFormat::kCsv);
  CHECK(parse_export(words("r.db --view metrics -o a.tex --digits 3"))->rounding.digits == 3);
  CHECK(parse_export(words("r.db --view metrics -o a.md"))->rounding.kind == DecimalRounding::Kind::kSignificant);
  CHECK(parse_export(words("r.db --view metrics -o a.md"))->rounding.digits == 4);
  CHECK(parse_export(words("r.db --view metrics -o a.md --exact"))->rounding.kind == DecimalRounding::Kind::kExact);
  CHECK(parse_export(words("r.db --view metrics --columns a,b"))->columns == std::vector<std::string>{"a", "b"});
  CHECK_THROWS_WITH(parse_export(words("r.db --view a --columns a,,b")),
                    Catch::StartsWith("--columns 'a,,b': expected names separated by commas"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view a -o b.md --exact --digits 2")),
                    Catch::StartsWith("--digits, --significant and --exact exclude each other"));
  CHECK(parse_export(words("r.db --view metrics -o a.txt --format json"))->format == ExportFormat::kJson);
  CHECK(parse_export(words("r.db --view metrics --run a --run b"))->request.runs.size() == 2);
  CHECK_THROWS_WITH(parse_export(words("--view metrics")),
                    Catch::StartsWith("export takes one results database, got 0"));
  CHECK_THROWS_WITH(parse_export(words("r.db")),
                    Catch::StartsWith("name what to export: either --view NAME or --query"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view a --query b")), Catch::StartsWith("name what to export: either"));
  CHECK_THROWS_WITH(parse_export(words("r.db --query x --run y")), Catch::StartsWith("--run is for --view"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view a -o b.xls")),
                    Catch::StartsWith("-o 'b.xls': expected a name ending in .csv, .json, .md, .tex or .pftrace, or "
                                      "--format"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view a --format parquet-csv")),
                    Catch::StartsWith("--format parquet-csv writes two files"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view a --format parquet")),
                    Catch::Contains("did you mean 'parquet-csv'") || Catch::Contains("expected csv or json"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view a --digits 2")),
                    Catch::StartsWith("--digits, --significant and --exact are for the formats"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view a --format md --comment")),
                    Catch::StartsWith("--comment is for CSV"));
}

TEST_CASE("export options: a trace for Perfetto is of the work of devices, in a file") {
  CHECK(parse_export(words("r.db --view device_timeline -o a.pftrace"))->format == ExportFormat::kPerfetto);
  CHECK(parse_export(words("r.db --view device_timeline -o a --format perfetto"))->format == ExportFormat::kPerfetto);
  CHECK_THROWS_WITH(parse_export(words("r.db --view streams -o a.pftrace")),
                    Catch::StartsWith("the format perfetto (.pftrace) is for --view device_timeline"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view device_timeline --format perfetto")),
                    Catch::StartsWith("--format perfetto writes a binary file"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view device_timeline -o a.pftrace --columns stream")),
                    Catch::StartsWith("--columns is not for the format perfetto"));
  CHECK_THROWS_WITH(parse_export(words("r.db --view device_timeline -o a.pftrace --digits 2")),
                    Catch::StartsWith("--digits, --significant and --exact are for the formats md and tex"));
}

TEST_CASE("export: a CSV file gets a schema file, standard output only the rows") {
  const TemporaryFolder folder;
  write_example_results(folder.at("r.db"), {{"one", "H200", "simulated", "t", "aa", "cc", {}, {{"k", {}, {}}}}});
  ExportOptions options;
  options.database = folder.at("r.db");
  options.request.query = "SELECT name, gpu FROM run";
  std::ostringstream out;
  CHECK(export_command(options, out) == 0);
  CHECK(out.str() == "name,gpu\none,H200\n");
  options.comment = true;
  std::ostringstream commented;
  export_command(options, commented);
  CHECK(commented.str().starts_with("# warpsim "));
  options.comment = false;
  options.out = folder.at("runs.csv");
  std::ostringstream written;
  export_command(options, written);
  CHECK(written.str() == "wrote " + options.out + " (1 rows), its columns in " + folder.at("runs.schema.json") + "\n");
  CHECK(TemporaryFolder::read(options.out) == "name,gpu\none,H200\n");
  CHECK(TemporaryFolder::read(folder.at("runs.schema.json")).find("\"path\": \"runs.csv\"") != std::string::npos);
  options.out = folder.at("none/runs.csv");
  CHECK_THROWS_WITH(export_command(options, out),
                    Catch::EndsWith(": cannot be written: there is no folder " + folder.at("none")));
  options.database = folder.write("text.db", "not a database, but long enough to look at; really, it is only text");
  CHECK_THROWS_AS(export_command(options, out), UserError);
}

TEST_CASE("export: Markdown of a view has the columns for readers, CSV all columns") {
  const TemporaryFolder folder;
  write_example_results(folder.at("r.db"), {{"one", "H200", "simulated", "t", "aa", "cc", {}, {{"k", {}, {}}}}});
  const auto exported = [&folder](const std::string& options) {
    std::ostringstream out;
    CHECK(export_command(*parse_export(words(folder.at("r.db") + " --view run " + options)), out) == 0);
    return out.str();
  };
  CHECK(exported("--format md").find("hash |") == std::string::npos);
  CHECK(exported("--format md --columns all").find("config_hash |") != std::string::npos);
  CHECK(exported("--format md --columns name,config_hash").find("| name | config_hash |") != std::string::npos);
  CHECK(exported("--format csv").starts_with("run_id,name,source"));
  CHECK(exported("--columns gpu,name") == "gpu,name\nH200,one\n");
}

}  // namespace
}  // namespace warpsim
