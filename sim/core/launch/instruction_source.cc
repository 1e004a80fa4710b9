#include "core/launch/instruction_source.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace warpsim {

void AddressPool::assign(std::vector<std::uint64_t> words) {
  SIM_CHECK(words.size() < WarpInstruction::kNoAddresses, "a block's addresses exceed the pool");
  words_ = std::move(words);
  used_ = static_cast<std::uint32_t>(words_.size());
}

void AddressPool::grow(std::size_t count) {
  constexpr std::size_t kLeast = 1024;
  const std::size_t needed = used_ + count;
  SIM_CHECK(needed < WarpInstruction::kNoAddresses, "a block's addresses exceed the pool");
  words_.resize(std::max({kLeast, needed, words_.size() + words_.size() / 4}));  // recycled: growth is rare
}

LaneAddresses AddressPool::at(std::uint32_t index) const {
  SIM_CHECK(index < used_, "address index outside the pool");
  LaneAddresses result;
  const std::uint64_t first = words_[index];
  if ((first & kListFlag) != 0) {
    result.kind = LaneAddresses::Kind::kList;
    result.list = words_.data() + index + 1;
  } else if ((first & kMovedFlag) != 0) {
    result.kind = LaneAddresses::Kind::kList;
    result.base = words_[index + 1];
    result.list = words_.data() + (first & ~kMovedFlag) + 1;
  } else if ((first & kTexelFlag) != 0) {
    result.kind = LaneAddresses::Kind::kTexels;
    result.stride = static_cast<std::int64_t>(words_[index + 1]);
    result.list = words_.data() + index + 2;
  } else {
    result.kind = LaneAddresses::Kind::kStrided;
    result.base = words_[index + 1];
    result.stride = static_cast<std::int64_t>(words_[index + 2]);
  }
  return result;
}

}  // namespace warpsim
