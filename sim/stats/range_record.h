// A range of a program that it has named for profilers (NVTX), as it is stored.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpsim {

struct RangeRecord {
  std::uint64_t number = 0;  // by order of beginning in the process, from 1
  std::uint64_t parent = 0;  // the range in which the same thread has pushed it, in the same domain; 0: none
  std::uint64_t thread = 0;  // of the host, by order of first use, from 1
  bool is_pushed = false;    // on a thread's stack; otherwise it was started, for all threads
  std::string domain = {};   // empty: the default one
  std::string name = {};     // empty if the program gave none
};

// Those of a run, and which launches were requested in them: pairs of a range's number and a launch index.
struct RunRanges {
  std::vector<RangeRecord> ranges = {};
  std::vector<std::pair<std::uint64_t, std::uint32_t>> launches = {};
};

}  // namespace warpsim
