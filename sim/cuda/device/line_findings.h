// What is found at the lines of kernels: each line once, and few lines of a kernel, since those of libraries may have
// hundreds. Several threads of the host may find something at a time.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpsim::cuda {

class LineFindings {
 public:
  // `what`: what lines do that are found, for the message that there are more of them.
  explicit LineFindings(std::string what) : what_(std::move(what)) {}

  void note(const std::string& kernel, std::uint32_t line, const std::string& text);
  // Those since the last call, in the order in which they were found.
  std::vector<std::string> take();

 private:
  static constexpr std::ptrdiff_t kMostLines = 5;

  std::string what_;
  std::mutex mutex_;
  std::set<std::pair<std::string, std::uint32_t>> known_;  // kernel, line
  std::vector<std::string> texts_;
};

}  // namespace warpsim::cuda
