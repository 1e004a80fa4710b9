#include "app/simulation/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/text_format.h"

namespace warpsim {

namespace {

constexpr std::chrono::milliseconds kRedraw{200};

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

std::string progress_line(const ProgressState& state, std::size_t width) {
  const LaunchState& launch = state.launch;
  const double share =
      launch.blocks == 0 ? 0 : static_cast<double>(launch.blocks_done) / static_cast<double>(launch.blocks);
  constexpr std::size_t kBar = 20;
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBar));
  std::string line;
  if (state.runs > 1) {
    line += fmt::format("{} of {} runs  ", state.runs_done, state.runs);
  }
  line += fmt::format("{}  {}{} {:3.0f} %  cycle {}  ", state.label, std::string(filled, '#'),
                      std::string(kBar - filled, '-'), share * 100, grouped(launch.cycle));
  const auto instructions = static_cast<double>(launch.instructions);
  line += short_count(instructions);
  if (share > 0) {
    line += fmt::format(" of ~{}", short_count(instructions / share));
  }
  line += " instr";
  if (state.seconds > 0) {
    line += fmt::format("  {}/s", short_count(static_cast<double>(state.instructions) / state.seconds));
  }
  if (share > 0) {
    line += fmt::format("  ETA {}", short_seconds(std::max(1.0, state.launch_seconds * (1 - share) / share)));
  }
  return line.substr(0, width);
}

ProgressDisplay::ProgressDisplay(ProgressMode mode, std::vector<std::string> run_names)
    : line_(mode), began_(Clock::now()), drawn_(began_) {
  for (std::string& name : run_names) {
    Run run;
    run.name = std::move(name);
    runs_.push_back(std::move(run));
  }
}

double ProgressDisplay::seconds() const {
  return seconds_between(began_, Clock::now());
}

void ProgressDisplay::update(std::size_t run_index, std::uint32_t launch_index, const LaunchState& launch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Clock::time_point now = Clock::now();
  Run& run = runs_[run_index];
  if (!run.in_launch) {
    run.in_launch = true;
    run.launch_index = launch_index;
    run.launch_began = now;
  }
  run.instructions = launch.instructions;
  if (!line_.shown() || now - drawn_ < kRedraw) {
    return;
  }
  drawn_ = now;
  ProgressState state;
  state.runs = runs_.size();
  state.runs_done = runs_done_;
  state.label = fmt::format("{}[{}]", run.name, launch_index);
  state.launch = launch;
  state.instructions = finished_instructions_;
  for (const Run& other : runs_) {
    state.instructions += other.instructions;
  }
  state.seconds = seconds_between(began_, now);
  state.launch_seconds = seconds_between(run.launch_began, now);
  line_.draw(progress_line(state, StatusLine::width()));
}

void ProgressDisplay::finish_launch(std::size_t run_index, std::uint64_t instructions) {
  const std::lock_guard<std::mutex> lock(mutex_);
  runs_[run_index].in_launch = false;
  runs_[run_index].instructions = 0;
  finished_instructions_ += instructions;
}

void ProgressDisplay::finish_run() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++runs_done_;
}

}  // namespace warpsim
