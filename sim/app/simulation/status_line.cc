#include "app/simulation/status_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace warpsim {

StatusLine::StatusLine(ProgressMode mode)
    : shown_(mode == ProgressMode::kAlways || (mode == ProgressMode::kAuto && isatty(STDERR_FILENO) != 0)) {}

std::size_t StatusLine::width() {
  constexpr std::size_t kUnknown = 100;
  winsize size{};
  return (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUnknown) - 1;
}

void StatusLine::draw(const std::string& line) {
  if (!shown_) {
    return;
  }
  fmt::print(stderr, "\r\x1b[K{}", line.substr(0, width()));
  std::fflush(stderr);
  drawn_ = true;
}

void StatusLine::clear() {
  if (drawn_) {
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    drawn_ = false;
  }
}

}  // namespace warpsim
