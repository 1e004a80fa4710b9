// Which launches of a program are profiled, as `exec` and `trace` select them: with time and stored, or recorded.
//
// A launch is taken if the profiler's window is open when the program requests it (cudaProfilerStart(),
// cudaProfilerStop()) and, if ranges are named, one of them is open in the calling thread. The other launches are
// executed at their place in the stream, but take no time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/device/host_ranges.h"

namespace warpsim::cuda {

struct SelectionOptions {
  bool profile_from_start = true;        // the window is open from the beginning
  std::vector<std::string> ranges = {};  // names of NVTX ranges, or DOMAIN@NAME; empty: launches in and out of ranges
};

class LaunchSelection {
 public:
  explicit LaunchSelection(const SelectionOptions& options);

  void use_ranges(HostRanges& ranges) { ranges_ = &ranges; }
  void set_open(bool open) { is_open_ = open; }

  // Whether the launch that the calling thread requests is taken.
  bool takes() const;
  // The ranges that are open for it.
  std::vector<std::uint64_t> open_ranges() const {
    return ranges_ == nullptr ? std::vector<std::uint64_t>() : ranges_->open_ranges();
  }
  std::vector<RangeRecord> kept_ranges() const {
    return ranges_ == nullptr ? std::vector<RangeRecord>() : ranges_->kept_ranges();
  }
  // Of launches that are not taken: those that are executed without time, and those that cannot be.
  void note_left_out() { ++left_out_; }
  void note_taken_anyway() { ++taken_anyway_; }
  // What a user is told at the end, one text each; empty if every launch was taken.
  std::vector<std::string> notes() const;

 private:
  struct Range {
    std::string domain;
    std::string name;
  };

  bool is_open_;
  std::vector<Range> wanted_;
  HostRanges* ranges_ = nullptr;
  std::uint64_t left_out_ = 0;
  std::uint64_t taken_anyway_ = 0;
};

}  // namespace warpsim::cuda
