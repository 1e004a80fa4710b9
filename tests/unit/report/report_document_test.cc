#include "report/report_document.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "app/comparison/correlation.h"
#include "base/error.h"
#include "report/report_blob.h"
#include "report/report_code.h"
#include "report/report_queries.h"
#include "report/report_series.h"
#include "report/report_verdicts.h"
#include "stats/sample_columns.h"
#include "support/device_work.h"
#include "support/report_database.h"
#include "support/temporary_folder.h"

using namespace warpsim;
using Json = nlohmann::ordered_json;

namespace {

std::string made_database(const TemporaryFolder& folder, bool with_details = false) {
  Database database(folder.at("r.db"), Database::Mode::kCreate);
  fill_report_database(database, with_details);
  return database.path();
}

ReportDocument report_of(const std::string& path, const std::string& runs = "") {
  ReportOptions options;
  options.databases = {path};
  options.runs = runs;
  return read_report(options);
}

// Each cell equals the result of the table's own query.
void check_against_query(const Json& table, const Database& database) {
  const QueryTable answer = read_table(database, table["sql"].get<std::string>());
  REQUIRE(table["columns"].get<std::vector<std::string>>() == answer.columns);
  for (std::size_t column = 0; column < answer.columns.size(); ++column) {
    REQUIRE(table["data"][column].size() == answer.rows.size());
    for (std::size_t row = 0; row < answer.rows.size(); ++row) {
      const Json& cell = table["data"][column][row];
      const Cell& expected = answer.rows[row][column];
      if (const auto number = number_in(expected)) {
        CHECK(cell.get<double>() == *number);
      } else {
        CHECK((cell.is_null() ? "" : cell.get<std::string>()) == text_of(expected));
      }
    }
  }
}

double cell(const Json& table, const std::string& column, std::size_t row) {
  const auto columns = table["columns"].get<std::vector<std::string>>();
  const auto place = std::find(columns.begin(), columns.end(), column) - columns.begin();
  return table["data"][static_cast<std::size_t>(place)][row].get<double>();
}

TEST_CASE("every table of a report is the result of the query that it shows") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder, true);
  const ReportDocument document = report_of(path);
  const Database database(path, Database::Mode::kReadOnly);
  const Json& shown = document.json["databases"][0];
  CHECK(shown["tables"].size() == report_queries("").size());
  for (const auto& [name, table] : shown["tables"].items()) {
    INFO(name);
    check_against_query(table, database);
  }
  for (const Json& config : shown["configs"]) {
    check_against_query(config["table"], database);
  }
  CHECK(document.json["title"] == "warpsim: r.db");
}

TEST_CASE("the work of devices is a table of its run, with streams, copies and GPUs") {
  const TemporaryFolder folder;
  {
    Database made(folder.at("r.db"), Database::Mode::kCreate);
    test::fill_device_work(made);
  }
  const ReportDocument document = report_of(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  const Json& shown = document.json["databases"][0];
  REQUIRE(shown["work"].size() == 1);
  CHECK(shown["work"][0]["run_id"] == 1);
  const Json work = Json::parse(inflated(document.blobs[shown["work"][0]["blob"].get<std::size_t>()]));
  check_against_query(work, database);
  CHECK(work["data"][0].size() == 5);
  CHECK(work["data"][1].dump() == "[1,2,3,4,1]");  // work_index, by device and start
  const Json& copies = shown["tables"]["copies"];
  REQUIRE(copies["data"][0].size() == 2);
  CHECK(cell(copies, "gb_per_s", 0) == 2);  // 20,000 bytes in 10 us
  CHECK(cell(copies, "gb_per_s", 1) == 2);  // 4,000 bytes in 2 us
  CHECK(cell(copies, "peer_device", 1) == 0);
  const Json& streams = shown["tables"]["streams"];
  REQUIRE(streams["data"][0].size() == 3);
  CHECK(cell(streams, "kernel_us", 1) == 30);  // stream 7 of device 0: 20 and 10
  CHECK(cell(streams, "span_us", 1) == 30);
  CHECK(shown["tables"]["devices"]["data"][2].dump() == R"(["G","H"])");
  const Json& ranges = shown["tables"]["ranges"];
  REQUIRE(ranges["data"][0].size() == 2);
  CHECK(ranges["data"][2].dump() == R"(["step","inner"])");
  CHECK(cell(ranges, "ranges", 0) == 2);
  CHECK(cell(ranges, "launches", 0) == 3);
  CHECK(cell(ranges, "kernel_us", 0) == 31);  // 20 and 10, which overlap, and 1
  CHECK(cell(ranges, "span_us", 0) == 21);    // 10 to 30, 30 to 31
  CHECK(cell(ranges, "shortest_span_us", 0) == 1);
  CHECK(cell(ranges, "longest_span_us", 0) == 20);
  CHECK(cell(ranges, "kernel_us", 1) == 10);
}

TEST_CASE("utilisation is relative to the peaks in the description") {
  const TemporaryFolder folder;
  const ReportDocument document = report_of(made_database(folder));
  const Json& facts = document.json["databases"][0]["tables"]["facts"];
  // 8 blocks in half a wave of 4 blocks per SM: 4 SMs. 4 channels of 32 bytes at 1 GHz: 128 GB/s; 40,000 bytes in 500
  // ns.
  CHECK(cell(facts, "sms", 0) == 4);
  CHECK(cell(facts, "dram_peak_gb_per_s", 0) == 128);
  CHECK(cell(facts, "dram_gb_per_s", 0) == 80);
  CHECK(cell(facts, "dram_pct", 0) == 62.5);
  // 4 SMs of 4 schedulers at 2 GHz, 4,000 instructions in 500 ns over 40,000 bytes.
  CHECK(cell(facts, "peak_warp_ginst_per_s", 0) == 32);
  CHECK(cell(facts, "warp_ginst_per_s", 0) == 8);
  CHECK(cell(facts, "warp_inst_per_dram_byte", 0) == 0.1);
  const Json& verdict = document.json["databases"][0]["verdicts"][0];
  CHECK(verdict["limiter"]["kind"] == "dram");
  CHECK(document.json["databases"][0]["verdicts"].size() == 4);
}

TEST_CASE("operations by precision are compared with the rates of the execution units") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder);
  {
    Database database(path, Database::Mode::kReadWrite);
    database.execute(R"sql(
      INSERT INTO metric VALUES ('lts__t_sectors.sum', 'sector', 'sectors', 'f'), ('flop_count_dp', 'flop', 'd', 'f'),
        ('flop_count_sp', 'flop', 's', 'f'), ('flop_count_hp', 'flop', 'h', 'f'),
        ('sm__ops_path_tensor_src_fp16_dst_fp32.sum', 'op', 't', 'f');
      INSERT INTO metric_value
        SELECT run_id, launch_index, 'lts__t_sectors.sum', 2500 FROM launch
        UNION ALL SELECT run_id, launch_index, 'flop_count_dp', 0 FROM launch
        UNION ALL SELECT run_id, launch_index, 'flop_count_sp', 80000 FROM launch
        UNION ALL SELECT run_id, launch_index, 'flop_count_hp', 20000 FROM launch
        UNION ALL SELECT run_id, launch_index, 'sm__ops_path_tensor_src_fp16_dst_fp32.sum', 400000 FROM launch;
      INSERT INTO config
        SELECT run_id, key, value, 'g.yaml:9' FROM (SELECT 1 AS run_id UNION SELECT 2),
          (SELECT 'sm.execution.fp64.unit' AS key, 'own' AS value
           UNION SELECT 'sm.execution.fp64.initiation_cycles', '2' UNION SELECT 'sm.execution.fp64.able', '0'
           UNION SELECT 'sm.execution.units.fp64.count', '1' UNION SELECT 'sm.execution.units.fp64.shared', 'true'
           UNION SELECT 'sm.execution.fp32.unit', 'own'
           UNION SELECT 'sm.execution.fp32.initiation_cycles', '2' UNION SELECT 'sm.execution.fp32.able', '0'
           UNION SELECT 'sm.execution.fp16.unit', 'fma'
           UNION SELECT 'sm.execution.fp16.initiation_cycles', '2' UNION SELECT 'sm.execution.fp16.able', '1'
           UNION SELECT 'sm.execution.units.fma.count', '2' UNION SELECT 'sm.execution.units.fma.shared', 'false'
           UNION SELECT 'sm.execution.units.tensor.count', '1'
           UNION SELECT 'sm.execution.units.tensor.shared', 'false'
           UNION SELECT 'sm.execution.mma.step_bit_macs', '16384'
           UNION SELECT 'sm.execution.mma.step_initiation_cycles', '4'
           UNION SELECT 'sm.execution.mma.fp64.initiation_cycles', '16'
           UNION SELECT 'sm.execution.warpgroup_mma.bit_macs_per_cycle', '8192')
        UNION ALL SELECT 1, 'sm.execution.mma.fp32_result_passes', '2', 'g.yaml:8'
        UNION ALL SELECT 1, 'compute_capability', '8.0', 'g.yaml:1'
        UNION ALL SELECT 2, 'compute_capability', '9.0', 'h.yaml:1')sql");
  }
  const ReportDocument document = report_of(path);
  const Json& rows = document.json["databases"][0]["tables"]["arithmetic"];
  // Both launches of both runs, in three precisions: none in FP64.
  REQUIRE(rows["data"][0].size() == 12);
  const auto precision = [&](std::size_t row) { return rows["data"][2][row].get<std::string>(); };
  REQUIRE(precision(0) == "FP32");
  REQUIRE(precision(1) == "FP16");
  REQUIRE(precision(2) == "tensor FP16, FP32 results");
  // 80,000 operations in 500 ns, over 40,000 bytes of DRAM and 2,500 sectors of L2.
  CHECK(cell(rows, "gop_per_s", 0) == 160);
  CHECK(cell(rows, "op_per_dram_byte", 0) == 2);
  CHECK(cell(rows, "op_per_l2_byte", 0) == 1);
  // 4 SMs of 4 sub-cores at 2 GHz: two units that take a warp's 32 multiply-adds each 2 cycles; of half precision one
  // unit is able, with two values a lane; tensor units do 16,384 / 16 bits multiply-adds in 4 cycles, with FP32
  // results half as many.
  CHECK(cell(rows, "peak_gop_per_s", 0) == 2048);
  CHECK(cell(rows, "peak_gop_per_s", 1) == 2048);
  CHECK(cell(rows, "peak_gop_per_s", 2) == 8192);
  // Warpgroup operations do 8,192 / 16 bits a cycle.
  REQUIRE(precision(8) == "tensor FP16, FP32 results");
  CHECK(cell(rows, "run_id", 8) == 2);
  CHECK(cell(rows, "peak_gop_per_s", 8) == 32768);
}

TEST_CASE("shares of stall reasons are relative to the time that warps waited") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder);
  const Database database(path, Database::Mode::kReadOnly);
  const QueryTable shares = read_table(database, stall_shares_sql(""));
  REQUIRE(shares.rows.size() == 8);
  CHECK(text_of(shares.at(0, "reason")) == "wait");
  CHECK(number_in(shares.at(0, "share_pct")) == 75.0);
  CHECK(verdicts_json(database, "vec").size() == 2);
}

TEST_CASE("errors against hardware are those of warpsim correlate") {
  const TemporaryFolder folder;
  const ReportDocument document = report_of(made_database(folder));
  const Json& tables = document.json["databases"][0]["tables"];
  const Json& points = tables["error_points"];
  const Json& errors = tables["errors"];
  const std::size_t rows = errors["data"][0].size();
  REQUIRE(rows == 11);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string metric = errors["data"][0][row];
    std::vector<ValuePair> pairs;
    for (std::size_t i = 0; i < points["data"][0].size(); ++i) {
      if (points["data"][3][i] == metric) {
        pairs.push_back({points["data"][1][i].get<std::string>() + "[" + points["data"][2][i].dump() + "]",
                         cell(points, "hardware", i), cell(points, "simulated", i)});
        const auto expected = error_between(metric_kind(metric), pairs.back().hardware, pairs.back().simulated);
        CHECK(points["data"][6][i].is_null() == !expected);
        CHECK((!expected || cell(points, "error", i) == Approx(*expected)));
      }
    }
    INFO(metric);
    REQUIRE(pairs.size() == 2);
    const Correlation expected = correlate(metric_kind(metric), pairs);
    CHECK(cell(errors, "launches", row) == static_cast<double>(expected.compared));
    if (expected.compared > 0) {
      CHECK(cell(errors, "mean_absolute_error", row) == Approx(*expected.mean_absolute_error).margin(1e-12));
      CHECK(cell(errors, "median_absolute_error", row) == Approx(*expected.median_absolute_error).margin(1e-12));
      CHECK(cell(errors, "p90_absolute_error", row) == Approx(*expected.p90_absolute_error).margin(1e-12));
      CHECK(cell(errors, "mean_error", row) == Approx(*expected.mean_error).margin(1e-12));
    }
    CHECK(cell(errors, "hardware_zero", row) == static_cast<double>(expected.hardware_zero));
    if (expected.pearson) {
      CHECK(cell(errors, "pearson", row) == Approx(*expected.pearson));
    }
  }
}

TEST_CASE("names of runs may contain what patterns use") {
  const TemporaryFolder folder;
  Database database(folder.at("r.db"), Database::Mode::kCreate);
  database.execute(
      "CREATE TABLE run (run_id INTEGER PRIMARY KEY, name TEXT);"
      "INSERT INTO run (name) VALUES ('a[1]'), ('a1'), ('a*'), ('ab'), ('it''s')");
  const auto selected = [&](const std::string& runs) {
    std::string names;
    Statement statement(database, "SELECT name FROM run WHERE " + run_condition(runs) + " ORDER BY run_id");
    while (statement.step()) {
      names += statement.text(0) + " ";
    }
    return names;
  };
  CHECK(selected("") == "a[1] a1 a* ab it's ");
  CHECK(selected("a[1]") == "a[1] ");
  CHECK(selected("a[*") == "a[1] ");
  CHECK(selected("a?") == "a1 a* ab ");
  CHECK(selected("a*") == "a* ");
  CHECK(selected("it's") == "it's ");
}

TEST_CASE("a name or a pattern selects runs, and one that matches none is refused") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder);
  const Json tables = report_of(path, "*@H").json["databases"][0]["tables"];
  CHECK(tables["runs"]["data"][1] == Json({"vec@H"}));
  CHECK(tables["kernel_summary"]["data"][0].size() == 2);
  CHECK(tables["metrics"]["data"][0].size() == 22);
  CHECK(tables["facts"]["data"][0].size() == 2);
  CHECK_THROWS_AS(report_of(path, "none*"), UsageError);
  CHECK_THROWS_AS(report_of(path, "it's"), UsageError);
  CHECK_THROWS_AS(report_of(folder.write("text.db", "no database")), DatabaseError);
  CHECK_THROWS_AS(report_of(folder.at("absent.db")), DatabaseError);
}

TEST_CASE("equal descriptions of GPUs are stored once") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder);
  CHECK(report_of(path).json["databases"][0]["configs"].size() == 2);
  Database(path, Database::Mode::kReadWrite).execute("UPDATE config SET origin = 'g.yaml:1'");
  const Json configs = report_of(path).json["databases"][0]["configs"];
  REQUIRE(configs.size() == 1);
  CHECK(configs[0]["runs"] == Json({1, 2}));
}

TEST_CASE("code is packed next to the document, and equals the results of its queries") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder, true);
  const ReportDocument document = report_of(path);
  const Json& code = document.json["databases"][0]["code"];
  REQUIRE(code.size() == 1);
  const Json unpacked = Json::parse(inflated(document.blobs.at(code[0]["blob"].get<std::size_t>())));
  const Database database(path, Database::Mode::kReadOnly);
  for (const char* table : {"spots", "stalls", "latency"}) {
    check_against_query(unpacked[table], database);
  }
  CHECK(cell(unpacked["spots"], "warp_cycles_pct", 0) == 75);
  CHECK(unpacked["spots"]["data"][2][0] == "LDG.E R2, [R4] <&>");
  std::vector<std::string> blobs;
  CHECK(code_json(database, "none", blobs).empty());
}

// Ten samples of the GPU and of two SMs; SM 1 has none of the last.
void add_samples(Database& database) {
  for (const SampleTable& table : sample_tables()) {
    const std::string name = table.name;
    if (name != "sample_device" && name != "sample_sm") {
      continue;
    }
    const bool whole = name == "sample_device";
    const QueryTable columns = read_table(database, "SELECT name FROM pragma_table_info('" + name + "')");
    std::string values;
    for (const std::vector<Cell>& row : columns.rows) {
      const std::string column = text_of(row[0]);
      const std::string value = column == "run_id"         ? "1"
                                : column == "launch_index" ? "0"
                                : column == "cycle"        ? "100 * (i + 1)"
                                : column == "cycles"       ? "100"
                                : column == "instance"     ? "j"
                                : column == "instructions" ? "100 * i * (j + 1)"
                                                           : "0";
      values += (values.empty() ? "" : ", ") + value;
    }
    database.execute(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9), m(j) AS (VALUES (0)" +
        std::string(whole ? "" : ", (1)") + ") INSERT INTO " + name + " SELECT " + values +
        " FROM n, m WHERE NOT (i = 9 AND j = 1)");
  }
}

std::vector<float> unpacked_column(const Json& lines, const ReportDocument& document, const std::string& column) {
  const std::string bytes = inflated(document.blobs.at(lines["blob"].get<std::size_t>()));
  const auto points = lines["points"].get<std::size_t>();
  const auto names = lines["columns"].get<std::vector<std::string>>();
  const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  std::vector<float> values(points);
  for (std::size_t i = 0; i < points; ++i) {
    char value[4];
    for (std::size_t plane = 0; plane < 4; ++plane) {
      value[plane] = bytes[points * (8 + 4 * place + plane) + i];
    }
    std::memcpy(&values[i], value, sizeof value);
  }
  return values;
}

TEST_CASE("time series are packed next to the document, with every point") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder);
  {
    Database database(path, Database::Mode::kReadWrite);
    add_samples(database);
  }
  const ReportDocument document = report_of(path);
  const Json& series = document.json["databases"][0]["series"];
  REQUIRE(series.size() == 1);
  CHECK(series[0]["samples"] == 10);
  CHECK(series[0]["cycles_per_point"] == 0);
  const std::vector<float> ipc = unpacked_column(series[0]["lines"], document, "ipc");
  CHECK(ipc == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(std::isnan(unpacked_column(series[0]["lines"], document, "l1_hit_pct")[0]));
  // Only maps of SMs have rows.
  const Json& map = series[0]["maps"][0];
  CHECK(series[0]["maps"].size() == 2);
  CHECK(map["instances"] == Json({0, 1}));
  CHECK(map["greatest"] == 16.0);
  const std::string cells = inflated(document.blobs.at(map["blob"].get<std::size_t>()));
  REQUIRE(cells.size() == 20);
  CHECK(static_cast<unsigned char>(cells[0]) == 1);
  CHECK(static_cast<unsigned char>(cells[17]) == 255);
  CHECK(static_cast<unsigned char>(cells[16]) == 128);
  CHECK(static_cast<unsigned char>(cells[19]) == 0);
}

TEST_CASE("series with too many samples become means over equal intervals") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder);
  {
    Database database(path, Database::Mode::kReadWrite);
    add_samples(database);
  }
  ReportOptions options;
  options.databases = {path};
  options.series_points = 5;
  const ReportDocument document = read_report(options);
  const Json& series = document.json["databases"][0]["series"][0];
  CHECK(series["cycles_per_point"] == 181);
  const std::vector<float> ipc = unpacked_column(series["lines"], document, "ipc");
  CHECK(ipc == std::vector<float>{0.5F, 2.5F, 4.5F, 6.5F, 8.5F});
  CHECK(series["maps"][0]["points"] == 5);
}

TEST_CASE("bytes that are not text do not break a document") {
  Json json;
  json["name"] = "a\xff" + std::string("b");
  CHECK(json_text(json) == "{\"name\":\"a\xEF\xBF\xBD" + std::string("b\"}"));
}

}  // namespace
