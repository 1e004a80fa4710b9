#include "app/commands/command_line.h"

#include <fmt/format.h>

#include <iostream>

#include "app/commands/command_files.h"
#include "app/commands/compare_command.h"
#include "app/commands/correlate_command.h"
#include "app/commands/disassemble_command.h"
#include "app/commands/exec_command.h"
#include "app/commands/export_command.h"
#include "app/commands/import_ncu_command.h"
#include "app/commands/info_command.h"
#include "app/commands/machine_commands.h"
#include "app/commands/mechanisms_command.h"
#include "app/commands/merge_command.h"
#include "app/commands/occupancy_command.h"
#include "app/commands/plot_command.h"
#include "app/commands/ptx_run_command.h"
#include "app/commands/report_command.h"
#include "app/commands/run_command.h"
#include "app/commands/serve_command.h"
#include "app/commands/sweep_command.h"
#include "app/exit_codes.h"
#include "app/options/command_help.h"
#include "app/options/disassemble_options.h"
#include "app/options/manual_page.h"
#include "app/options/options.h"
#include "app/options/report_options.h"
#include "app/options/shell_completion.h"
#include "app/options/sweep_options.h"
#include "base/error.h"
#include "config/near_miss.h"
#include "frontend/workload/convert.h"
#include "stats/schema.h"
#include "warpsim_version.h"

namespace warpsim {

namespace {

int convert_command(const ConvertOptions& options) {
  check_files(options);
  convert(options.in, options.out);
  std::cout << "wrote " << options.out << "\n";
  return kExitDone;
}

int print_text(const std::string& text) {
  std::cout << text;
  return kExitDone;
}

int show_help(const std::string& command) {
  return print_text(help_text(command));
}

// The generator that pages name.
std::string program_text() {
  return fmt::format("warpsim {} (build {})", kVersion, kCommit);
}

int dispatch(const std::string& command, const std::vector<std::string>& words, const std::string& whole) {
  if (command == "run") {
    const auto options = parse_run(words);
    if (options && options->ptx) {
      return ptx_run_command(*options->ptx, whole);
    }
    return options ? run_command(*options, whole) : show_help(command);
  }
  if (command == "trace") {
    const auto options = parse_trace(words);
    return options ? exec_command(*options, whole) : show_help(command);
  }
  if (command == "exec") {
    const auto options = parse_exec(words);
    return options ? exec_command(*options, whole) : show_help(command);
  }
  if (command == "sweep") {
    const auto options = parse_sweep_options(words);
    return options ? sweep_command(*options, whole, std::cout) : show_help(command);
  }
  if (command == "merge") {
    const auto options = parse_merge_options(words);
    return options ? merge_command(*options, std::cout) : show_help(command);
  }
  if (command == "compare") {
    const auto options = parse_compare(words);
    return options ? compare_command(*options, whole, std::cout) : show_help(command);
  }
  if (command == "info") {
    const auto options = parse_info(words);
    return options ? info_command(*options, std::cout) : show_help(command);
  }
  if (command == "convert") {
    const auto options = parse_convert(words);
    return options ? convert_command(*options) : show_help(command);
  }
  if (command == "disassemble") {
    const auto options = parse_disassemble_options(words);
    return options ? disassemble_command(*options, std::cout) : show_help(command);
  }
  if (command == "correlate") {
    const auto options = parse_correlate(words);
    return options ? correlate_command(*options, std::cout) : show_help(command);
  }
  if (command == "export") {
    const auto options = parse_export(words);
    return options ? export_command(*options, std::cout) : show_help(command);
  }
  if (command == "import-ncu") {
    const auto options = parse_import_ncu(words);
    return options ? import_ncu_command(*options, std::cout) : show_help(command);
  }
  if (command == "plot") {
    const auto options = parse_plot(words);
    return options ? plot_command(*options, std::cout) : show_help(command);
  }
  if (command == "occupancy") {
    const auto options = parse_occupancy(words);
    return options ? occupancy_command(*options, std::cout) : show_help(command);
  }
  if (command == "gpus") {
    const auto options = parse_gpus(words);
    return options ? gpus_command(*options, std::cout) : show_help(command);
  }
  if (command == "mechanisms") {
    const auto options = parse_mechanisms(words);
    return options ? mechanisms_command(*options, std::cout) : show_help(command);
  }
  if (command == "report") {
    auto options = parse_report(words);
    if (options) {
      options->report.program = program_text();
    }
    return options ? report_command(*options, std::cout) : show_help(command);
  }
  if (command == "serve") {
    auto options = parse_serve(words);
    if (options) {
      options->report.program = program_text();
    }
    return options ? serve_command(*options, std::cout) : show_help(command);
  }
  if (command == "config-reference") {
    return parse_nothing(command, words) ? config_reference_command(std::cout) : show_help(command);
  }
  if (command == "launch-reference") {
    return parse_nothing(command, words) ? launch_reference_command(std::cout) : show_help(command);
  }
  if (command == "metric-reference") {
    return parse_nothing(command, words) ? metric_reference_command(std::cout) : show_help(command);
  }
  if (command == "completion") {
    const auto shell = parse_completion(words);
    return shell ? print_text(completion_script(*shell)) : show_help(command);
  }
  if (command == "manual") {
    return parse_nothing(command, words) ? print_text(manual_page(kVersion)) : show_help(command);
  }
  throw UsageError("unknown command '" + command + "'" + did_you_mean(command, command_names()) +
                   " (see 'warpsim --help')");
}

}  // namespace

std::string quoted_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./=,:+@%") == std::string::npos;
  if (plain) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

std::string quoted_command(const std::vector<std::string>& words) {
  std::string line = "warpsim";
  for (const std::string& word : words) {
    line += " " + quoted_word(word);
  }
  return line;
}

std::string version_text() {
  return fmt::format("warpsim {}, statistics schema {}, build {} {}\n", kVersion, kSchemaVersion, kCommit, kBuildType);
}

int run_command_line(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    const bool of_command = words.size() > 1 && words[0] == "help";
    return show_help(of_command ? words[1] : "");
  }
  if (words[0] == "--version") {
    std::cout << version_text();
    return kExitDone;
  }
  return dispatch(words[0], {words.begin() + 1, words.end()}, quoted_command(words));
}

}  // namespace warpsim
