// A function translated to the host's instructions, to execute warps fast where time does not matter.
//
// Invariant: a warp's registers, memory and counts are after it as if its operations had been executed one by one. It
// ends before what it does not do: divergence, barriers, calls, ends of threads, waits, and writes to common memory
// beyond the warp's turn. Operations without a form (operations/host_form.h) are executed by their handlers, which the
// translated code calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/code/function_code.h"
#include "emulator/host_code/host_run.h"

namespace warpsim {

class HostCode {
 public:
  // Whether the host has the instructions: AVX-512.
  static bool is_possible();
  // `function` outlives the result. Null if it is not possible, or if there is no memory for code.
  static std::unique_ptr<const HostCode> translate(const FunctionCode& function);
  ~HostCode();
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;

  // Whether translated code begins at the operation.
  bool begins_at(std::uint32_t operation) const { return entries_[operation].any_lanes != 0; }
  // Executes from there on; returns the operation before which it ends.
  std::uint32_t run(HostRun& run, std::uint32_t operation) const;
  // How many windows HostRun::windows has.
  std::uint32_t windows() const { return windows_; }

 private:
  struct Entry {  // distances from the begin of the code; 0: none
    std::uint32_t all_lanes = 0;
    std::uint32_t any_lanes = 0;
  };

  HostCode() = default;
  static std::unique_ptr<const HostCode> make(const FunctionCode& function);

  std::byte* code_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint32_t any_lanes_ = 0;  // where the second function begins
  std::vector<Entry> entries_;
  std::uint32_t windows_ = 0;
};

}  // namespace warpsim
