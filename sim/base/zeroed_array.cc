#include "base/zeroed_array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace warpsim {

namespace {

// Smaller arrays share pages: the heap serves them.
constexpr std::size_t kLeastMapped = 16384;

}  // namespace

void* allocate_zeroed(std::size_t bytes) {
  if (bytes < kLeastMapped) {
    void* const memory = std::calloc(1, bytes);  // NOLINT(cppcoreguidelines-no-malloc): the heap's way to zero
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    return memory;
  }
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  return memory;
}

void free_zeroed(void* memory, std::size_t bytes) {
  if (bytes < kLeastMapped) {
    std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc): from calloc
  } else {
    munmap(memory, bytes);
  }
}

}  // namespace warpsim
