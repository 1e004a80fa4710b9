#include "base/process_start.h"

#include <fstream>
#include <sstream>
#include <string>

namespace warpsim {

std::uint64_t process_start(std::int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  // "123 (name) S ...": the name may contain any character. The start time is the 20th word after the name.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) {
    return 0;
  }
  std::istringstream words(line.substr(name_end + 1));
  std::string word;
  words >> word;
  if (word == "Z" || word == "X") {
    return 0;
  }
  constexpr int kBetween = 18;
  for (int i = 0; i < kBetween; ++i) {
    words >> word;
  }
  std::uint64_t start = 0;
  return words >> start ? start : 0;
}

}  // namespace warpsim
