#include "core/instruction_source.h"

#include "base/check.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kListFlag = std::uint64_t{1} << 63U;

std::uint32_t next_index(std::size_t words) {
  SIM_CHECK(words < WarpInstruction::kNoAddresses, "a block's addresses exceed the pool");
  return static_cast<std::uint32_t>(words);
}

}  // namespace

std::uint32_t AddressPool::add_strided(Address base, std::int64_t stride) {
  const std::uint32_t index = next_index(words_.size());
  words_.insert(words_.end(), {0, base, static_cast<std::uint64_t>(stride)});
  return index;
}

std::uint32_t AddressPool::add_list(const Address* addresses, std::uint32_t count) {
  const std::uint32_t index = next_index(words_.size());
  words_.push_back(kListFlag | count);
  words_.insert(words_.end(), addresses, addresses + count);
  return index;
}

LaneAddresses AddressPool::at(std::uint32_t index) const {
  SIM_CHECK(index < words_.size(), "address index outside the pool");
  LaneAddresses result;
  if ((words_[index] & kListFlag) != 0) {
    result.kind = LaneAddresses::Kind::kList;
    result.list = words_.data() + index + 1;
  } else {
    result.kind = LaneAddresses::Kind::kStrided;
    result.base = words_[index + 1];
    result.stride = static_cast<std::int64_t>(words_[index + 2]);
  }
  return result;
}

}  // namespace warpsim
