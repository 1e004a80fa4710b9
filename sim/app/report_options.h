// What the commands take that read results for papers and bring measurements: export, import-ncu, plot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/launch_selection.h"
#include "report/export.h"

namespace warpsim {

struct ExportOptions {
  std::string database;
  ExportRequest request;
  ExportFormat format = ExportFormat::kCsv;
  std::string out;  // empty: standard output
  std::optional<int> digits;
  bool comment = false;  // metadata in front of CSV, too
};

// Each takes the words after the command. Nothing is returned when help was asked for. Throws UsageError.
std::optional<ExportOptions> parse_export(const std::vector<std::string>& words);

}  // namespace warpsim
