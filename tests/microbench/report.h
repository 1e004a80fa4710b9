// Compares the simulated values of the microbenchmarks with those of the hardware, and summarises the errors.
//
// Errors are relative to the hardware's median. A value of the table is covered (a probe simulates it), uncovered (a
// pattern of its family states the reason) or not considered.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "microbench/microbench.h"

namespace warpsim::microbench {

// One value of the hardware table: the median over runs of the program, and their range.
struct HardwareValue {
  std::string bench;
  std::string name;
  std::string unit;
  double median = 0;
  double least = 0;
  double greatest = 0;
};
// Columns bench,name,unit,median,min,max,runs. Throws UserError: columns missing, values that are not numbers, a value
// twice.
std::vector<HardwareValue> parse_hardware_values(const std::string& text, const std::string& path);
std::vector<HardwareValue> read_hardware_values(const std::string& path);

// `pattern` with `*` for any characters matches all of `name`.
bool matches(const std::string& pattern, const std::string& name);

struct Row {
  HardwareValue hardware;
  std::optional<double> simulated;  // none: not covered, or not selected
  std::string reason;               // why it is not covered; empty otherwise
  // (simulated - hardware) / hardware; for a hardware value of 0: 0 if both are 0, otherwise infinite.
  std::optional<double> error() const;
};

struct Summary {
  std::size_t values = 0;  // of the family in the table
  std::size_t covered = 0;
  std::size_t compared = 0;  // covered and simulated this time
  // Of the absolute errors: the middle (mean of the two middle ones), the 90th percentile, the maximum.
  double median = 0;
  double percentile_90 = 0;
  double worst = 0;
  std::string worst_name;
};

struct FamilyReport {
  std::string bench;
  std::vector<Row> rows;  // in the order of the table
  Summary summary;
  std::map<std::string, std::size_t> uncovered;  // reason to count
  std::vector<std::string> not_considered;
};

// `simulated`: by name, of the executed probes. Throws UserError for a probe that the table lacks, or that
// appears twice.
FamilyReport make_report(const Family& family, const std::vector<HardwareValue>& table,
                         const std::map<std::string, double>& simulated);

// As readable text: simulated values (empty if none), the summary, uncovered values.
std::string render_values(const FamilyReport& report);
std::string render_summary(const std::vector<FamilyReport>& reports);
std::string render_uncovered(const FamilyReport& report);
// All rows of all families: bench,name,unit,hardware,min,max,simulated,error_percent,reason.
std::string render_csv(const std::vector<FamilyReport>& reports);

}  // namespace warpsim::microbench
