// What the test kits of mechanisms find.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace warpsim {

using Sentences = std::vector<std::string>;

// Whether one of the sentences contains the text.
inline bool says(const Sentences& sentences, const std::string& text) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return sentence.find(text) != std::string::npos; });
}

}  // namespace warpsim
