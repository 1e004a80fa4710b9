// Physical memory without an address of its own: pages of a GPU or of the host that a program maps where it wants.
//
// Modelled: memory in use counts on its GPU from the beginning until the last owner is gone; the pages can be shared
// with other processes by a descriptor. After the pages the file has a record of what they are, so that a process that
// gets the descriptor knows it. Memory of another process counts on the GPU with the same number here.
// Invariant: `bytes` is a multiple of the host's pages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "emulator/memory/shared_pages.h"

namespace warpsim {

struct AddressSpace;

class PhysicalMemory {
 public:
  static constexpr std::uint32_t kHost = 0xffffffffU;
  struct Home {
    std::uint32_t gpu = kHost;
    std::uint32_t location_type = 0;  // of the host's memory, as the program stated it
  };

  // Null if the GPU has not so much memory left. Throws std::bad_alloc.
  static std::shared_ptr<PhysicalMemory> create(const std::shared_ptr<AddressSpace>& space, std::uint64_t bytes,
                                                const Home& home);
  // The memory behind a descriptor of this or another process, which remains the caller's: that which is known here, if
  // it is. Null if the descriptor is of something else, or its GPU does not exist here.
  static std::shared_ptr<PhysicalMemory> import(const std::shared_ptr<AddressSpace>& space, int descriptor);
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  const Home& home() const { return home_; }
  bool of_host() const { return home_.gpu == kHost; }
  const SharedPages& pages() const { return pages_; }
  // The same for all objects of one memory.
  using Identity = std::pair<std::uint64_t, std::uint64_t>;
  const Identity& identity() const { return identity_; }

 private:
  struct Record;
  PhysicalMemory(const std::shared_ptr<AddressSpace>& space, SharedPages pages, std::uint64_t bytes, const Home& home);
  static std::optional<Record> read_record(int descriptor);

  std::weak_ptr<AddressSpace> space_;
  SharedPages pages_;
  std::uint64_t bytes_;
  Home home_;
  Identity identity_;
};

}  // namespace warpsim
