// Groups of asynchronous copies (LDGSTS) of one warp: LDGDEPBAR closes a group, which completes with its copies;
// groups complete in order. So does ARRIVES.LDGSTSBAR, whose arrivals at barriers take place then.
#pragma once

#include <cstdint>
#include <vector>

#include "core/async/async_operation.h"

namespace warpsim {

class AsyncCopies {
 public:
  void reset() {
    groups_.clear();
    first_ = 0;
    groups_.push_back({});
  }
  // A copy joins the open group; the group's number is returned with its completion.
  std::uint8_t copy_issued() {
    ++groups_.back().outstanding;
    return static_cast<std::uint8_t>(first_ + groups_.size() - 1);
  }
  void copy_done(std::uint8_t group) { --groups_[static_cast<std::uint8_t>(group - first_)].outstanding; }
  // `instruction`: the LDGDEPBAR that closes the group; `reports`: operations on barriers when the group is complete.
  void close_group(std::uint32_t instruction, const AsyncOperation* reports = nullptr) {
    groups_.back().instruction = instruction;
    groups_.back().reports = reports;
    groups_.push_back({});
  }
  bool any_outstanding() const { return groups_.size() > 1 || groups_.back().outstanding != 0; }
  // `operations`: take place when the copies so far are complete.
  void arrive_after_copies(const AsyncOperation* operations) {
    Group& group = groups_.back();
    group.commits = false;
    do {
      group.arrivals.push_back(*operations);
    } while (!(operations++)->last);
    groups_.push_back({});
  }
  struct Group {
    std::uint32_t outstanding = 0;
    std::uint32_t instruction = 0;
    bool commits = true;  // closed by LDGDEPBAR, whose result is then written
    const AsyncOperation* reports = nullptr;
    std::vector<AsyncOperation> arrivals;
  };
  // Calls done(group) for each closed group that is complete, oldest first.
  template <typename Done>
  void finish_groups(Done&& done) {
    while (groups_.size() > 1 && groups_.front().outstanding == 0) {
      const Group group = groups_.front();
      groups_.erase(groups_.begin());
      ++first_;
      done(group);
    }
  }

 private:
  std::vector<Group> groups_{1};  // closed ones, then the open one
  std::uint8_t first_ = 0;        // number of the oldest, modulo 256: far more than can be open at a time
};

}  // namespace warpsim
