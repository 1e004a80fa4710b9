// Collects all errors of a GPU description, so that they are reported at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/config_node.h"

namespace warpsim {

class ConfigProblems {
 public:
  void add(const ConfigOrigin& where, const std::string& what) { lines_.push_back(where.position() + ": " + what); }
  bool empty() const { return lines_.empty(); }
  const std::vector<std::string>& lines() const { return lines_; }

  // One line per problem.
  void throw_if_any() const {
    if (lines_.empty()) {
      return;
    }
    std::string text;
    for (const std::string& line : lines_) {
      text += (text.empty() ? "" : "\n") + line;
    }
    throw ConfigError(text);
  }

 private:
  std::vector<std::string> lines_;
};

}  // namespace warpsim
