#include "emulator/memory/shared_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>
#include <utility>

#include "base/round_up.h"

namespace warpsim {

SharedPages::SharedPages(std::uint64_t bytes)
    : descriptor_(memfd_create("warpsim", MFD_CLOEXEC)), bytes_(round_up(bytes, kPage)) {
  if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0) {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
    throw std::bad_alloc();
  }
}

SharedPages SharedPages::of_descriptor(int descriptor) {
  struct stat file = {};
  if (fstat(descriptor, &file) != 0 || file.st_size <= 0) {
    close(descriptor);
    throw std::bad_alloc();
  }
  return {descriptor, static_cast<std::uint64_t>(file.st_size)};
}

SharedPages::SharedPages(SharedPages&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), bytes_(other.bytes_) {}

SharedPages::~SharedPages() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

std::byte* SharedPages::map(void* place, std::uint64_t offset, std::uint64_t bytes) const {
  void* const mapped =
      mmap(place, round_up(bytes, kPage), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE | (place == nullptr ? 0 : MAP_FIXED), descriptor_, static_cast<off_t>(offset));
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

void SharedPages::clear(std::uint64_t offset, std::uint64_t bytes) const {
  fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(bytes));
}

}  // namespace warpsim
