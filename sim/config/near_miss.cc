#include "config/near_miss.h"

#include <algorithm>
#include <numeric>

namespace warpsim {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the dynamic programming table: two back (for swaps), one back, current.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replace, last[j] + 1, current[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(current);
  }
  return last[b.size()];
}

namespace {

// Whether `part` is one of the words of `whole`, which '_', '-' and '.' separate.
bool is_word_of(std::string_view part, std::string_view whole) {
  const auto separates = [](char c) { return c == '_' || c == '-' || c == '.'; };
  for (std::size_t at = whole.find(part); at != std::string_view::npos; at = whole.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    if ((at == 0 || separates(whole[at - 1])) && (end == whole.size() || separates(whole[end]))) {
      return true;
    }
  }
  return false;
}

// The shortest candidate that has `word` as one of its words; else one that contains it, or that it contains.
std::string related(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kShortest = 3;  // shorter ones are contained in too many others
  constexpr int kUnrelated = 3;
  std::string best;
  int best_rank = kUnrelated;
  if (word.size() < kShortest) {
    return best;
  }
  for (const std::string& candidate : candidates) {
    const int rank = is_word_of(word, candidate)                                          ? 0
                     : candidate.find(word) != std::string::npos                          ? 1
                     : candidate.size() >= kShortest && word.find(candidate) != word.npos ? 2
                                                                                          : kUnrelated;
    if (rank < best_rank || (rank == best_rank && rank != kUnrelated && candidate.size() < best.size())) {
      best = candidate;
      best_rank = rank;
    }
  }
  return best;
}

}  // namespace

std::string near_miss(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestCompared = 200;
  if (word.size() > kLongestCompared) {
    return {};
  }
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best.empty() ? related(word, candidates) : best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string meant = near_miss(word, candidates);
  return meant.empty() ? meant : "; did you mean '" + meant + "'?";
}

}  // namespace warpsim
