// Which pages of a mapping the host program has touched: pages are taken out of the program's page table, and Linux
// puts them back when they are accessed, also by a system call.
//
// For shared mappings (shared_pages.h), whose contents stay. Nothing of the program is interrupted: what it has touched
// is looked up later, in /proc/self/pagemap. When Linux serves a read it may put back up to 16 pages around it at once.
// State: the open file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsim {

class TouchedPages {
 public:
  TouchedPages();
  ~TouchedPages();
  TouchedPages(const TouchedPages&) = delete;
  TouchedPages& operator=(const TouchedPages&) = delete;

  // Whether this system can tell. Otherwise nothing is ever touched.
  bool works() const { return descriptor_ >= 0; }
  // The program's pages are taken out. `begin` and `bytes`: whole pages.
  void take_out(void* begin, std::uint64_t bytes) const;
  // Whether the program has touched a part of a range; the parts have `part_bytes`, whole pages.
  std::vector<bool> touched(const void* begin, std::uint64_t bytes, std::uint64_t part_bytes) const;
  // Grows with each page that was put back, in the whole process.
  static std::uint64_t faults();

 private:
  int descriptor_;
};

}  // namespace warpsim
