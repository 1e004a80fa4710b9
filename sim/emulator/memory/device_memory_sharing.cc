// Memory of devices that several processes share.
#include "base/check.h"
#include "base/round_up.h"
#include "emulator/memory/device_memory.h"

namespace warpsim {

namespace {

using Sharing = AddressSpace::Sharing;

// Imported memory lies in blocks of its own, in the pages of the host as it does in the other process.
struct ForeignPlace {
  std::uint64_t in_page = 0;      // of its first byte
  std::uint64_t page_bytes = 0;   // whole pages that hold it
  std::uint64_t block_bytes = 0;  // whole blocks that hold these
};

ForeignPlace foreign_place(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t in_page = offset % MemoryArena::kPage;
  const std::uint64_t page_bytes = round_up(in_page + bytes, MemoryArena::kPage);
  return {in_page, page_bytes, round_up(page_bytes, DriverPlacement::kBlock)};
}

}  // namespace

DeviceMemory::ExportedPages DeviceMemory::export_allocation(Address begin) {
  Allocation& allocation = space_->allocations.at(begin);
  SIM_CHECK(allocation.gpu == gpu_ && !allocation.registered && !allocation.managed &&
                allocation.sharing != Sharing::kImported,
            "memory is exported that is not the GPU's own");
  if (!sharing_) {
    sharing_.emplace(device_);
  }
  sharing_->share(begin, allocation.bytes);
  allocation.sharing = Sharing::kExported;
  space_->is_shared = true;
  return {sharing_->descriptor(), sharing_->offset_of(begin), allocation.bytes};
}

Address DeviceMemory::import_allocation(const SharedPages& pages, std::uint64_t offset, std::uint64_t bytes) {
  const ForeignPlace place_in = foreign_place(offset, bytes);
  const Address base = place(device_, place_in.block_bytes, DriverPlacement::kBlock, false);
  if (base == 0) {
    return 0;
  }
  const Address begin = base + place_in.in_page;
  const Allocation allocation = {.begin = begin,
                                 .bytes = bytes,
                                 .host = device_.host(begin),
                                 .gpu = gpu_,
                                 .open_to = open_to_,
                                 .sharing = Sharing::kImported};
  if (!put_foreign_pages(device_, base, pages, offset - place_in.in_page, place_in.page_bytes)) {
    end_import(allocation);
    return 0;
  }
  space_->allocations[begin] = allocation;
  space_->is_shared = true;
  space_->note_begin(space_->allocations[begin]);
  return begin;
}

void DeviceMemory::end_import(const Allocation& allocation) {
  const ForeignPlace place_in = foreign_place(allocation.begin - device_.begin(), allocation.bytes);
  const Address base = allocation.begin - place_in.in_page;
  put_own_pages(device_, base, place_in.page_bytes);
  space_->freed.add({base, place_in.block_bytes, room_for(place_in.block_bytes, false), "memory of another process"});
  while (space_->freed.is_over_limit()) {
    use_again(*space_->freed.take_oldest());
  }
}

}  // namespace warpsim
