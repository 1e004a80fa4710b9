// Options of the commands export, import-ncu and plot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/launch_selection.h"
#include "report/export.h"
#include "report/figure.h"
#include "report/figure_file.h"

namespace warpsim {

struct ExportOptions {
  std::string database;
  ExportRequest request;
  ExportFormat format = ExportFormat::kCsv;
  std::string out;                   // empty: standard output
  std::vector<std::string> columns;  // "all", or which; empty: as suits the format
  DecimalRounding rounding;
  bool comment = false;  // metadata in front of CSV, too
};

struct ImportNcuOptions {
  std::string database;
  std::string csv;
  std::string name;          // of the simulated run; empty: the only one
  std::string gpu;           // empty: as the file names it, else the file's name
  LaunchSelection launches;  // of the trace, those that were measured
};

struct PlotOptions {
  std::string database;
  FigureRequest request;
  std::string out;
  FigureFormat format = FigureFormat::kSvg;
  bool keep = false;  // script and data beside the figure
};

// Each takes the words after the command. Nothing is returned when help was asked for. Throws UsageError.
std::optional<ExportOptions> parse_export(const std::vector<std::string>& words);
std::optional<ImportNcuOptions> parse_import_ncu(const std::vector<std::string>& words);
std::optional<PlotOptions> parse_plot(const std::vector<std::string>& words);

}  // namespace warpsim
