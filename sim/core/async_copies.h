// Groups of asynchronous copies (LDGSTS) of one warp: a group is closed by LDGDEPBAR and done when all copies issued
// before it are. Copies are taken to finish in the order of issue, as far as groups are concerned.
#pragma once

#include <cstdint>
#include <vector>

namespace warpsim {

class AsyncCopies {
 public:
  void reset() {
    issued_ = 0;
    done_ = 0;
    groups_.clear();
  }
  void copy_issued() { ++issued_; }
  void copy_done() { ++done_; }
  // `instruction`: the LDGDEPBAR that closes the group.
  void close_group(std::uint32_t instruction) { groups_.push_back({issued_, instruction}); }
  // Calls done(instruction) for each closed group that is done now, oldest first.
  template <typename Done>
  void finish_groups(Done&& done) {
    while (!groups_.empty() && groups_.front().copies <= done_) {
      const std::uint32_t instruction = groups_.front().instruction;
      groups_.erase(groups_.begin());
      done(instruction);
    }
  }

 private:
  struct Group {
    std::uint64_t copies;  // issued up to its end
    std::uint32_t instruction;
  };
  std::uint64_t issued_ = 0;
  std::uint64_t done_ = 0;
  std::vector<Group> groups_;
};

}  // namespace warpsim
