// A range of device addresses and its bytes: which parts are free, and the place of each address in the host's
// memory.
//
// Modelled: one address space with first-fit placement. Not modelled: physical pages. Addresses are the same in every
// run. Pages cost nothing until they are written. Invariant: free ranges do not overlap and are not adjacent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/types.h"
#include "emulator/memory/shared_pages.h"

namespace warpsim {

class MemoryArena {
 public:
  static constexpr std::uint64_t kPage = SharedPages::kPage;
  enum class HostAccess : std::uint8_t {
    kNone,    // the bytes are elsewhere; the addresses are reserved, so that the host program cannot access them
    kDirect,  // the bytes are at their addresses
    kShared,  // they are also elsewhere: the host program and the emulator access them by mappings of their own
  };
  // Throws std::bad_alloc. `bytes` is rounded up to whole pages.
  MemoryArena(Address begin, std::uint64_t bytes, HostAccess access);
  ~MemoryArena();
  MemoryArena(const MemoryArena&) = delete;
  MemoryArena& operator=(const MemoryArena&) = delete;

  // Whether the arena owns these addresses of the host. If not, with kDirect and kShared: the bytes are only elsewhere.
  bool at_its_place() const { return at_its_place_; }
  bool contains(Address address) const { return address - begin_ < bytes_; }
  std::byte* host(Address address) const { return data_ + (address - begin_); }
  Address begin() const { return begin_; }
  std::uint64_t bytes() const { return bytes_; }

  // Allocates so many bytes, or returns nothing. `alignment` is a power of two.
  std::optional<Address> take(std::uint64_t bytes, std::uint64_t alignment);
  // The same, but only from the free range that holds `near`.
  std::optional<Address> take_around(Address near, std::uint64_t bytes, std::uint64_t alignment);
  void give_back(Address begin, std::uint64_t bytes);
  // Sets bytes to zero; whole pages are returned to the system.
  void clear(Address begin, std::uint64_t bytes);
  // With kDirect and kShared: whether the host program can access the pages that hold these bytes. Returns false if
  // nothing was changed, since the bytes lie elsewhere or the process has too many mappings.
  bool set_host_access(Address begin, std::uint64_t bytes, bool possible);

 private:
  using Holes = std::map<Address, std::uint64_t>;
  std::optional<Address> take_from(Holes::iterator hole, std::uint64_t bytes, std::uint64_t alignment);

  Address begin_;
  std::uint64_t bytes_;
  std::byte* data_ = nullptr;
  bool at_its_place_ = false;
  HostAccess access_;
  std::optional<SharedPages> pages_;  // with kShared
  Holes holes_;                       // free ranges, by begin
};

}  // namespace warpsim
