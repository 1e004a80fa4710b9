#include "sweep/point_run.h"

#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/input_file.h"
#include "base/output_file.h"

namespace warpsim {

namespace {

constexpr int kLimited = 3;  // the run's exit code when it stopped at --max-cycles, which is also a result

ProgramCall call_of(const SweepPoint& point, const PointProgram& program, const std::string& work,
                    const std::string& log) {
  ProgramCall call{program.path, point.words, log};
  if (program.threads > 1) {
    call.words.push_back("--threads=" + std::to_string(program.threads));
  }
  call.words.push_back("--out=" + work);
  return call;
}

}  // namespace

std::string last_lines(const std::string& text) {
  constexpr int kLines = 6;
  constexpr std::size_t kMost = 2000;
  std::size_t end = text.size();
  while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == ' ')) {
    --end;
  }
  std::size_t begin = end;
  for (int line = 0; line < kLines && begin > 0; ++line) {
    const std::size_t newline = text.rfind('\n', begin - 1);
    begin = newline == std::string::npos ? 0 : newline;
  }
  begin = std::max(begin, end - std::min(end, kMost));
  begin += begin < end && text[begin] == '\n' ? 1 : 0;
  return text.substr(begin, end - begin);
}

PointRun::PointRun(const SweepState& state, const SweepPoint& point, const PointProgram& program,
                   const std::string& worker)
    : state_(state),
      point_(point),
      work_(state.work_path(point.key, worker)),
      log_(work_ + ".log"),
      process_((remove_database(work_), call_of(point, program, work_, log_))) {}

PointRun::~PointRun() {
  process_ = ChildProcess();
  remove_database(work_);
  std::error_code ignored;
  std::filesystem::remove(log_, ignored);
}

std::optional<std::string> PointRun::outcome() {
  const std::optional<int> status = process_.status();
  return status ? std::optional(ended(*status)) : std::nullopt;
}

std::string PointRun::ended(int status) {
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kLimited)) {
    return state_.accept(point_, work_).value_or("");
  }
  const std::string tail = last_lines(require_input(log_, "what the point's process printed"));
  return status_text(status) + (tail.empty() ? "" : "\n" + tail);
}

}  // namespace warpsim
