// What the binders of machine operations (operations_machine*.cc) share: operands that PTX instructions do not have.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/warp_context.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

// Places beyond those of an operation are entries of the function's lists.
class ExtraPlaces {
 public:
  explicit ExtraPlaces(OperationBuilder& b) : lists_(b.function().code().lists) {
    b.operation.target = static_cast<std::uint32_t>(lists_.size());
  }
  void add(OperandPlace place) { lists_.push_back(place); }

 private:
  std::vector<OperandPlace>& lists_;
};

// A predicate that may be discarded.
inline OperandPlace predicate_or_none(OperationBuilder& b, std::size_t number) {
  return b.is_discarded(number) ? kNoPlace : b.predicate_destination(number);
}
inline void set_if_any(WarpContext& warp, OperandPlace place, LaneMask lanes, LaneMask value) {
  if (place != kNoPlace) {
    warp.set_predicate(place, lanes, value);
  }
}
// Sources of carries: entries of the lists come in pairs, place and whether it is negated.
inline LaneMask mask_of(const WarpContext& warp, const OperandPlace* entry) {
  const LaneMask mask = warp.predicate(entry[0]);
  return entry[1] != 0 ? ~mask : mask;
}
inline void add_predicate_source(OperationBuilder& b, ExtraPlaces& extra, std::size_t number) {
  extra.add(b.predicate_source(number));
  extra.add(b.negates(number) ? 1 : 0);
}

// The number in a word such as "s5".
inline std::uint32_t number_in(OperationBuilder& b, char letter) {
  const std::string_view word = b.take_next();
  std::uint32_t value = 0;
  if (word.size() < 2 || word.front() != letter ||
      std::from_chars(word.data() + 1, word.data() + word.size(), value).ec != std::errc()) {
    b.fail("expected a number after a letter");
  }
  return value;
}

}  // namespace warpsim
