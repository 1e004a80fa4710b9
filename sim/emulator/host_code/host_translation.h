// When a function is translated to the host's instructions, and by whom: the first thread of the host that finds that
// its warps have executed many operations of it. The others go on meanwhile without.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "emulator/host_code/host_code.h"
#include "emulator/host_code/host_code_use.h"

namespace warpsim {

class HostTranslation {
 public:
  explicit HostTranslation(const FunctionCode& function) : function_(function) {}

  // The translated function, or null if it is not translated yet.
  const HostCode* find(HostCodeUse use) {
    if (use == HostCodeUse::kNever) {
      return nullptr;
    }
    const HostCode* const code = published_.load(std::memory_order_acquire);
    return code != nullptr || use != HostCodeUse::kAlways ? code : translate();
  }
  // Warps have executed so many operations without translated code.
  void count(std::uint64_t operations) {
    if (begun_.load(std::memory_order_relaxed)) {
      return;  // by another thread, or it is not possible
    }
    if (executed_.fetch_add(operations, std::memory_order_relaxed) + operations >= kOften) {
      translate();
    }
  }

 private:
  // A translation takes about as long as the execution of as many operations without it.
  static constexpr std::uint64_t kOften = 20'000;

  const HostCode* translate();

  const FunctionCode& function_;
  std::atomic<std::uint64_t> executed_{0};
  std::atomic<bool> begun_{false};
  std::unique_ptr<const HostCode> code_;
  std::atomic<const HostCode*> published_{nullptr};
};

}  // namespace warpsim
