// One line of standard error that is rewritten in place and gone at the end: how far a long command has come. Shown on
// a terminal only, unless asked for always.
#pragma once

#include <cstddef>
#include <string>

#include "app/options.h"

namespace warpsim {

class StatusLine {
 public:
  explicit StatusLine(ProgressMode mode);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool shown() const { return shown_; }
  // Characters that fit.
  static std::size_t width();
  void draw(const std::string& line);
  void clear();

 private:
  bool shown_;
  bool drawn_ = false;
};

}  // namespace warpsim
