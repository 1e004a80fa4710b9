// warpsim_microbench: simulates the measured microbenchmarks and prints the simulated values next to the hardware's.
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "config/config_tree.h"
#include "config/gpu_files.h"
#include "microbench/families.h"
#include "microbench/report.h"

namespace {

using warpsim::GpuConfig;
using warpsim::UsageError;
using warpsim::UserError;
using namespace warpsim::microbench;

constexpr const char* kUsage =
    "usage: warpsim_microbench [--family NAME]... [--only GLOB] [--gpu FILE] [--set KEY=VALUE]... [--hardware FILE]\n"
    "                          [--jobs N] [--csv FILE]\n"
    "Simulates microbenchmarks that were measured on a GPU and compares the values. Without --family: all families.\n";

struct Options {
  std::vector<std::string> families;
  std::string only = "*";
  std::string gpu = "h200";
  std::vector<std::string> overrides;
  std::string hardware = WARPSIM_SOURCE_DIR "/tests/hardware/h200/micro.csv";
  unsigned jobs = 1;
  std::string csv;
  bool help = false;
};

unsigned parse_jobs(const std::string& text) {
  if (text.empty() || text.size() > 3 || text.find_first_not_of("0123456789") != std::string::npos || text == "0") {
    throw UsageError("--jobs takes a number from 1 to 999, not '" + text + "'");
  }
  return static_cast<unsigned>(std::stoul(text));
}

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      return options;
    }
    if (i + 1 == arguments.size()) {
      throw UsageError(fmt::format("'{}' is no option, or its value is missing\n{}", name, kUsage));
    }
    const std::string& value = arguments[++i];
    if (name == "--family") {
      options.families.push_back(value);
    } else if (name == "--only") {
      options.only = value;
    } else if (name == "--gpu") {
      options.gpu = value;
    } else if (name == "--set") {
      options.overrides.push_back(value);
    } else if (name == "--hardware") {
      options.hardware = value;
    } else if (name == "--jobs") {
      options.jobs = parse_jobs(value);
    } else if (name == "--csv") {
      options.csv = value;
    } else {
      throw UsageError(fmt::format("'{}' is no option\n{}", name, kUsage));
    }
  }
  return options;
}

std::vector<Family> chosen_families(const Options& options) {
  std::vector<Family> families;
  for (const std::string& wanted : options.families) {
    bool known = false;
    for (const FamilyEntry& entry : all_families()) {
      known = known || entry.bench == wanted;
    }
    if (!known) {
      throw UsageError("there is no family " + wanted);
    }
  }
  for (const FamilyEntry& entry : all_families()) {
    bool chosen = options.families.empty();
    for (const std::string& wanted : options.families) {
      chosen = chosen || entry.bench == wanted;
    }
    if (chosen) {
      families.push_back(entry.make());
    }
  }
  return families;
}

// Runs the chosen probes of a family, several at a time; each has its own machine, so the order does not matter.
std::map<std::string, double> simulate(const Family& family, const Options& options, const GpuConfig& config) {
  std::vector<const Probe*> probes;
  for (const Probe& probe : family.probes) {
    if (matches(options.only, probe.name)) {
      probes.push_back(&probe);
    }
  }
  std::map<std::string, double> results;
  std::exception_ptr failure;
  std::mutex mutex;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < probes.size(); i = next++) {
      try {
        const double value = probes[i]->simulate(config);
        const std::lock_guard<std::mutex> lock(mutex);
        results[probes[i]->name] = value;
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        failure = std::current_exception();
        next = probes.size();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options.jobs; ++i) {
    threads.emplace_back(work);
  }
  work();
  for (std::thread& thread : threads) {
    thread.join();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
  return results;
}

int run(const Options& options) {
  const std::vector<HardwareValue> table = read_hardware_values(options.hardware);
  const GpuConfig config =
      warpsim::ConfigTree::load(warpsim::find_gpu_file(options.gpu), options.overrides).read<GpuConfig>();
  const std::vector<Family> families = chosen_families(options);
  for (const Family& family : families) {
    make_report(family, table, {});  // names first: a wrong one is reported before any run
  }
  std::vector<FamilyReport> reports;
  for (const Family& family : families) {
    reports.push_back(make_report(family, table, simulate(family, options, config)));
    std::fputs(render_values(reports.back()).c_str(), stdout);
    std::fflush(stdout);
  }
  std::fputs(render_summary(reports).c_str(), stdout);
  for (const FamilyReport& report : reports) {
    std::fputs(render_uncovered(report).c_str(), stdout);
  }
  if (!options.csv.empty()) {
    std::ofstream out(options.csv);
    out << render_csv(reports);
    if (!out.flush()) {
      throw UserError(options.csv + ": cannot be written");
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse_options({argv + 1, argv + argc});
    if (options.help) {
      std::fputs(kUsage, stdout);
      return 0;
    }
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpsim_microbench: %s\n", error.what());
    return 2;
  }
}
