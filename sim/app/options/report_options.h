// Options of the commands export, import-ncu and plot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options/launch_selection.h"
#include "report/export.h"
#include "report/figure.h"
#include "report/figure_file.h"

namespace warpsim {

struct ExportOptions {
  std::string database;
  ExportRequest request;
  ExportFormat format = ExportFormat::kCsv;
  std::string out;                   // empty: standard output
  std::vector<std::string> columns;  // "all", or names; empty: the default of the format
  DecimalRounding rounding;
  bool comment = false;  // metadata at the beginning of CSV
};

struct ImportNcuOptions {
  std::string database;
  std::string csv;
  std::string name;          // of the simulated run; empty: the only one
  std::string gpu;           // empty: as in the file, else the file's name
  LaunchSelection launches;  // the measured launches of the trace
};

struct PlotOptions {
  std::string database;
  FigureRequest request;
  std::string out;
  FigureFormat format = FigureFormat::kSvg;
  bool keep = false;  // also write script and data
};

// Each takes the words after the command. Returns nothing if help was requested. Throws UsageError.
std::optional<ExportOptions> parse_export(const std::vector<std::string>& words);
std::optional<ImportNcuOptions> parse_import_ncu(const std::vector<std::string>& words);
std::optional<PlotOptions> parse_plot(const std::vector<std::string>& words);

}  // namespace warpsim
