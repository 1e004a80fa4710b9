#include "frontend/accelsim/accelsim_reader.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "frontend/accelsim/block_decoder.h"
#include "frontend/accelsim/block_text.h"
#include "frontend/accelsim/listing_search.h"
#include "frontend/accelsim/program_collector.h"
#include "frontend/accelsim/shared_reserve.h"
#include "frontend/accelsim/thread_block_scanner.h"
#include "frontend/workload/block_stash.h"
#include "frontend/workload/kept_failure.h"
#include "frontend/workload/spare_objects.h"

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

// The file is read by one thread at a time. If others wait, a block is only copied then, and decoded by its thread
// after the next one has begun to read.
class AccelsimBlockReader final : public BlockReader {
 public:
  AccelsimBlockReader(std::unique_ptr<InputStream> input, const AccelsimHeader& header,
                      std::shared_ptr<const StaticProgram> program, std::string program_name)
      : input_(std::move(input)),
        grid_(header.launch.grid),
        warps_(header.launch.warps_per_block()),
        scanner_(*input_, header),
        decoder_(line_format(header), std::move(program), std::move(program_name)),
        decoders_(decoder_) {}

  void read(std::uint64_t linear_index, BlockTrace& out) override {
    std::unique_ptr<BlockText> copied = read_or_copy(linear_index, out);
    if (copied != nullptr) {
      decode(*copied, linear_index, out);
      texts_.give_back(std::move(copied));
    }
  }

 private:
  // Of blocks that were copied for threads that have not asked for them yet; further ones are stashed.
  static constexpr std::size_t kMostEarlyBytes = std::size_t{64} << 20U;

  [[noreturn]] void fail(const std::string& message) const {
    throw TraceError(fmt::format("{}:{}: {}", input_->path(), input_->line_number(), message));
  }
  std::string coordinates(std::uint64_t linear) const {
    return fmt::format("{},{},{}", linear % grid_.x, linear / grid_.x % grid_.y, linear / grid_.x / grid_.y);
  }

  void decode(const BlockText& text, std::uint64_t linear_index, BlockTrace& out) {
    std::unique_ptr<BlockDecoder> decoder = decoders_.take();
    TextPlace place{input_->path()};  // the text has the numbers
    decoder->begin_block(linear_index, warps_, place, out);
    text.replay(*decoder, place);
    decoder->end_block();
    decoders_.give_back(std::move(decoder));
  }

  // The block's copy, or nothing, and the block is in `out`.
  std::unique_ptr<BlockText> read_or_copy(std::uint64_t linear_index, BlockTrace& out) {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    const std::scoped_lock lock(mutex_);
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return failure_.keep([&] {
      std::unique_ptr<BlockText> copied = take_early(linear_index);
      if (copied == nullptr && !stash_.take(linear_index, out)) {
        copied = read_up_to(linear_index, out);
      }
      if (seen_.size() == grid_.count() && !at_end_) {
        check_end();
      }
      return copied;
    });
  }

  std::unique_ptr<BlockText> take_early(std::uint64_t linear_index) {
    const auto early = early_.find(linear_index);
    if (early == early_.end()) {
      return nullptr;
    }
    std::unique_ptr<BlockText> copied = std::move(early->second);
    early_.erase(early);
    early_bytes_ -= copied->bytes();
    return copied;
  }

  std::unique_ptr<BlockText> read_up_to(std::uint64_t linear_index, BlockTrace& out) {
    for (std::uint64_t index = next_block();; index = next_block()) {
      const bool is_last = index == linear_index;
      const bool others_wait = waiting_.load(std::memory_order_relaxed) != 0;
      if (others_wait && (is_last || early_bytes_ < kMostEarlyBytes)) {
        std::unique_ptr<BlockText> copied = copy();
        if (is_last) {
          return copied;
        }
        early_bytes_ += copied->bytes();
        early_[index] = std::move(copied);
        continue;
      }
      decoder_.begin_block(index, warps_, input_->place(), out);
      scanner_.read_warps(decoder_);
      decoder_.end_block();
      if (is_last) {
        return nullptr;
      }
      stash_.put(out);
    }
  }

  std::unique_ptr<BlockText> copy() {
    std::unique_ptr<BlockText> text = texts_.take();
    text->clear();
    BlockText::Copier copier(*input_, *text);
    scanner_.read_warps(copier);
    return text;
  }

  // The file is at its instructions then.
  std::uint64_t next_block() {
    const std::optional<std::uint64_t> index = scanner_.next_block();
    if (!index) {
      fail(fmt::format("the file ends after {} of {} thread blocks; expected every block of the grid", seen_.size(),
                       grid_.count()));
    }
    if (!seen_.insert(*index)) {
      fail(fmt::format("thread block {} appears twice; expected each block once", coordinates(*index)));
    }
    return *index;
  }

  // Nothing may follow the last block, and the compressed file must be complete.
  void check_end() {
    at_end_ = true;
    if (const std::optional<std::uint64_t> index = scanner_.next_block()) {
      fail(fmt::format("thread block {} appears twice; expected each block once", coordinates(*index)));
    }
  }

  std::atomic<std::uint32_t> waiting_{0};  // threads
  std::mutex mutex_;                       // of what follows up to the spare objects
  KeptFailure failure_;
  std::unique_ptr<InputStream> input_;
  Dim3 grid_;
  std::uint32_t warps_;
  ThreadBlockScanner scanner_;
  BlockDecoder decoder_;
  BlockStash stash_;
  std::map<std::uint64_t, std::unique_ptr<BlockText>> early_;
  std::size_t early_bytes_ = 0;
  IndexSet seen_;
  bool at_end_ = false;
  SpareObjects<BlockText> texts_;
  SpareObjects<BlockDecoder> decoders_;  // of threads that decode copied blocks
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
