#include "report/ncu_csv.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "report/csv.h"
#include "report/metric_unit.h"
#include "report/ncu_value.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

const std::string kWideHeading =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\","
    "\"Grid Size\",\"Device\",\"CC\",";
const std::string kNoUnits = "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",";

std::string wide_row(int id, const std::string& kernel, const std::string& values) {
  return "\"" + std::to_string(id) + "\",\"77\",\"app\",\"host\",\"" + kernel +
         "\",\"1\",\"7\",\"(128, 1, 1)\",\"(4, 2, 1)\",\"0\",\"9.0\"," + values + "\n";
}

const std::string kWide =
    "==PROF== Connected to process 77 (/a/app)\nsum is 12, which is right\n" + kWideHeading +
    "\"gpu__time_duration.sum\",\"dram__bytes_read.sum\",\"gpc__cycles_elapsed.avg.per_second\","
    "\"smsp__inst_executed.sum\",\"l1tex__m_xbar2l1tex_read_bytes.sum.per_second\","
    "\"device__attribute_display_name\",\"launch__func_cache_config\"\n" +
    kNoUnits + "\"us\",\"Kbyte\",\"cycle/nsecond\",\"inst\",\"Gbyte/s\",\"\",\"\"\n" +
    wide_row(1, "second(int*, int)", R"("2.5","1,234.50","1.98","1,000,000","3.25","NVIDIA H200","CachePreferNone")") +
    wide_row(0, "first(int*)", R"("1.5","n/a","1.5","nan","0.5","NVIDIA H200","CachePreferNone")") +
    "==PROF== Disconnected from process 77\n";

std::optional<double> value(const NcuMeasurements& measured, std::size_t launch, const std::string& metric) {
  for (const auto& [name, number] : measured.launches.at(launch).metrics) {
    if (name == metric) {
      return number;
    }
  }
  FAIL("no metric " + metric);
  return {};
}

std::string error_of(const std::string& text) {
  try {
    parse_ncu_csv(text, "n.csv");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("ncu: the wide layout, with its units, in the order of the IDs") {
  const NcuMeasurements measured = parse_ncu_csv(kWide, "n.csv");
  REQUIRE(measured.launches.size() == 2);
  CHECK(measured.launches[0].kernel == "first(int*)");
  CHECK(measured.launches[1].kernel == "second(int*, int)");
  CHECK(measured.launches[1].launch_index == 1);
  CHECK(measured.launches[0].grid == Dim3{4, 2, 1});
  CHECK(measured.launches[0].block == Dim3{128, 1, 1});
  CHECK(value(measured, 0, "gpu__time_duration.sum") == 1500.0);
  CHECK(value(measured, 1, "gpu__time_duration.sum") == 2500.0);
  CHECK(value(measured, 1, "dram__bytes_read.sum") == 1234500.0);
  CHECK_FALSE(value(measured, 0, "dram__bytes_read.sum"));
  CHECK_FALSE(value(measured, 0, "smsp__inst_executed.sum"));
  CHECK(value(measured, 1, "smsp__inst_executed.sum") == 1e6);
  CHECK(value(measured, 1, "gpc__cycles_elapsed.avg.per_second") == 1.98e9);
  // Not in the catalogue: kept, without prefix.
  CHECK(value(measured, 1, "l1tex__m_xbar2l1tex_read_bytes.sum.per_second") == 3.25e9);
  CHECK(measured.launches[0].units.at("l1tex__m_xbar2l1tex_read_bytes.sum.per_second") == "byte/s");
  CHECK_FALSE(measured.launches[0].units.contains("gpu__time_duration.sum"));
  CHECK(measured.device == "NVIDIA H200");
  CHECK(measured.left_out == std::vector<std::string>{"device__attribute_display_name", "launch__func_cache_config"});
}

TEST_CASE("ncu: the long layout gives the same, with a byte order mark and carriage returns") {
  const std::string text =
      "\xef\xbb\xbf==PROF== Profiling \"first\" - 0: 0%....50%....100% - 9 passes\r\n"
      "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Section Name\",\"Metric Name\",\"Metric "
      "Unit\",\"Metric Value\"\r\n"
      "\"0\",\"77\",\"first(int*)\",\"(128, 1, 1)\",\"(4, 2, 1)\",\"Command line profiler metrics\","
      "\"gpu__time_duration.sum\",\"nsecond\",\"1,500\"\r\n"
      "\"0\",\"77\",\"first(int*)\",\"(128, 1, 1)\",\"(4, 2, 1)\",\"Memory\",\"Memory Throughput\",\"%\",\"50\"\r\n"
      "\"0\",\"77\",\"first(int*)\",\"(128, 1, 1)\",\"(4, 2, 1)\",\"Other\",\"gpu__time_duration.sum\",\"us\","
      "\"1.5\"\r\n"
      "\"0\",\"77\",\"first(int*)\",\"(128, 1, 1)\",\"(4, 2, 1)\",\"Rule\",\"\",\"\",\"\"\r\n"
      "\"1\",\"77\",\"second(int*, int)\",\"(64, 1, 1)\",\"(1, 1, 1)\",\"C\",\"gpu__time_duration.sum\",\"\","
      "\"n/a\"\r\n";
  const NcuMeasurements measured = parse_ncu_csv(text, "n.csv");
  REQUIRE(measured.launches.size() == 2);
  CHECK(value(measured, 0, "gpu__time_duration.sum") == 1500.0);
  CHECK_FALSE(value(measured, 1, "gpu__time_duration.sum"));
  CHECK(measured.launches[1].block == Dim3{64, 1, 1});
  CHECK(measured.left_out == std::vector<std::string>{"Memory Throughput"});
}

TEST_CASE("ncu: with rules in the output, rows end after the value; labels of sections are not metrics") {
  const std::string heading =
      "\"ID\",\"Process ID\",\"Process Name\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Section Name\",\"Metric "
      "Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule Type\"\n";
  const std::string launch = "\"0\",\"581\",\"vecadd\",\"add(int)\",\"(128, 1, 1)\",\"(8, 1, 1)\",";
  const std::string label =
      launch + "\"GPU Speed Of Light Throughput\",\"SM Frequency\",\"hz\",\"1,499,162,188.91\",\n";
  const std::string rule = launch + "\"GPU Speed Of Light Throughput\",\"\",\"\",\"\",\"SOLBottleneck\",\"OPT\"\n";
  const std::string metric =
      launch + "\"Command line profiler metrics\",\"smsp__inst_executed.sum\",\"inst\",\"1,024\",\n";
  const NcuMeasurements measured = parse_ncu_csv(heading + label + metric + rule, "n.csv");
  REQUIRE(measured.launches.size() == 1);
  CHECK(measured.launches[0].metrics.size() == 1);
  CHECK(value(measured, 0, "smsp__inst_executed.sum") == 1024.0);
  CHECK(measured.left_out == std::vector<std::string>{"SM Frequency"});
}

TEST_CASE("ncu: further outputs add metrics and repetitions, of which the median is used") {
  const auto output = [](const std::string& metric, const std::string& unit, const std::string& number) {
    return kWideHeading + "\"gpu__time_duration.sum\",\"" + metric + "\"\n" + kNoUnits + "\"ns\",\"" + unit + "\"\n" +
           wide_row(0, "k", number);
  };
  const NcuMeasurements measured = parse_ncu_csv(output("lts__t_sectors.sum", "sector", "\"100\",\"7\"") +
                                                     output("dram__bytes_read.sum", "byte", "\"900\",\"64\"") +
                                                     output("dram__bytes_read.sum", "byte", "\"110\",\"n/a\""),
                                                 "n.csv");
  CHECK(measured.outputs == 3);
  CHECK(value(measured, 0, "gpu__time_duration.sum") == 110.0);
  CHECK(value(measured, 0, "lts__t_sectors.sum") == 7.0);
  CHECK(value(measured, 0, "dram__bytes_read.sum") == 64.0);
}

TEST_CASE("ncu: processes that each count from 0 are in sequence") {
  const std::string heading = "ID,Process ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n";
  const NcuMeasurements measured = parse_ncu_csv(heading +
                                                     "1,9,b,lts__t_sectors.sum,sector,2\n"
                                                     "0,9,a,lts__t_sectors.sum,sector,1\n"
                                                     "0,4,c,lts__t_sectors.sum,sector,3\n",
                                                 "n.csv");
  REQUIRE(measured.launches.size() == 3);
  CHECK(measured.launches[0].kernel == "a");
  CHECK(measured.launches[1].kernel == "b");
  CHECK(measured.launches[2].kernel == "c");
}

TEST_CASE("ncu: each error has its place") {
  const std::string wide = kWideHeading + "\"gpu__time_duration.sum\"\n";
  const std::string units = kNoUnits + "\"us\"\n";
  CHECK(error_of("==PROF== nothing\n") ==
        "n.csv: no heading with the columns \"ID\" and \"Kernel Name\"; expected what 'ncu --csv --page raw' prints");
  CHECK(error_of(wide + wide_row(0, "k", "\"1\"")) ==
        "n.csv:1: expected the row of units below this heading, as 'ncu --csv --page raw' prints it");
  CHECK(error_of(wide + units) == "n.csv:1: no launch below this heading");
  CHECK(error_of("x\n" + wide + units + wide_row(0, "k", "\"1,5\"")) ==
        "n.csv:4: '1,5' of gpu__time_duration.sum has a decimal comma; run ncu with LC_ALL=C to get decimal points");
  CHECK(error_of(wide + units + wide_row(0, "k", "\"fast\"")) ==
        "n.csv:3: 'gpu__time_duration.sum' must be a number, got 'fast'");
  CHECK(error_of(wide + units + wide_row(0, "k", "\"1.2.3\"")) ==
        "n.csv:3: 'gpu__time_duration.sum' must be a number, got '1.2.3'");
  CHECK(error_of(wide + kNoUnits + "\"Kbyte\"\n" + wide_row(0, "k", "\"1\"")) ==
        "n.csv:3: gpu__time_duration.sum is in 'Kbyte'; expected a unit that becomes 'ns'");
  CHECK(error_of(wide + units + wide_row(0, "k", "\"1\"") + "==PROF== x\n" + wide_row(0, "k", "\"1\"")) ==
        "n.csv:5: ID 0 appears twice, first in line 3");
  CHECK(error_of(wide + units + "hello\n").starts_with("n.csv:3: 1 fields, but the heading has 12; "));
  CHECK(error_of(wide + units + wide_row(0, "k", "\"1\"") + wide + units + wide_row(0, "q", "\"1\"")) ==
        "n.csv:6: this is not the launch of line 3, which is at this position in the first output of the file");
  CHECK(error_of(wide + units + wide_row(0, "k", "\"1\"") + wide + units + wide_row(0, "k", "\"1\"") +
                 wide_row(1, "k", "\"1\"")) == "n.csv:4: this output has 2 launches, the first of the file 1");
  const std::string heading = "ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n";
  CHECK(error_of(heading + "x,k,lts__t_sectors.sum,sector,1\n") == "n.csv:2: the ID must be a number from 0, got 'x'");
  CHECK(error_of(heading + "0,k,lts__t_sectors.sum,sector,1\n0,k,lts__t_sectors.sum,sector,2\n") ==
        "n.csv:3: lts__t_sectors.sum of the launch in line 2 appears twice, with different values");
  CHECK(error_of(heading + "0,k,lts__t_sectors.sum,sector,1\n0,q,dram__bytes_read.sum,byte,2\n") ==
        "n.csv:3: ID 0 is 'q' here, but 'k' in line 2");
  CHECK(error_of(heading + "0,k,Memory Throughput,%,1\n").starts_with("n.csv:1: no metric below this heading; "));
  CHECK(error_of("ID,Kernel Name,Metric Name,Metric Value\n0,k,a_b,1\n")
            .starts_with("n.csv:1: a column \"Metric Name\" requires"));
}

TEST_CASE("ncu: printed values") {
  const auto kind = [](const char* text) { return ncu_value(text).kind; };
  CHECK(ncu_value("1,234,567.25").number == 1234567.25);
  CHECK(ncu_value(" -1,000 ").number == -1000);
  CHECK(ncu_value("1e-3").number == 0.001);
  CHECK(ncu_value("1234567").number == 1234567);
  for (const char* nothing : {"", "n/a", "N/A", "nan", "-nan", "inf", " "}) {
    CHECK(kind(nothing) == NcuValueKind::kNone);
  }
  for (const char* comma : {"9,00", "1.234,5", "12,3456", "1234,567", "0,5"}) {
    CHECK(kind(comma) == NcuValueKind::kDecimalComma);
  }
  CHECK(kind("CachePreferNone") == NcuValueKind::kText);
  CHECK(kind("9x") == NcuValueKind::kText);
  CHECK(kind("1.2.3") == NcuValueKind::kMalformed);
  CHECK(kind("1 000") == NcuValueKind::kMalformed);
}

TEST_CASE("ncu: units and their prefixes") {
  const auto same = [](const char* text, const char* base, int exponent) {
    const MetricUnit unit = metric_unit(text);
    INFO(text);
    CHECK(unit.base == base);
    CHECK(unit.exponent == exponent);
  };
  same("Kbyte", "byte", 3);
  same("Gbyte/second", "byte/second", 9);
  same("byte/s", "byte/second", 0);
  same("cycle/nsecond", "cycle/second", 9);
  same("Ghz", "cycle/second", 9);
  same("MHz", "cycle/second", 6);
  same("hz", "cycle/second", 0);
  same("usecond", "second", -6);
  same("ms", "second", -3);
  same("Kbyte/block", "byte/block", 3);
  same("inst", "inst", 0);
  same("inst/cycle", "inst/cycle", 0);
  same("sector/ns", "sector/second", 9);
  same("%", "%", 0);
  same("", "", 0);
  CHECK(converted(2.5, metric_unit("us"), metric_unit("ns")) == 2500.0);
  CHECK(converted(1.02, metric_unit("Kbyte/block"), metric_unit("byte/block")) == 1020.0);
  CHECK(converted(3, metric_unit("inst"), metric_unit("warp")) == 3.0);
  CHECK_FALSE(converted(3, metric_unit("%"), metric_unit("")));
  CHECK_FALSE(converted(3, metric_unit("byte"), metric_unit("byte/second")));
  CHECK(kept_unit(metric_unit("us")) == "ns");
  CHECK(kept_unit(metric_unit("Mhz")) == "Hz");
  CHECK(kept_unit(metric_unit("Mbyte")) == "byte");
}

}  // namespace
}  // namespace warpsim
