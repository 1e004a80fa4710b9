// Serves candidates one after another, in an order that may change whenever one of them is served.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpsim {

enum class ServiceResult : std::uint8_t {
  kRefused,  // it is left out; the order stays
  kDone,     // it has nothing more
  kAgain,    // it was changed to what it has next
};

// goes_later(a, b): b goes before a. serve(candidate) is called for the first. The candidates are a heap, which stays
// within its bounds whatever a mechanism answers.
template <typename Candidate, typename GoesLater, typename Serve>
void serve_in_order(std::vector<Candidate>& candidates, GoesLater&& goes_later, Serve&& serve) {
  std::ranges::make_heap(candidates, goes_later);
  while (!candidates.empty()) {
    std::ranges::pop_heap(candidates, goes_later);
    const ServiceResult result = serve(candidates.back());
    if (result != ServiceResult::kAgain) {
      candidates.pop_back();
    }
    if (result != ServiceResult::kRefused) {
      std::ranges::make_heap(candidates, goes_later);
    }
  }
}

}  // namespace warpsim
