// Finds the intended word for a mistyped key, command or option.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

// Smallest number of inserted, deleted, replaced or swapped neighbouring characters that turns one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate with the smallest distance to `word`, if at most a third of its characters are wrong; of several the
// first. Otherwise the shortest one that has `word` as one of its words ("ways" in "num_ways"), or that contains it or
// is contained in it. Otherwise empty.
std::string near_miss(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" or nothing: to be appended to a message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace warpsim
