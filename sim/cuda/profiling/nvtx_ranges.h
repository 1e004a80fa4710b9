// The ranges of a program: what it tells profilers through NVTX.
//
// A thread pushes and pops ranges, on one stack for each domain; a range that is started is open for all threads until
// it is ended. Thread-safe, apart from the devices: these calls take no simulated time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/device/host_ranges.h"

namespace warpsim::cuda {

class NvtxRanges final : public HostRanges {
 public:
  // 0 is the default one.
  using Domain = std::uint32_t;
  static constexpr int kNoRange = -1;

  Domain create_domain(const std::string& name);

  // Return the level of the range on the thread's stack of the domain, from 0; kNoRange if there is none to pop.
  int push(Domain domain, const std::string& name);
  int pop(Domain domain);
  // Returns its number. Nothing happens if there is no such range, or if it has ended.
  std::uint64_t start(Domain domain, const std::string& name);
  void end(std::uint64_t range);

  std::vector<std::uint64_t> open_ranges() override;
  bool is_open(std::string_view domain, std::string_view name) override;
  std::vector<RangeRecord> kept_ranges() override;

 private:
  struct Range {
    RangeRecord record;
    bool is_kept = false;
  };
  using Ranges = std::map<std::uint64_t, Range>;

  // With the mutex.
  std::uint64_t add(Domain domain, const std::string& name);
  void close(std::uint64_t range);
  // Calls function(range) for what open_ranges() is about.
  template <class Function>
  void for_each_open(Function&& function);

  std::mutex mutex_;
  std::deque<std::string> domains_ = {""};
  std::uint64_t last_ = 0;
  Ranges ranges_;                       // by number: those that are open or kept
  std::vector<std::uint64_t> started_;  // open
  // By thread and domain: pushed and open.
  std::map<std::pair<std::uint64_t, Domain>, std::vector<std::uint64_t>> stacks_;
};

}  // namespace warpsim::cuda
