// Which memory a range of addresses is in: that of a GPU, or the host's. Where it lies decides who serves a request:
// the GPU's own L2, the gate of another GPU (remote_gate.h), or the host.
//
// Addresses without an entry belong to the GPU that accesses them: programs, constants, local memory, and everything
// else where there is one GPU. Ranges consist of whole lines. Managed memory has pages that move (managed_pages.h).
// Changed only while no engine runs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/remote/managed_pages.h"

namespace warpsim {

class MemoryHomes {
 public:
  // Number of a GPU, or one of the following.
  using Home = std::uint32_t;
  static constexpr Home kHost = 0xffffffffU;
  static constexpr Home kOwn = 0xfffffffeU;    // no entry: of the GPU that accesses the address
  static constexpr Home kFault = 0xfffffffdU;  // a page of managed memory that the GPU cannot access where it is

  // Replaces what was known of these lines.
  void set(Address begin, std::uint64_t bytes, Home home) { change(begin, bytes, home); }
  void remove(Address begin, std::uint64_t bytes) { change(begin, bytes, kOwn); }
  // Null: there is no managed memory whose pages move. The pages outlive this.
  void set_managed(const ManagedPages* managed) { managed_ = managed; }
  const ManagedPages* managed() const { return managed_; }
  bool empty() const { return ranges_.empty() && managed_ == nullptr; }
  Home home_of(Address line) const { return range_of(line).home; }

  // The lines around an address that have one home: [begin, end).
  struct Range {
    Address begin = 0;
    Address end = 0;
    Home home = kOwn;
  };
  Range range_of(Address line) const;
  // Differs after each change.
  std::uint64_t version() const { return version_ + (managed_ == nullptr ? 0 : managed_->version()); }

 private:
  void change(Address begin, std::uint64_t bytes, Home home);

  std::vector<Range> ranges_;  // by address; neighbours have different homes
  const ManagedPages* managed_ = nullptr;
  std::uint64_t version_ = 1;
};

// The homes as one GPU sees them. Remembers the last range, because most requests are to the same one.
class HomeLookup {
 public:
  // `homes` null: all memory is own. `host_is_own`: the GPU and the host have one memory.
  HomeLookup(const MemoryHomes* homes, MemoryHomes::Home gpu, bool host_is_own)
      : homes_(homes), gpu_(gpu), host_is_own_(host_is_own) {}

  // kOwn for memory of the GPU.
  MemoryHomes::Home of(Address line, bool writes) {
    if (homes_ == nullptr || homes_->empty()) {
      return MemoryHomes::kOwn;
    }
    if (version_ != homes_->version() || line < last_.begin || line >= last_.end) [[unlikely]] {
      look_up(line);
    }
    return writes ? home_of_writes_ : last_.home;
  }

 private:
  void look_up(Address line);

  const MemoryHomes* homes_;
  MemoryHomes::Home gpu_;
  bool host_is_own_;
  void look_up_managed(const ManagedPages& pages, Address line);
  MemoryHomes::Home home_of(const ManagedPages::Access& access) const;

  std::uint64_t version_ = 0;
  MemoryHomes::Range last_;  // with the home of reads
  MemoryHomes::Home home_of_writes_ = MemoryHomes::kOwn;
};

}  // namespace warpsim
