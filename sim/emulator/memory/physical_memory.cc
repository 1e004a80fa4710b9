#include "emulator/memory/physical_memory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "emulator/memory/address_space.h"
#include "emulator/memory/device_memory.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kPhysicalMark = 0x6d656d7370726177U;  // "warpsmem"

DeviceMemory* memory_of(const AddressSpace& space, std::uint32_t gpu) {
  return gpu < space.memories.size() ? space.memories[gpu] : nullptr;
}

}  // namespace

// At the end of the file.
struct PhysicalMemory::Record {
  std::uint64_t mark = kPhysicalMark;
  std::uint64_t bytes = 0;
  Home home;
};

PhysicalMemory::PhysicalMemory(const std::shared_ptr<AddressSpace>& space, SharedPages pages, std::uint64_t bytes,
                               const Home& home)
    : space_(space), pages_(std::move(pages)), bytes_(bytes), home_(home) {
  struct stat file = {};
  fstat(pages_.descriptor(), &file);
  identity_ = {file.st_dev, file.st_ino};
}

PhysicalMemory::~PhysicalMemory() {
  const std::shared_ptr<AddressSpace> space = space_.lock();
  if (space == nullptr) {
    return;
  }
  space->physical.erase(identity_);
  if (DeviceMemory* const memory = memory_of(*space, home_.gpu); memory != nullptr) {
    memory->discharge(bytes_);
  }
}

std::shared_ptr<PhysicalMemory> PhysicalMemory::create(const std::shared_ptr<AddressSpace>& space, std::uint64_t bytes,
                                                       const Home& home) {
  DeviceMemory* const memory = memory_of(*space, home.gpu);
  if (home.gpu != kHost && (memory == nullptr || !memory->charge(bytes))) {
    return nullptr;
  }
  try {
    SharedPages pages(bytes + MemoryArena::kPage);
    Record record;
    record.bytes = bytes;
    record.home = home;
    if (pwrite(pages.descriptor(), &record, sizeof record, static_cast<off_t>(bytes)) != sizeof record) {
      throw std::bad_alloc();
    }
    std::shared_ptr<PhysicalMemory> created(new PhysicalMemory(space, std::move(pages), bytes, home));
    space->physical[created->identity_] = created;
    return created;
  } catch (const std::bad_alloc&) {
    if (memory != nullptr) {
      memory->discharge(bytes);
    }
    throw;
  }
}

std::optional<PhysicalMemory::Record> PhysicalMemory::read_record(int descriptor) {
  struct stat file = {};
  constexpr auto kPage = static_cast<off_t>(MemoryArena::kPage);
  if (fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size <= kPage) {
    return std::nullopt;
  }
  Record record;
  if (pread(descriptor, &record, sizeof record, file.st_size - kPage) != sizeof record ||
      record.mark != kPhysicalMark || record.bytes != static_cast<std::uint64_t>(file.st_size - kPage)) {
    return std::nullopt;
  }
  return record;
}

std::shared_ptr<PhysicalMemory> PhysicalMemory::import(const std::shared_ptr<AddressSpace>& space, int descriptor) {
  const std::optional<Record> record = read_record(descriptor);
  if (!record) {
    return nullptr;
  }
  struct stat file = {};
  fstat(descriptor, &file);
  if (const auto known = space->physical.find({file.st_dev, file.st_ino}); known != space->physical.end()) {
    if (std::shared_ptr<PhysicalMemory> memory = known->second.lock()) {
      return memory;
    }
  }
  DeviceMemory* const memory = memory_of(*space, record->home.gpu);
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) {
    throw std::bad_alloc();
  }
  SharedPages pages = SharedPages::of_descriptor(own);
  if (record->home.gpu != kHost && (memory == nullptr || !memory->charge(record->bytes))) {
    return nullptr;
  }
  std::shared_ptr<PhysicalMemory> imported(new PhysicalMemory(space, std::move(pages), record->bytes, record->home));
  space->physical[imported->identity_] = imported;
  return imported;
}

}  // namespace warpsim
