#include "frontend/workload/kernel_recorder.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "emulator/execution/fault.h"
#include "frontend/workload/block_copy.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kTurn = 20'000;  // instructions of a warp before the next warp continues

// A running block, and the instructions that its warps have executed so far.
class Recording {
 public:
  Recording(KernelSource& kernel, std::uint64_t linear_index)
      : source_(kernel.start_block(linear_index, 0)), streams_(source_->warp_count()), paths_(source_->warp_count()) {
    trace_.linear_index = linear_index;
    for (std::uint32_t warp = 0; warp < streams_.size(); ++warp) {
      streams_[warp].warp = warp;
    }
  }

  bool finished() const {
    return std::ranges::all_of(streams_, [](const WarpStream& stream) { return stream.finished; });
  }

  // Returns the number of instructions.
  std::uint64_t run(Cycle now) {
    std::uint64_t done = 0;
    for (WarpStream& stream : streams_) {
      const std::size_t before = paths_[stream.warp].size();
      while (!stream.finished && paths_[stream.warp].size() < before + kTurn) {
        source_->refill(stream, now + done);
        if (stream.next == stream.end) {
          break;  // the warp waits, or has ended
        }
        done += static_cast<std::uint64_t>(stream.end - stream.next);
        take(stream);
      }
    }
    return done;
  }

  std::uint64_t linear_index() const { return trace_.linear_index; }

  BlockTrace result() {
    trace_.warp_begin.push_back(0);
    for (const std::vector<WarpInstruction>& path : paths_) {
      trace_.instructions.insert(trace_.instructions.end(), path.begin(), path.end());
      trace_.warp_begin.push_back(static_cast<std::uint32_t>(trace_.instructions.size()));
    }
    return std::move(trace_);
  }

 private:
  void take(WarpStream& stream) {
    for (; stream.next != stream.end; ++stream.next) {
      WarpInstruction& instruction = paths_[stream.warp].emplace_back(*stream.next);
      instruction.operation = 0;
      if (instruction.addresses != WarpInstruction::kNoAddresses) {
        instruction.addresses = copy_addresses(source_->addresses(*stream.next), instruction.active, trace_.addresses);
      }
    }
  }

  std::unique_ptr<BlockSource> source_;
  std::vector<WarpStream> streams_;
  std::vector<std::vector<WarpInstruction>> paths_;  // by warp
  BlockTrace trace_;
};

class KernelRecorder {
 public:
  KernelRecorder(KernelSource& kernel, std::uint32_t resident_blocks, WtraceWriter& writer, const RecordingTurn& turned)
      : kernel_(kernel),
        writer_(writer),
        turned_(turned),
        blocks_(kernel.launch().grid.count()),
        places_(resident_blocks) {}

  void run() {
    while (next_ < blocks_ || !working_.empty()) {
      const bool any_went_on = turn() != 0;
      if (turned_) {
        turned_(any_went_on);
      }
      if (!any_went_on) {
        throw KernelFault(FaultKind::kDeadlock, "kernel " + kernel_.launch().kernel +
                                                    ": a deadlock: all threads wait for each other at barriers");
      }
    }
  }

 private:
  // Returns 0 if no warp continued.
  std::uint64_t turn() {
    std::uint64_t done = 0;
    for (std::size_t i = 0; i < std::max<std::size_t>(places_, 1); ++i) {
      if (i == working_.size()) {
        if (next_ == blocks_) {
          break;
        }
        working_.push_back(std::make_unique<Recording>(kernel_, next_++));
      }
      const std::uint64_t executed = working_[i]->run(now_);
      done += executed;
      now_ += executed;
      if (working_[i]->finished()) {
        keep(*working_[i]);
        ++done;
        working_.erase(working_.begin() + static_cast<std::ptrdiff_t>(i));
        --i;
      }
    }
    return done;
  }

  // Blocks are written in order.
  void keep(Recording& block) {
    waiting_.emplace(block.linear_index(), block.result());
    while (!waiting_.empty() && waiting_.begin()->first == written_) {
      writer_.add_block(std::move(waiting_.begin()->second));
      waiting_.erase(waiting_.begin());
      ++written_;
    }
  }

  KernelSource& kernel_;
  WtraceWriter& writer_;
  const RecordingTurn& turned_;
  std::uint64_t blocks_;
  std::size_t places_;
  std::uint64_t next_ = 0;
  std::uint64_t written_ = 0;
  Cycle now_ = 0;
  std::vector<std::unique_ptr<Recording>> working_;
  std::map<std::uint64_t, BlockTrace> waiting_;  // to be written, by linear index
};

}  // namespace

void record_kernel(KernelSource& kernel, std::uint32_t resident_blocks, WtraceWriter& writer,
                   const RecordingTurn& turned) {
  writer.begin_kernel(kernel.launch());
  KernelRecorder(kernel, resident_blocks, writer, turned).run();
  writer.end_kernel();
}

}  // namespace warpsim
