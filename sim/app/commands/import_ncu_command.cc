#include "app/commands/import_ncu_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <ostream>

#include "app/commands/command_files.h"
#include "app/comparison/launch_join.h"
#include "app/exit_codes.h"
#include "app/text_format.h"
#include "base/error.h"
#include "base/input_file.h"
#include "config/near_miss.h"
#include "report/csv.h"
#include "report/ncu_csv.h"
#include "report/provenance.h"
#include "report/query_table.h"
#include "stats/results_writer.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

// The simulated run that was measured: the one named, or the only one.
std::string chosen_run(const Database& database, const std::string& name) {
  std::vector<std::string> names;
  for (const RunFacts& run : all_runs(database)) {
    if (run.source == "simulated") {
      names.push_back(run.name);
    }
  }
  if (names.empty()) {
    throw UserError(database.path() + ": has no simulated run for the measurements");
  }
  if (name.empty()) {
    if (names.size() > 1) {
      throw UserError(
          fmt::format("{}: name the measured run with --name: {}", database.path(), fmt::join(names, ", ")));
    }
    return names.front();
  }
  for (const std::string& known : names) {
    if (known == name) {
      return name;
    }
  }
  const std::string near = did_you_mean(name, names);
  throw UserError(fmt::format("{}: no simulated run '{}'{}", database.path(), name,
                              near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : near));
}

// Launches of the trace that were measured, in their order.
void number_launches(const ImportNcuOptions& options, std::vector<HardwareLaunch>& launches) {
  if (options.launches.all()) {
    return;
  }
  std::uint32_t index = 0;
  for (HardwareLaunch& launch : launches) {
    while (!options.launches.contains(index) && !options.launches.beyond(index)) {
      ++index;
    }
    if (options.launches.beyond(index)) {
      throw UserError(fmt::format("{}: {} launches were measured, --launches {} names fewer", options.csv,
                                  launches.size(), options.launches.text()));
    }
    launch.launch_index = index++;
  }
  while (!options.launches.beyond(index)) {
    if (options.launches.contains(index)) {
      throw UserError(fmt::format("{}: {} launches were measured, --launches {} names more", options.csv,
                                  launches.size(), options.launches.text()));
    }
    ++index;
  }
}

HardwareTable as_table(const std::string& run, const std::vector<HardwareLaunch>& launches) {
  HardwareTable table;
  for (const HardwareLaunch& launch : launches) {
    table.rows.push_back({run, launch, {}, true});
  }
  return table;
}

std::string bare_name(const std::string& kernel) {
  return short_kernel_name(kernel, std::numeric_limits<std::size_t>::max());
}

std::vector<std::string> other_kernels(const Database& database, const std::string& run,
                                       const std::vector<HardwareLaunch>& launches) {
  const QueryTable simulated = read_table(
      database, "SELECT launch_index, name FROM kernel_summary WHERE source = 'simulated' AND run_name = ?", {run});
  std::vector<std::string> labels;
  for (const auto& row : simulated.rows) {
    for (const HardwareLaunch& launch : launches) {
      const std::string name = text_of(row[1]);
      if (number_in(row[0]) == launch.launch_index && bare_name(name) != bare_name(launch.kernel) &&
          launch.kernel != name) {
        labels.push_back(fmt::format("{}[{}] is {}, measured was {}", run, launch.launch_index, bare_name(name),
                                     bare_name(launch.kernel)));
      }
    }
  }
  return labels;
}

void print_list(std::ostream& out, const char* what, const std::vector<std::string>& labels) {
  if (!labels.empty()) {
    out << fmt::format("  {} ({}): {}\n", what, labels.size(), fmt::join(labels, ", "));
  }
}

}  // namespace

int import_ncu_command(const ImportNcuOptions& options, std::ostream& out) {
  check_files(options);
  NcuMeasurements measured =
      parse_ncu_csv(require_input(options.csv, "what 'ncu --csv --page raw' prints"), options.csv);
  number_launches(options, measured.launches);
  const std::string gpu = !options.gpu.empty()       ? options.gpu
                          : !measured.device.empty() ? measured.device
                                                     : std::filesystem::path(options.csv).stem().string();
  std::string run;
  LaunchJoin join;
  std::vector<std::string> others;
  {
    const Database database(options.database, Database::Mode::kReadOnly);
    check_schema(database);
    run = chosen_run(database, options.name);
    join = join_launches(database, as_table(run, measured.launches));
    others = other_kernels(database, run, measured.launches);
  }
  if (join.launches.empty() && join.limited.empty()) {
    throw UserError(
        fmt::format("{}: none of its {} launches belongs to run '{}'", options.csv, measured.launches.size(), run));
  }
  ResultsWriter(options.database).put_hardware_run(run, gpu, measured.launches);
  out << fmt::format("{} launches of {} measured on {}, {} metrics, stored with the simulated ones\n",
                     measured.launches.size(), run, gpu, measured.launches.front().metrics.size());
  if (measured.outputs > 1) {
    out << fmt::format("  {} outputs in the file: medians of repeated measurements\n", measured.outputs);
  }
  print_list(out, "measured, not simulated", join.not_simulated);
  print_list(out, "grid or block size differs; is it the same launch?", join.different_size);
  print_list(out, "kernels differ; is it the same program?", others);
  print_list(out, "left out, without metrics or numbers", measured.left_out);
  return kExitDone;
}

}  // namespace warpsim
