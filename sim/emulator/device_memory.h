// The memory of a simulated device as programs address it: allocations in one address space with the host's.
//
// Device addresses are the host's addresses of the bytes wherever the system lets the arena be mapped at its fixed
// place
// (`identical()`), so that managed and pinned memory need no copies; the place is fixed so that addresses, and with
// them simulated times, are the same in every run. Ranges of the host can be registered beside it. Invariant:
// allocations do not overlap; those of the arena are aligned to 512 bytes, with a gap after each, so that an access
// past one's end is not inside another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/types.h"

namespace warpsim {

class DeviceMemory {
 public:
  struct Allocation {
    Address begin = 0;
    std::uint64_t bytes = 0;
    std::byte* host = nullptr;
    bool registered = false;  // memory of the host, not of the arena
    std::string name = {};    // of a variable of a module; empty: allocated by the program
    Address end() const { return begin + bytes; }
  };

  // Reserves address space for `capacity` bytes; pages cost nothing until they are touched. Throws std::bad_alloc.
  explicit DeviceMemory(std::uint64_t capacity);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Returns 0 if there is no room. `bytes` 0 takes the room of one byte. Contents are zero.
  Address allocate(std::uint64_t bytes, std::uint64_t alignment = kAlignment, std::string name = {});
  // Returns false if no allocation begins there.
  bool release(Address begin);
  // Memory of the host that kernels may access at its own address. Returns false if it overlaps an allocation.
  bool register_host(void* begin, std::uint64_t bytes);

  // The allocation that holds the byte, or null.
  const Allocation* find(Address byte) const;
  // Of all allocations the one nearest to a byte that is in none, for messages; null if there are none.
  const Allocation* nearest(Address byte) const;
  // The host's pointer to a range inside one allocation, or null.
  std::byte* host(Address begin, std::uint64_t bytes) const;

  bool identical() const { return identical_; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  // Changes whenever an allocation comes or goes: what find() returned before may be gone.
  std::uint64_t generation() const { return generation_; }

  static constexpr std::uint64_t kAlignment = 512;

 private:
  std::map<Address, Allocation> allocations_;  // by begin
  std::map<Address, std::uint64_t> holes_;     // free ranges of the arena, by begin
  std::byte* arena_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t generation_ = 0;
  bool identical_ = false;
};

}  // namespace warpsim
