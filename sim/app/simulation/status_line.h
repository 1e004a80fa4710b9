// One line on stderr that is rewritten in place and erased at the end: the progress of a long command. Shown on
// a terminal only, unless always requested.
#pragma once

#include <cstddef>
#include <string>

#include "app/options/options.h"

namespace warpsim {

class StatusLine {
 public:
  explicit StatusLine(ProgressMode mode);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool shown() const { return shown_; }
  // Number of characters that fit.
  static std::size_t width();
  void draw(const std::string& line);
  void clear();

 private:
  bool shown_;
  bool drawn_ = false;
};

}  // namespace warpsim
