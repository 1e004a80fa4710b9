// Messages of the libraries to the user of the program, on stderr.
#pragma once

#include <set>
#include <string>

namespace warpsim::cuda {

class UserMessages {
 public:
  // After what the program has printed. An empty text is none.
  static void say(const std::string& text);
  // The same, but each text once.
  void say_once(const std::string& text);
  void forget() { said_.clear(); }

 private:
  std::set<std::string> said_;
};

}  // namespace warpsim::cuda
