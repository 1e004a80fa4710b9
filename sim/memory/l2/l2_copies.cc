#include "memory/l2/l2_copies.h"

namespace warpsim {

void L2Copies::remove(const SliceRequest& message, const L2Place& place, bool from_fabric) {
  const std::uint32_t writer = from_fabric ? map_->partition_of_slice(message.near_slice) : place.home.partition;
  for (std::uint32_t partition = 0; partition < map_->num_partitions(); ++partition) {
    if (partition != place.home.partition && partition != writer) {
      SliceRequest removal{.mem = message.mem, .removes_copy = true};
      removal.near_slice = static_cast<std::uint16_t>(number_);
      removal.home_slice = static_cast<std::uint16_t>(map_->slice_number(partition, place.home.slice_in_partition));
      waiting_.push(removal);
    }
  }
}

}  // namespace warpsim
