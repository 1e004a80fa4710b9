// The command line: the options of each command, its help text, and the errors of the input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/launch_file/launch_bounds.h"
#include "app/options/launch_selection.h"
#include "app/options/timeline_options.h"
#include "core/blocks/occupancy.h"
#include "emulator/execution/breakpoint.h"
#include "report/report_document.h"
#include "stats/detail_options.h"

namespace warpsim {

enum class ProgressMode : std::uint8_t { kAuto, kAlways, kNever };

// Where registers of warps are printed, as typed.
struct BreakOptions {
  std::vector<std::string> places;  // KERNEL:LINE
  std::string warp;                 // BLOCK,WARP; empty: the first that arrives
  std::uint32_t count = 1;

  std::vector<Breakpoint> breakpoints() const;
};

// `run` with PTX instead of traces.
struct PtxRunOptions {
  std::string ptx;
  std::string launch_file;
  std::string gpu;
  std::string out;                     // empty: no database
  std::vector<std::string> overrides;  // --set
  std::string name;
  bool flush_caches = true;                 // --cache-control all
  std::optional<std::uint64_t> max_cycles;  // of a launch
  std::uint32_t threads = 1;                // per launch
  bool skip = true;                         // false: --no-skip
  std::optional<std::uint64_t> shuffle;     // --shuffle
  LaunchBounds bounds;
  bool replace = false;
  bool functional_only = false;
  bool force_target = false;
  std::vector<std::string> ptxas;  // --ptxas: the assembler that compiles PTX, with its options; empty: none
  DetailOptions details;
  TimelineOptions timeline;
  BreakOptions breaks;
};

struct RunOptions {
  std::vector<std::string> traces;
  std::string gpu;
  std::string out;
  std::vector<std::string> overrides;  // --set
  bool flush_caches = true;            // --cache-control all
  std::uint32_t jobs = 1;
  std::uint32_t threads = 1;             // per launch
  std::optional<std::uint64_t> shuffle;  // --shuffle
  LaunchSelection launches;
  std::optional<std::uint64_t> max_cycles;
  ProgressMode progress = ProgressMode::kAuto;
  std::string name;
  bool skip = true;
  bool strict = false;
  bool recorded_streams = false;  // --streams recorded
  std::string sass_file;
  bool replace = false;
  DetailOptions details;
  TimelineOptions timeline;
  std::optional<PtxRunOptions> ptx;  // if set, the other members are unused
};

struct InfoOptions {
  std::string trace;
  std::string sass_file;
  bool strict = false;
};

struct ConvertOptions {
  std::string in;
  std::string out;
};

struct CorrelateOptions {
  std::string database;
  std::string hardware;
  std::vector<std::string> metrics;  // empty: the main ones
  bool all = false;
  std::string csv;                  // file to write every comparison to
  std::vector<std::string> tables;  // files to write the table of metrics to; the suffix determines the format
  bool store = true;
  std::string hardware_gpu;
};

enum class OccupancySweep : std::uint8_t { kNone, kThreads, kRegisters, kShared };

struct OccupancyOptions {
  std::string gpu;
  std::vector<std::string> overrides;  // --set
  BlockNeeds needs;                    // the swept value is 0 if it is not given
  std::optional<std::uint32_t> carveout_kib;
  OccupancySweep sweep = OccupancySweep::kNone;
  bool json = false;
};

struct CompareOptions {
  RunOptions run;                 // traces, or databases if no GPU is given
  std::vector<std::string> gpus;  // to simulate on
  bool json = false;
};

struct ExecOptions {
  std::vector<std::string> gpus;  // that the program has, at least one
  std::string out;
  std::string trace;                   // file that `warpsim trace` writes; empty: no recording
  std::vector<std::string> overrides;  // --set
  std::string name;
  bool flush_caches = false;                // --cache-control all
  std::optional<std::uint64_t> max_cycles;  // of a launch
  std::uint32_t threads = 1;                // per launch
  bool replace = false;
  bool functional_only = false;
  bool force_target = false;
  std::vector<std::string> ptxas;  // --ptxas: the assembler that compiles PTX, with its options; empty: none
  std::string code;                // --code: ptx or machine; empty: machine code where there is some for the GPU
  // --memory-at: device memory begins as in a recorded run whose first allocation was there; 0: at the usual place.
  std::uint64_t memory_at = 0;
  LaunchBounds bounds;
  DetailOptions details;
  BreakOptions breaks;
  std::vector<std::string> skipped_kernels;  // --skip-kernel
  bool profile_from_start = true;            // --profile-from-start
  std::vector<std::string> ranges;           // --range
  std::vector<std::string> program;          // with its arguments
};

struct GpusOptions {
  bool table = false;
  std::vector<std::string> capabilities;  // of the table; empty: all
  bool json = false;
  bool markdown = false;
};

struct MechanismsOptions {
  std::vector<std::string> libraries{};  // empty: shipped mechanisms
  bool json = false;
  bool markdown = false;
};

struct ReportCommandOptions {
  ReportOptions report;
  std::string out;  // the page to write
};

struct ServeOptions {
  ReportOptions report;
  std::uint32_t port = 0;  // 0: any free port
};

// Each takes the words after the command. Returns nothing if help was requested. Throws UsageError.
std::optional<RunOptions> parse_run(const std::vector<std::string>& words);
std::optional<InfoOptions> parse_info(const std::vector<std::string>& words);
std::optional<ConvertOptions> parse_convert(const std::vector<std::string>& words);
std::optional<CorrelateOptions> parse_correlate(const std::vector<std::string>& words);
std::optional<OccupancyOptions> parse_occupancy(const std::vector<std::string>& words);
std::optional<CompareOptions> parse_compare(const std::vector<std::string>& words);
std::optional<ExecOptions> parse_exec(const std::vector<std::string>& words);
std::optional<ExecOptions> parse_trace(const std::vector<std::string>& words);
std::optional<GpusOptions> parse_gpus(const std::vector<std::string>& words);
std::optional<MechanismsOptions> parse_mechanisms(const std::vector<std::string>& words);
std::optional<ReportCommandOptions> parse_report(const std::vector<std::string>& words);
std::optional<ServeOptions> parse_serve(const std::vector<std::string>& words);
// For commands without options; false if help was requested.
bool parse_nothing(const std::string& command, const std::vector<std::string>& words);

// The help of one command, or of the program if `command` is empty.
std::string help_text(const std::string& command);

}  // namespace warpsim
