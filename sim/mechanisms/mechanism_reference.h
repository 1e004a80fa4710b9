// What there is to choose from: all mechanisms with their keys and counters, as their own code declares them.
#pragma once

#include <string>
#include <vector>

#include "mechanisms/mechanism_library.h"

namespace warpsim {

struct MechanismKey {
  std::string name;
  std::string values;    // "1 to 64", "true or false"
  std::string standard;  // in effect if the description lacks the key
  std::string sentence;
};
struct MechanismCounterText {
  std::string name;
  std::string unit;
  std::string sentence;
};
struct MechanismText {
  std::string name;  // as a description names it: with the path of its library
  std::string sentence;
  std::vector<MechanismKey> keys;
  std::vector<MechanismCounterText> counters;
};
// The mechanisms of one interface.
struct MechanismKind {
  std::string title;                   // "Warp schedulers"
  std::vector<std::string> chosen_by;  // keys of a description: "sm.sub_core.scheduler.policy"
  std::vector<MechanismText> mechanisms;
};

// The shipped mechanisms of all interfaces.
std::vector<MechanismKind> shipped_mechanism_kinds();
// Those of a library; interfaces without any are left out. Throws ConfigError if a declaration breaks the rules.
std::vector<MechanismKind> library_mechanism_kinds(const MechanismLibrary& library);

}  // namespace warpsim
