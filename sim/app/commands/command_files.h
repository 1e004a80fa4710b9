// Which files a command reads and writes. Each command checks its outputs here before it does any work, so that no
// result can destroy an input (base/output_place.h).
#pragma once

#include <string>
#include <vector>

#include "app/launch_file/launch_file.h"
#include "app/options/options.h"
#include "app/options/report_options.h"
#include "app/options/sweep_options.h"
#include "app/simulation/simulation_jobs.h"
#include "base/output_place.h"

namespace warpsim {

// Each throws UsageError or UserError for an output that is an input, another output, or not a possible file.
void check_files(const RunOptions& options, const std::vector<SimulationJob>& jobs);
void check_files(const PtxRunOptions& options, const LaunchFile& launch_file);
// `program` is the file that is started.
void check_files(const ExecOptions& options, const std::string& program);
void check_files(const ConvertOptions& options);
void check_files(const CorrelateOptions& options);
void check_files(const ExportOptions& options);
void check_files(const ImportNcuOptions& options);
void check_files(const PlotOptions& options);
void check_files(const ReportCommandOptions& options);
// `inputs` are the files of its traces and GPUs.
void check_files(const SweepOptions& options, const std::vector<std::string>& inputs);

// The file of the same name with another suffix, which `plot` writes beside the figure: ".gp", ".csv".
std::string beside(const std::string& path, const char* suffix);

}  // namespace warpsim
