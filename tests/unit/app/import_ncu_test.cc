#include <catch2/catch.hpp>
#include <sstream>

#include "app/commands/import_ncu_command.h"
#include "app/options/report_options.h"
#include "base/error.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

const std::string kHeading = "ID,Kernel Name,Block Size,Grid Size,Metric Name,Metric Unit,Metric Value\n";
std::string row(int id, const char* kernel, const char* metric, const char* unit, const char* value) {
  return std::to_string(id) + "," + kernel + ",\"(128, 1, 1)\",\"(4, 1, 1)\"," + metric + "," + unit + "," + value +
         "\n";
}

// One run "bfs" of three launches.
class Import {
 public:
  Import() {
    std::vector<ExampleLaunch> launches;
    for (const char* kernel : {"k_a", "k_b", "k_c"}) {
      launches.push_back({kernel, {{"gpu__time_duration.sum", 1000}}, {}});
    }
    write_example_results(folder_.at("r.db"), {{"bfs", "H200", "simulated", "t", "aa", "cc", {}, launches}});
    options_.database = folder_.at("r.db");
  }
  std::string run(const std::string& csv) {
    options_.csv = folder_.write("measured.csv", csv);
    std::ostringstream out;
    import_ncu_command(options_, out);
    return out.str();
  }
  std::string error(const std::string& csv) {
    try {
      run(csv);
    } catch (const UserError& problem) {
      return problem.what();
    }
    return "";
  }
  std::string text(const std::string& sql) const {
    const Database database(options_.database, Database::Mode::kReadOnly);
    Statement statement(database, sql);
    std::string all;
    while (statement.step()) {
      for (int i = 0; i < statement.column_count(); ++i) {
        all += (i == 0 ? "" : " ") + statement.text(i);
      }
      all += "\n";
    }
    return all;
  }
  ImportNcuOptions& options() { return options_; }
  std::string path(const char* name) const { return folder_.at(name); }

 private:
  TemporaryFolder folder_;
  ImportNcuOptions options_;
};

TEST_CASE("import-ncu: one query compares chip and model, with any units") {
  Import import;
  const std::string said = import.run(kHeading + row(1, "k_b(int*)", "gpu__time_duration.sum", "us", "2") +
                                      row(0, "k_a(int*)", "gpu__time_duration.sum", "ns", "1250") +
                                      row(0, "k_a(int*)", "new__bytes.sum", "Mbyte", "1.5"));
  CHECK(said == "2 launches of bfs measured on measured, 2 metrics, stored with the simulated ones\n");
  CHECK(import.text("SELECT s.launch_index, h.value, s.value, h.unit FROM metrics s JOIN metrics h USING (run_name, "
                    "launch_index, metric) WHERE s.source = 'simulated' AND h.source = 'hardware' ORDER BY 1") ==
        "0 1250.0 1000.0 ns\n1 2000.0 1000.0 ns\n");
  CHECK(import.text("SELECT value, unit FROM metrics WHERE metric = 'new__bytes.sum'") == "1500000.0 byte\n");
  CHECK(import.text("SELECT name, gpu, source, status FROM run ORDER BY run_id") ==
        "bfs H200 simulated complete\nbfs measured hardware complete\n");
  // Again: replaces the first import.
  import.options().gpu = "H200 SXM";
  import.run(kHeading + row(0, "k_a", "gpu__time_duration.sum", "ns", "7"));
  CHECK(import.text("SELECT gpu, value FROM metrics WHERE source = 'hardware'") == "H200 SXM 7.0\n");
}

TEST_CASE("import-ncu: measured launches of the trace, and mismatches") {
  Import import;
  import.options().launches = LaunchSelection("0,2");
  CHECK(import.run(kHeading + row(4, "k_a", "gpu__time_duration.sum", "ns", "1") +
                   row(9, "k_c", "gpu__time_duration.sum", "ns", "3")) ==
        "2 launches of bfs measured on measured, 1 metrics, stored with the simulated ones\n");
  CHECK(import.text("SELECT launch_index, value FROM metrics WHERE source = 'hardware'") == "0 1.0\n2 3.0\n");
  CHECK(import.error(kHeading + row(4, "k_a", "gpu__time_duration.sum", "ns", "1")) ==
        import.path("measured.csv") + ": 1 launches were measured, --launches 0,2 names more");
  import.options().launches = LaunchSelection("1");
  CHECK(import.error(kHeading + row(0, "k", "a__b", "", "1") + row(1, "k", "a__b", "", "1")) ==
        import.path("measured.csv") + ": 2 launches were measured, --launches 1 names fewer");
  import.options().launches = LaunchSelection("2,7");
  const std::string said =
      import.run(kHeading + row(0, "other<int>(float)", "a__b", "", "1") + row(1, "k", "a__b", "", "1"));
  CHECK(said.find("  measured, not simulated (1): bfs[7]\n") != std::string::npos);
  CHECK(said.find("  kernels differ; is it the same program? (1): bfs[2] is k_c, measured was other\n") !=
        std::string::npos);
}

TEST_CASE("import-ncu: the run must exist, and nothing is stored after an error") {
  Import import;
  const std::string good = kHeading + row(0, "k_a", "gpu__time_duration.sum", "ns", "1");
  import.options().name = "bfx";
  CHECK(import.error(good) == import.path("r.db") + ": no simulated run 'bfx'; did you mean 'bfs'?");
  import.options().name = "";
  CHECK(import.error(good + row(1, "k_b", "gpu__time_duration.sum", "ns", "1,5"))
            .find("measured.csv:3: 8 fields, but the heading has 7") != std::string::npos);
  CHECK(import.error(good + row(1, "k_b", "gpu__time_duration.sum", "ns", "\"1,5\""))
            .find("measured.csv:3: '1,5' of gpu__time_duration.sum has a decimal comma") != std::string::npos);
  import.options().launches = LaunchSelection("8");
  CHECK(import.error(good) == import.path("measured.csv") + ": none of its 1 launches belongs to run 'bfs'");
  CHECK(import.text("SELECT count(*) FROM run") == "1\n");
  import.options().launches = {};
  write_example_results(import.options().database, {{"wide", "H200", "simulated", "t", "aa", "cc", {}, {}}});
  CHECK(import.error(good) == import.path("r.db") + ": name the measured run with --name: bfs, wide");
  import.options().database = import.path("none.db");
  CHECK(import.error(good).find("none.db: cannot be read: there is no such file") != std::string::npos);
}

TEST_CASE("import-ncu options: a database and a file") {
  const auto options = parse_import_ncu({"r.db", "m.csv", "--name", "bfs", "--gpu", "H200", "--launches", "1-2"});
  REQUIRE(options);
  CHECK(options->csv == "m.csv");
  CHECK(options->name == "bfs");
  CHECK(options->gpu == "H200");
  CHECK(options->launches.contains(2));
  CHECK_FALSE(parse_import_ncu({"--help"}));
  CHECK_THROWS_WITH(parse_import_ncu({"r.db"}), Catch::StartsWith("import-ncu takes a results database and the CSV"));
}

}  // namespace
}  // namespace warpsim
