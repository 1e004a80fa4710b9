// Memory that can be mapped at several places, also in other processes: pages behind a descriptor of an anonymous file.
//
// For physical memory of a device that programs map or share themselves, and for managed memory, which the host and the
// emulator access through mappings of their own. Contents are zero at first; pages cost nothing until they are touched.
// The file is not inherited by programs that the process starts, and is gone with its last descriptor and mapping.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsim {

class SharedPages {
 public:
  static constexpr std::uint64_t kPage = 4096;  // of the host

  // Throws std::bad_alloc. `bytes` is rounded up to whole pages of the host.
  explicit SharedPages(std::uint64_t bytes);
  // The pages behind a descriptor, which is closed with this object; their number is the file's. Throws std::bad_alloc
  // if it is not that of a file with a size.
  static SharedPages of_descriptor(int descriptor);
  ~SharedPages();
  SharedPages(SharedPages&& other) noexcept;
  SharedPages& operator=(SharedPages&&) = delete;
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  int descriptor() const { return descriptor_; }

  // Maps pages from `offset` on, to be read and written. `place`: null, or an address whose mappings are replaced.
  // Returns null if it is not possible. The mapping lasts longer than this object.
  std::byte* map(void* place, std::uint64_t offset, std::uint64_t bytes) const;
  // Sets whole pages to zero and gives them back to the system.
  void clear(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  SharedPages(int descriptor, std::uint64_t bytes) : descriptor_(descriptor), bytes_(bytes) {}

  int descriptor_;
  std::uint64_t bytes_;
};

}  // namespace warpsim
