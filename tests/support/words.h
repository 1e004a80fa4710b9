// Texts of programs and their options, split into words.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace warpsim::test {

inline std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) {
    result.push_back(word);
  }
  return result;
}

// Replaces runs of blanks by one.
inline std::string squeezed(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' || result.empty() || result.back() != ' ') {
      result += c;
    }
  }
  return result;
}

}  // namespace warpsim::test
