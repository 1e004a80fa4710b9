#include "emulator/races/race_shadow.h"

namespace warpsim {

ShadowCell* GlobalShadow::cell(Address address) {
  const Address word = address / kShadowWord;
  const Address number = word / kWordsPerPage;
  if (number != last_number_) {
    auto found = pages_.find(number);
    if (found == pages_.end()) {
      if (pages_.size() >= most_pages_) {
        ++left_out_;
        return nullptr;
      }
      found = pages_.emplace(number, std::make_unique<Page>()).first;
    }
    last_number_ = number;
    last_ = found->second.get();
  }
  return &(*last_)[word % kWordsPerPage];
}

}  // namespace warpsim
