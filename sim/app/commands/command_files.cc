#include "app/commands/command_files.h"

#include <filesystem>

#include "config/config_tree.h"
#include "config/gpu_files.h"
#include "frontend/workload/workload.h"

namespace warpsim {

namespace {

constexpr auto kDatabase = OutputPlaces::Kind::kDatabase;

void add_inputs(OutputPlaces& places, const std::vector<std::string>& files, const std::string& what) {
  for (const std::string& file : files) {
    places.add_input(file, what);
  }
}

void add_gpu(OutputPlaces& places, const std::string& gpu) {
  add_inputs(places, ConfigTree::load(find_gpu_file(gpu), {}).files(), "a description of the GPU that is read");
}

void add_trace(OutputPlaces& places, const std::string& trace) {
  const auto workload = open_workload(trace, {.sass_file = {}, .strict = false, .infer_asynchronous = true});
  add_inputs(places, workload->files(), "a file of the trace that is read");
}

void add_database(OutputPlaces& places, const std::string& database) {
  places.add_input(database, "the database that is read", kDatabase);
}

void add_values(OutputPlaces& places, const ElementValues& values) {
  if (values.kind == ElementValues::Kind::kFile) {
    places.add_input(values.file, "a file of values that is read");
  }
}

}  // namespace

std::string beside(const std::string& path, const char* suffix) {
  return std::filesystem::path(path).replace_extension(suffix).string();
}

void check_files(const RunOptions& options, const std::vector<SimulationJob>& jobs) {
  OutputPlaces places;
  for (const SimulationJob& job : jobs) {
    add_inputs(places, job.gpu->tree.files(), "a description of the GPU that is read");
    add_inputs(places, job.workload->files(), "a file of the trace that is read");
  }
  places.add_output(options.out, "--out", kDatabase);
  places.add_output(options.timeline.file, "--timeline");
}

void check_files(const PtxRunOptions& options, const LaunchFile& launch_file) {
  OutputPlaces places;
  add_gpu(places, options.gpu);
  places.add_input(options.ptx, "the PTX that is read");
  places.add_input(options.launch_file, "the launch file that is read");
  for (const LaunchBuffer& buffer : launch_file.buffers) {
    add_values(places, buffer.initial);
  }
  for (const LaunchVariable& variable : launch_file.variables) {
    add_values(places, variable.initial);
  }
  for (const LaunchExpectation& expectation : launch_file.expectations) {
    add_values(places, expectation.values);
  }
  places.add_output(options.out, "--out", kDatabase);
  places.add_output(options.timeline.file, "--timeline");
}

void check_files(const ExecOptions& options, const std::string& program) {
  OutputPlaces places;
  for (const std::string& gpu : options.gpus) {
    add_gpu(places, gpu);
  }
  places.add_input(program, "the program that is run");
  places.add_output(options.out, "--out", kDatabase);
  places.add_output(options.trace, "--out");
}

void check_files(const ConvertOptions& options) {
  OutputPlaces places;
  add_trace(places, options.in);
  std::error_code error;
  // A folder is not an output file here; the code that creates it requires that it is new.
  if (!std::filesystem::is_directory(options.out, error)) {
    places.add_output(options.out, "OUT");
  }
}

void check_files(const CorrelateOptions& options) {
  OutputPlaces places;
  add_database(places, options.database);
  places.add_input(options.hardware, "the measurements that are read");
  places.add_output(options.csv, "--csv");
  for (const std::string& table : options.tables) {
    places.add_output(table, "--table");
  }
}

void check_files(const ExportOptions& options) {
  OutputPlaces places;
  add_database(places, options.database);
  places.add_output(options.out, "--out");
  if (!options.out.empty() && options.format == ExportFormat::kCsv) {
    places.add_output(csv_schema_path(options.out), "the description of columns beside --out,");
  }
}

void check_files(const ImportNcuOptions& options) {
  OutputPlaces places;
  places.add_input(options.csv, "the measurements that are read");
  places.add_output(options.database, "the database", kDatabase);
}

void check_files(const PlotOptions& options) {
  OutputPlaces places;
  add_database(places, options.database);
  if (options.format != FigureFormat::kScript) {
    places.add_output(options.out, "--out");
  }
  if (options.keep || options.format == FigureFormat::kScript) {
    places.add_output(beside(options.out, ".gp"), "the script beside --out,");
    places.add_output(beside(options.out, ".csv"), "the data beside --out,");
  }
}

void check_files(const ReportCommandOptions& options) {
  OutputPlaces places;
  for (const std::string& database : options.report.databases) {
    places.add_input(database, "a database that is read", kDatabase);
  }
  places.add_output(options.out, "--out");
}

void check_files(const SweepOptions& options, const std::vector<std::string>& inputs) {
  OutputPlaces places;
  places.add_input(options.file, "the sweep that is read");
  add_inputs(places, inputs, "a file of a trace or a GPU that is read");
  places.add_output(options.out, "--out", kDatabase);
}

}  // namespace warpsim
