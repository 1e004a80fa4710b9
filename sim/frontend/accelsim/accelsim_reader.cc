#include "frontend/accelsim/accelsim_reader.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "frontend/accelsim/block_decoder.h"
#include "frontend/accelsim/listing_search.h"
#include "frontend/accelsim/program_collector.h"
#include "frontend/accelsim/shared_reserve.h"
#include "frontend/accelsim/thread_block_scanner.h"
#include "frontend/workload/block_stash.h"

namespace warpsim {
namespace {

// Block indices met so far, as disjoint intervals: small for files in any regular order.
class IndexSet {
 public:
  // False if the index is already present.
  bool insert(std::uint64_t index) {
    auto after = intervals_.upper_bound(index);
    if (after != intervals_.begin()) {
      const auto before = std::prev(after);
      if (index < before->second) {
        return false;
      }
      if (index == before->second) {
        ++before->second;
        if (after != intervals_.end() && after->first == before->second) {
          before->second = after->second;
          intervals_.erase(after);
        }
        ++size_;
        return true;
      }
    }
    std::uint64_t end = index + 1;
    if (after != intervals_.end() && after->first == end) {
      end = after->second;
      intervals_.erase(after);
    }
    intervals_.emplace(index, end);
    ++size_;
    return true;
  }
  std::uint64_t size() const { return size_; }

 private:
  std::map<std::uint64_t, std::uint64_t> intervals_;  // begin -> end
  std::uint64_t size_ = 0;
};

class AccelsimBlockReader final : public BlockReader {
 public:
  AccelsimBlockReader(std::unique_ptr<InputStream> input, const AccelsimHeader& header,
                      std::shared_ptr<const StaticProgram> program, std::string program_name)
      : input_(std::move(input)),
        grid_(header.launch.grid),
        warps_(header.launch.warps_per_block()),
        scanner_(*input_, header),
        decoder_(*input_, line_format(header), std::move(program), std::move(program_name)) {}

  void read(std::uint64_t linear_index, BlockTrace& out) override {
    const std::scoped_lock lock(mutex_);  // the text has no place at which another thread could begin
    if (!stash_.take(linear_index, out)) {
      while (read_next(out) != linear_index) {
        stash_.put(out);
      }
    }
    if (seen_.size() == grid_.count() && !at_end_) {
      check_end();
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw TraceError(fmt::format("{}:{}: {}", input_->path(), input_->line_number(), message));
  }
  std::string coordinates(std::uint64_t linear) const {
    return fmt::format("{},{},{}", linear % grid_.x, linear / grid_.x % grid_.y, linear / grid_.x / grid_.y);
  }

  std::uint64_t read_next(BlockTrace& out) {
    const std::optional<std::uint64_t> index = scanner_.next_block();
    if (!index) {
      fail(fmt::format("the file ends after {} of {} thread blocks; expected every block of the grid", seen_.size(),
                       grid_.count()));
    }
    if (!seen_.insert(*index)) {
      fail(fmt::format("thread block {} appears twice; expected each block once", coordinates(*index)));
    }
    decoder_.begin_block(*index, warps_, out);
    scanner_.read_warps(decoder_);
    decoder_.end_block();
    return *index;
  }

  // Nothing may follow the last block, and the compressed file must be complete.
  void check_end() {
    at_end_ = true;
    if (const std::optional<std::uint64_t> index = scanner_.next_block()) {
      fail(fmt::format("thread block {} appears twice; expected each block once", coordinates(*index)));
    }
  }

  std::mutex mutex_;
  std::unique_ptr<InputStream> input_;
  Dim3 grid_;
  std::uint32_t warps_;
  ThreadBlockScanner scanner_;
  BlockDecoder decoder_;
  BlockStash stash_;
  IndexSet seen_;
  bool at_end_ = false;
};

}  // namespace

AccelsimKernel open_accelsim_kernel(const std::string& path, const std::string& sass_file) {
  auto input = std::make_unique<InputStream>(path);
  const AccelsimHeader header = read_accelsim_header(*input);
  AccelsimKernel kernel;
  kernel.launch = header.launch;
  kernel.launch.shared_bytes -= header.shared_reserve ? *header.shared_reserve : find_shared_reserve(path, header);
  std::string program_name = "the trace";
  const ListingQuery query{path, sass_file, header.launch.kernel, header.architecture, header.function};
  if (auto listing = find_listing(query)) {
    kernel.launch.program = listing->program;
    kernel.listing = listing->path;
    program_name = listing->path;
  } else {
    kernel.launch.program = collect_program(path);
  }
  kernel.blocks = std::make_unique<AccelsimBlockReader>(std::move(input), header, kernel.launch.program, program_name);
  return kernel;
}

}  // namespace warpsim
