#include "cuda/memory/memory_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/round_up.h"
#include "cuda/device_calls.h"
#include "cuda/memory/host_memory.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pools.h"

namespace warpsim::cuda {

namespace {

void require_of_pool(bool good, const char* why) {
  if (!good) {
    throw CallError(kInvalidValue, why);
  }
}

bool has_no_reserved(const abi::MemoryPoolProperties& properties) {
  return std::ranges::all_of(properties.reserved, [](unsigned char byte) { return byte == 0; });
}

}  // namespace

MemoryPool::MemoryPool(Context& context, const abi::MemoryPoolProperties& properties) : properties_(properties) {
  if (properties.allocation_type == abi::kManagedByDriver) {
    throw CallError(kNotSupported, "pools of managed memory are not supported");
  }
  require_of_pool(properties.allocation_type == abi::kPinned && has_no_reserved(properties),
                  "a pool: its properties do not exist");
  switch (properties.location_type) {
    case abi::MemoryLocation::kDevice:
      require_of_pool(
          properties.location >= 0 && static_cast<std::uint32_t>(properties.location) < context.device_count(),
          "a pool: there is no such GPU");
      gpu_ = static_cast<std::uint32_t>(properties.location);
      open_to_ = std::uint32_t{1} << gpu_;
      break;
    case abi::MemoryLocation::kHostNuma:
      require_of_pool(properties.location == 0, "a pool: the host has one NUMA node, with the number 0");
      break;
    default:
      require_of_pool(properties.location_type == abi::MemoryLocation::kHost, "a pool: its location is none");
  }
  if (properties.most_bytes != 0) {
    most_bytes_ = round_up(properties.most_bytes, PoolSpace::kChunk);
  }
  if (properties.handle_types != 0) {
    require_of_pool(properties.location_type != abi::MemoryLocation::kHost &&
                        (properties.handle_types & (abi::kWin32 | abi::kWin32Kmt)) == 0,
                    "a pool: its memory cannot be shared in this way");
    if (gpu_ == kHost || properties.handle_types != abi::kFileDescriptor) {
      throw CallError(kNotSupported, "pools are shared by descriptors of files, and only those of GPUs");
    }
    // Blocks that are in use may leave gaps.
    constexpr std::uint64_t kRoom = 4;
    shared_ = SharedPool::create(kRoom * context.device(gpu_).memory().capacity(), gpu_);
  }
}

MemoryPool::MemoryPool(Context& context, std::shared_ptr<SharedPool> shared)
    : gpu_(shared->gpu()), shared_(std::move(shared)), imported_(true) {
  if (gpu_ >= context.device_count()) {
    throw CallError(kUnknown, "a pool of another process: its GPU does not exist here");
  }
  open_to_ = std::uint32_t{1} << gpu_;
  properties_ = {};
  properties_.allocation_type = abi::kPinned;
  properties_.location_type = abi::MemoryLocation::kDevice;
  properties_.location = static_cast<int>(gpu_);
}

void MemoryPool::note_most() {
  reserved_most_ = std::max(reserved_most_, space_.reserved());
  used_most_ = std::max(used_most_, space_.used());
}

bool MemoryPool::grow(Context& context, std::uint64_t bytes) {
  if (bytes > most_bytes_ || space_.reserved() > most_bytes_ - bytes) {
    return false;
  }
  return gpu_ == kHost || context.device(gpu_).memory().charge(bytes);
}

// First without waiting. Then the stream waits for others, if it may; then the host waits for all, and other pools give
// back what they do not use.
std::optional<std::uint64_t> MemoryPool::take(Context& context, std::uint64_t bytes, const StreamName& stream) {
  const FreeOrder& order = context.pools().order();
  const PoolSpace::MayUse usual = [&](const PoolSpace::Freed& freed) {
    return freed.stream == stream || (follow_events_ && order.follows(stream, freed)) ||
           (opportunistic_ && is_over(freed.work));
  };
  const PoolSpace::Grow more = [&](std::uint64_t missing) { return grow(context, missing); };
  std::optional<std::uint64_t> offset = space_.take(bytes, usual, more);
  if (!offset && internal_) {
    std::vector<WorkHandle> waits;
    offset = space_.take(
        bytes, [](const PoolSpace::Freed&) { return true; }, more, &waits);
    for (const WorkHandle& work : waits) {
      context.device(stream.gpu).queue().stream_waits(stream.number, work, Dependence::Edge::kStream);
    }
  }
  if (!offset) {
    context.finish_work();
    context.pools().give_all_back(context);
    offset = space_.take(bytes, usual, more);
  }
  return offset;
}

Address MemoryPool::open(Context& context, const SharedPool::Block& block) const {
  if (gpu_ == kHost) {
    return to_address(map_host_pages(context, block.bytes, open_to_));
  }
  DeviceMemory& memory = context.device(gpu_).memory();
  return shared_ != nullptr ? shared_->open(memory, block, open_to_) : memory.allocate_of_pool(block.bytes, open_to_);
}

Address MemoryPool::allocate(Context& context, std::uint64_t bytes, StreamHandle stream) {
  require_of_pool(!imported_, "a pool of another process has no memory for this one");
  if (bytes == 0) {
    return 0;
  }
  const StreamName name = name_of(context.stream(stream));
  const std::optional<std::uint64_t> offset = take(context, bytes, name);
  if (!offset) {
    throw CallError(kOutOfMemory);
  }
  const SharedPool::Block block{*offset, bytes};
  Address begin = open(context, block);
  if (begin == 0) {
    context.finish_work();  // what was freed is still accessible until then
    begin = open(context, block);
  }
  if (begin == 0) {
    space_.free(*offset, {name, 0, nullptr});
    throw CallError(kOutOfMemory);
  }
  allocations_[begin] = block;
  note_most();
  return begin;
}

SharedPool::Block MemoryPool::begin_free(Address begin) {
  const auto found = allocations_.find(begin);
  const SharedPool::Block block = found->second;
  allocations_.erase(found);
  ++closing_;
  return block;
}

void MemoryPool::free(const SharedPool::Block& block, const PoolSpace::Freed& freed) {
  if (!imported_) {
    space_.free(block.offset, freed);
  }
}

void MemoryPool::close(Context& context, Address begin, const SharedPool::Block& block) {
  --closing_;
  if (gpu_ == kHost) {
    unmap_host_pages(context, begin, block.bytes);
    return;
  }
  DeviceMemory& memory = context.device(gpu_).memory();
  if (shared_ == nullptr) {
    memory.release(begin);
    return;
  }
  SharedPool::close(memory, begin);
  if (!imported_) {
    shared_->clear(block);
  }
}

int MemoryPool::share(int type) const {
  require_of_pool(shared_ != nullptr && !imported_ && type == abi::kFileDescriptor,
                  "a pool: it was not created to be shared in this way");
  const int descriptor = shared_->share();
  if (descriptor < 0) {
    throw CallError(kOperatingSystem, "a pool: the process cannot have more descriptors");
  }
  return descriptor;
}

abi::PoolPointer MemoryPool::describe(Address begin) const {
  require_of_pool(shared_ != nullptr && !imported_, "memory of a pool: the pool was not created to be shared");
  return shared_->describe(allocations_.at(begin));
}

Address MemoryPool::import_pointer(Context& context, const abi::PoolPointer& pointer) {
  const std::optional<SharedPool::Block> block =
      imported_ ? shared_->described(pointer) : std::optional<SharedPool::Block>{};
  require_of_pool(block.has_value(), "memory of a pool: it is not of this pool, which another process shares");
  const Address begin = open(context, *block);
  if (begin == 0) {
    throw CallError(kOutOfMemory);
  }
  allocations_[begin] = *block;
  return begin;
}

void MemoryPool::see(Context& context, const PoolSpace::MayUse& is_done) {
  space_.see(is_done);
  trim(context, destroyed_ ? 0 : threshold_, 0);
}

void MemoryPool::trim(Context& context, std::uint64_t most, std::uint64_t least) {
  const std::uint64_t given = space_.trim(most, least);
  if (gpu_ != kHost) {
    context.device(gpu_).memory().discharge(given);
  }
}

void MemoryPool::set_attribute(int attribute, const void* value) {
  require_of_pool(value != nullptr, "an attribute of a pool: there is no value");
  const auto flag = [value] { return *static_cast<const int*>(value) != 0; };
  const auto number = [value] { return *static_cast<const std::uint64_t*>(value); };
  switch (attribute) {
    case kFollowEvents:
      follow_events_ = flag();
      return;
    case kOpportunistic:
      opportunistic_ = flag();
      return;
    case kInternal:
      internal_ = flag();
      return;
    case kThreshold:
      threshold_ = number();
      return;
    case kReservedHigh:
    case kUsedHigh:
      require_of_pool(number() == 0, "an attribute of a pool: a maximum can only be set to 0");
      (attribute == kUsedHigh ? used_most_ : reserved_most_) = 0;
      note_most();
      return;
    default:
      throw CallError(kInvalidValue, "an attribute of a pool: it does not exist, or cannot be set");
  }
}

void MemoryPool::attribute(int attribute, void* value) const {
  require_of_pool(value != nullptr, "an attribute of a pool: there is no place for the value");
  const auto flag = [value](bool is) { *static_cast<int*>(value) = is ? 1 : 0; };
  const auto number = [value](std::uint64_t is) { *static_cast<std::uint64_t*>(value) = is; };
  switch (attribute) {
    case kFollowEvents:
      return flag(follow_events_);
    case kOpportunistic:
      return flag(opportunistic_);
    case kInternal:
      return flag(internal_);
    case kThreshold:
      return number(threshold_);
    case kReserved:
      return number(space_.reserved());
    case kReservedHigh:
      return number(reserved_most_);
    case kUsed:
      return number(space_.used());
    case kUsedHigh:
      return number(used_most_);
    default:
      throw CallError(kInvalidValue, "an attribute of a pool: it does not exist");
  }
}

void MemoryPool::check_access(Context& context, const abi::AccessDescription& wanted) const {
  const auto& [type, id] = wanted.location;
  if (wanted.flags == abi::kReadAccess) {
    throw CallError(kNotSupported, "access to a pool: memory of pools cannot be opened for reading alone");
  }
  require_of_pool(wanted.flags == abi::kNoAccess || wanted.flags == abi::kReadWriteAccess,
                  "access to a pool: it is neither none nor read and write");
  require_of_pool(type >= abi::MemoryLocation::kDevice && type <= abi::MemoryLocation::kHostNuma,
                  "access to a pool: the location is none");
  if (type != abi::MemoryLocation::kDevice) {
    if (gpu_ != kHost || wanted.flags == abi::kNoAccess) {
      throw CallError(kNotSupported, "access to a pool: the host accesses its own memory, and no other");
    }
    return;
  }
  const std::uint32_t gpu = device_at(context, id).number();
  if (gpu == gpu_ && wanted.flags == abi::kNoAccess) {
    throw CallError(kInvalidDevice, "access to a pool: a GPU always has access to its own memory");
  }
  if (gpu_ != kHost && gpu != gpu_ && wanted.flags != abi::kNoAccess && !has_peer_access(context, gpu, gpu_)) {
    throw CallError(kInvalidDevice,
                    fmt::format("access to a pool: GPU {} has no access to memory of GPU {}", gpu, gpu_));
  }
}

void MemoryPool::set_access(Context& context, const abi::AccessDescription* descriptions, std::size_t count) {
  require_of_pool(descriptions != nullptr, "access to a pool: it is not stated");
  for (std::size_t i = 0; i < count; ++i) {
    check_access(context, descriptions[i]);
  }
  context.finish_work();
  for (std::size_t i = 0; i < count; ++i) {
    if (descriptions[i].location.type != abi::MemoryLocation::kDevice) {
      continue;
    }
    const auto gpu = static_cast<std::uint32_t>(descriptions[i].location.id);
    const bool opens = descriptions[i].flags != abi::kNoAccess;
    open_to_ = opens ? open_to_ | std::uint32_t{1} << gpu : open_to_ & ~(std::uint32_t{1} << gpu);
    for (const auto& [begin, allocation] : allocations_) {
      context.device().memory().open_allocation(begin, gpu, opens);
    }
  }
}

int MemoryPool::access(Context& context, const abi::MemoryLocation& location) const {
  if (location.type == abi::MemoryLocation::kHost || location.type == abi::MemoryLocation::kHostNuma) {
    return gpu_ == kHost ? abi::kReadWriteAccess : abi::kNoAccess;
  }
  require_of_pool(location.type == abi::MemoryLocation::kDevice && location.id >= 0 &&
                      static_cast<std::uint32_t>(location.id) < context.device_count(),
                  "access to a pool: there is no such location");
  return (open_to_ >> location.id & 1U) != 0 ? abi::kReadWriteAccess : abi::kNoAccess;
}

}  // namespace warpsim::cuda
