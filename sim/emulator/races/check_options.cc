#include "emulator/races/check_options.h"

#include <fmt/format.h>

#include <sstream>

#include "base/error.h"

namespace warpsim {

CheckOptions check_options_of(const std::string& words, const std::string& what) {
  if (words == "all") {
    return {true, true};
  }
  CheckOptions options{false, false};
  if (words == "none") {
    return options;
  }
  std::istringstream list(words + ",");
  for (std::string word; std::getline(list, word, ',');) {
    if (word == "races") {
      options.races = true;
    } else if (word == "uninitialised") {
      options.uninitialised = true;
    } else {
      throw UsageError(
          fmt::format("{} '{}': expected races, uninitialised or both with a comma, all, or none", what, words));
    }
  }
  return options;
}

std::string text_of(const CheckOptions& options) {
  return options.races ? (options.uninitialised ? "all" : "races") : options.uninitialised ? "uninitialised" : "none";
}

}  // namespace warpsim
