#include "cuda/user_messages.h"

#include <cstdio>

namespace warpsim::cuda {

void UserMessages::say(const std::string& text) {
  if (text.empty()) {
    return;
  }
  const std::string line = "warpsim: " + text + "\n";
  std::fflush(stdout);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void UserMessages::say_once(const std::string& text) {
  if (said_.insert(text).second) {
    say(text);
  }
}

}  // namespace warpsim::cuda
