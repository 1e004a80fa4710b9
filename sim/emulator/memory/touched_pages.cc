#include "emulator/memory/touched_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "emulator/memory/shared_pages.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kPresent = std::uint64_t{1} << 63U;  // Linux, Documentation/admin-guide/mm/pagemap.rst

}  // namespace

TouchedPages::TouchedPages() : descriptor_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}

TouchedPages::~TouchedPages() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

void TouchedPages::take_out(void* begin, std::uint64_t bytes) const {
  madvise(begin, bytes, MADV_DONTNEED);
}

std::vector<bool> TouchedPages::touched(const void* begin, std::uint64_t bytes, std::uint64_t part_bytes) const {
  std::vector<bool> parts((bytes + part_bytes - 1) / part_bytes);
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(begin) / SharedPages::kPage;
  const std::uint64_t pages = bytes / SharedPages::kPage;
  std::array<std::uint64_t, 512> entries;
  for (std::uint64_t page = 0; page < pages && descriptor_ >= 0;) {
    const std::uint64_t wanted = std::min<std::uint64_t>(entries.size(), pages - page);
    const ssize_t got = pread(descriptor_, entries.data(), wanted * sizeof entries[0],
                              static_cast<off_t>((first + page) * sizeof entries[0]));
    if (got < static_cast<ssize_t>(sizeof entries[0])) {
      break;
    }
    const std::uint64_t known = static_cast<std::uint64_t>(got) / sizeof entries[0];
    for (std::uint64_t i = 0; i < known; ++i) {
      if ((entries[i] & kPresent) != 0) {
        parts[(page + i) * SharedPages::kPage / part_bytes] = true;
      }
    }
    page += known;
  }
  return parts;
}

std::uint64_t TouchedPages::faults() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

}  // namespace warpsim
