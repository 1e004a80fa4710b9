// Finds the intended word for a mistyped key, command or option.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

// Least number of inserted, deleted, replaced or swapped neighbouring characters that turns one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word` if it is near enough to be meant (a third of its characters wrong at most), else
// empty. Of equally near ones the first.
std::string near_miss(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" or nothing: to be appended to a message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace warpsim
