#include "cuda/ipc/ipc_exports.h"

#include <sys/mman.h>

#include <new>

#include "cuda/ipc/ipc_handles.h"

namespace warpsim::cuda {

IpcExports::IpcExports() : pages_(kMostEntries * sizeof(std::uint64_t)) {
  std::byte* const mapped = pages_.map(nullptr, 0, pages_.bytes());
  if (mapped == nullptr) {
    throw std::bad_alloc();
  }
  checks_ = reinterpret_cast<std::uint64_t*>(mapped);
}

IpcExports::~IpcExports() {
  munmap(checks_, pages_.bytes());
}

IpcExports::Entry IpcExports::add(Address begin) {
  if (const auto known = entries_.find(begin); known != entries_.end()) {
    return known->second;
  }
  for (std::uint32_t tried = 0; tried < kMostEntries; ++tried) {
    const std::uint32_t number = next_;
    next_ = (next_ + 1) % kMostEntries;
    if (checks_[number] == 0) {
      const Entry entry = {number, random_check()};
      __atomic_store_n(&checks_[number], entry.check, __ATOMIC_RELEASE);
      entries_[begin] = entry;
      return entry;
    }
  }
  throw std::bad_alloc();
}

void IpcExports::remove(Address begin) {
  const auto known = entries_.find(begin);
  if (known != entries_.end()) {
    __atomic_store_n(&checks_[known->second.number], std::uint64_t{0}, __ATOMIC_RELEASE);
    entries_.erase(known);
  }
}

std::uint64_t IpcExports::check_of(const SharedPages& table, std::uint32_t number) {
  if (number >= kMostEntries || table.bytes() < kMostEntries * sizeof(std::uint64_t)) {
    return 0;
  }
  std::byte* const mapped = table.map(nullptr, 0, table.bytes());
  if (mapped == nullptr) {
    return 0;
  }
  const std::uint64_t check = __atomic_load_n(reinterpret_cast<std::uint64_t*>(mapped) + number, __ATOMIC_ACQUIRE);
  munmap(mapped, table.bytes());
  return check;
}

}  // namespace warpsim::cuda
