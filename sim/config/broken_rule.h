// Finds whose value broke a rule between several values of a GPU description. The rule's key may have its value from a
// base file that is right by itself; the user must be told of the value that he changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config_node.h"

namespace warpsim {

struct BrokenRule {
  std::string path;      // of the key that the rule belongs to
  ConfigOrigin origin;   // of its value
  std::string sentence;  // names other keys that take part
};

struct BrokenBy {
  std::string path;
  std::string value;
  ConfigOrigin origin;
};

// `files` are those of the description: the user's own first, then what it extends. Looks
// for values nearer to the user than the rule's own (--set, then his file, then what it extends): those that the
// sentence names first, and beside a value of a base file also others of its section. Nothing if there is none.
std::optional<BrokenBy> find_culprit(const ConfigNode& root, const BrokenRule& rule,
                                     const std::vector<std::string>& files);

}  // namespace warpsim
