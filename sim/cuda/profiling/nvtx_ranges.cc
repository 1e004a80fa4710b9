#include "cuda/profiling/nvtx_ranges.h"

#include <algorithm>
#include <atomic>

namespace warpsim::cuda {

namespace {

// Of the calling thread, from 1. Threads of the system have numbers that are used again.
std::uint64_t own_thread() {
  static std::atomic<std::uint64_t> last = 0;
  static thread_local std::uint64_t own = 0;
  own = own == 0 ? ++last : own;
  return own;
}

}  // namespace

NvtxRanges::Domain NvtxRanges::create_domain(const std::string& name) {
  const std::lock_guard guard(mutex_);
  const auto known = std::ranges::find(domains_, name);
  if (known != domains_.end()) {
    return static_cast<Domain>(known - domains_.begin());
  }
  domains_.push_back(name);
  return static_cast<Domain>(domains_.size() - 1);
}

std::uint64_t NvtxRanges::add(Domain domain, const std::string& name) {
  const std::uint64_t number = ++last_;
  ranges_[number].record = {.number = number, .thread = own_thread(), .domain = domains_.at(domain), .name = name};
  return number;
}

void NvtxRanges::close(std::uint64_t range) {
  const auto found = ranges_.find(range);
  if (!found->second.is_kept) {
    ranges_.erase(found);
  }
}

int NvtxRanges::push(Domain domain, const std::string& name) {
  const std::lock_guard guard(mutex_);
  std::vector<std::uint64_t>& stack = stacks_[{own_thread(), domain}];
  const std::uint64_t number = add(domain, name);
  RangeRecord& record = ranges_.at(number).record;
  record.is_pushed = true;
  record.parent = stack.empty() ? 0 : stack.back();
  stack.push_back(number);
  return static_cast<int>(stack.size()) - 1;
}

int NvtxRanges::pop(Domain domain) {
  const std::lock_guard guard(mutex_);
  const auto stack = stacks_.find({own_thread(), domain});
  if (stack == stacks_.end()) {
    return kNoRange;
  }
  close(stack->second.back());
  stack->second.pop_back();
  const int level = static_cast<int>(stack->second.size());
  if (level == 0) {
    stacks_.erase(stack);
  }
  return level;
}

std::uint64_t NvtxRanges::start(Domain domain, const std::string& name) {
  const std::lock_guard guard(mutex_);
  started_.push_back(add(domain, name));
  return started_.back();
}

void NvtxRanges::end(std::uint64_t range) {
  const std::lock_guard guard(mutex_);
  if (std::erase(started_, range) != 0) {
    close(range);
  }
}

template <class Function>
void NvtxRanges::for_each_open(Function&& function) {
  for (const std::uint64_t number : started_) {
    function(ranges_.at(number));
  }
  const std::uint64_t thread = own_thread();
  for (auto stack = stacks_.lower_bound({thread, 0}); stack != stacks_.end() && stack->first.first == thread; ++stack) {
    for (const std::uint64_t number : stack->second) {
      function(ranges_.at(number));
    }
  }
}

std::vector<std::uint64_t> NvtxRanges::open_ranges() {
  const std::lock_guard guard(mutex_);
  std::vector<std::uint64_t> numbers;
  for_each_open([&numbers](Range& range) {
    range.is_kept = true;
    numbers.push_back(range.record.number);
  });
  return numbers;
}

bool NvtxRanges::is_open(std::string_view domain, std::string_view name) {
  const std::lock_guard guard(mutex_);
  bool found = false;
  for_each_open(
      [&](const Range& range) { found = found || (range.record.name == name && range.record.domain == domain); });
  return found;
}

std::vector<RangeRecord> NvtxRanges::kept_ranges() {
  const std::lock_guard guard(mutex_);
  std::vector<RangeRecord> records;
  for (const auto& [number, range] : ranges_) {
    if (range.is_kept) {
      records.push_back(range.record);
    }
  }
  return records;
}

}  // namespace warpsim::cuda
