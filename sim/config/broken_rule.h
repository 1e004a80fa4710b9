// Finds the value that broke a rule between several values of a GPU description. The rule's key may have its value from
// a valid base file; the message must name the value that the user changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config_node.h"

namespace warpsim {

struct BrokenRule {
  std::string path;      // of the key that the rule belongs to
  ConfigOrigin origin;   // of its value
  std::string sentence;  // names the other keys of the rule
};

struct BrokenBy {
  std::string path;
  std::string value;
  ConfigOrigin origin;
};

// `files` are those of the description: the user's own first, then what it extends. Searches for values with a higher
// priority than the rule's own (--set, then the user's file, then what it extends): first those that the sentence
// names, and for a value of a base file also others of its section. Returns nothing if none is found.
std::optional<BrokenBy> find_culprit(const ConfigNode& root, const BrokenRule& rule,
                                     const std::vector<std::string>& files);

}  // namespace warpsim
