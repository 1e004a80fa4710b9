// The table of a process that tells others which of its exported memory still exists: a check value for each export,
// in memory that they can map.
#pragma once

#include <cstdint>
#include <map>

#include "base/types.h"
#include "emulator/memory/shared_pages.h"

namespace warpsim::cuda {

class IpcExports {
 public:
  // Throws std::bad_alloc.
  IpcExports();
  ~IpcExports();
  IpcExports(const IpcExports&) = delete;
  IpcExports& operator=(const IpcExports&) = delete;

  struct Entry {
    std::uint32_t number = 0;
    std::uint64_t check = 0;
  };
  // The entry of an allocation; the same as long as it exists. Throws std::bad_alloc if the table is full.
  Entry add(Address begin);
  // The allocation is freed.
  void remove(Address begin);
  int descriptor() const { return pages_.descriptor(); }

  // What another process has in its table. 0: there is no such entry.
  static std::uint64_t check_of(const SharedPages& table, std::uint32_t number);

  static constexpr std::uint32_t kMostEntries = 8192;

 private:
  SharedPages pages_;
  std::uint64_t* checks_ = nullptr;  // 0: free
  std::map<Address, Entry> entries_;
  std::uint32_t next_ = 0;
};

}  // namespace warpsim::cuda
