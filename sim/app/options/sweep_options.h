// Options of `warpsim sweep` and `warpsim merge`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/options/options.h"

namespace warpsim {

struct SweepOptions {
  std::string file;
  std::string out;
  bool slurm = false;
  std::optional<std::uint32_t> jobs;  // at a time; unset: as many as processors allow, or no limit with Slurm
  std::uint32_t threads = 1;          // per launch
  std::uint32_t retries = 0;
  bool dry_run = false;
  bool collect = false;
  bool replace = false;
  ProgressMode progress = ProgressMode::kAuto;
  std::vector<std::string> slurm_words;
  std::uint32_t points_per_task = 1;
  bool wait = true;
  std::chrono::seconds poll{10};
  std::string slurm_task;  // a submission's folder: this process is one of its tasks; the other members are unused
};

struct MergeCommandOptions {
  std::string out;
  std::vector<std::string> inputs;
  bool replace = false;
};

// Nothing is returned when help was requested. Throw UsageError.
std::optional<SweepOptions> parse_sweep_options(const std::vector<std::string>& words);
std::optional<MergeCommandOptions> parse_merge_options(const std::vector<std::string>& words);

}  // namespace warpsim
