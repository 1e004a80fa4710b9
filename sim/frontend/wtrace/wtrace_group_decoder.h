// Decodes the thread blocks of one group of the native trace format. Everything that a block refers to is checked
// before use; a StreamError states the error in the group.
//
// The streams of a group are read one block after another. What is longer, to write out the instructions of a block,
// needs nothing of another block: several threads can do it at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontend/workload/block_trace.h"
#include "frontend/wtrace/wtrace_address_decoder.h"
#include "frontend/wtrace/wtrace_path_decoder.h"
#include "frontend/wtrace/wtrace_stream.h"
#include "wtrace.pb.h"

namespace warpsim::wtrace {

// A block whose part of the streams has been read. Refers to its group's decoder.
struct CodedBlock {
  std::uint64_t linear_index = 0;
  std::uint64_t instructions = 0;
  std::vector<WarpPath> paths;        // by warp
  std::vector<std::uint32_t> values;  // of the paths' patches, warp by warp
  AddressPool addresses;
};

class GroupDecoder {
 public:
  // `group` is the content of the frame; the program has `program_size` instructions.
  GroupDecoder(trace::Group group, std::uint32_t program_size, std::uint32_t warps_per_block);
  GroupDecoder(const GroupDecoder&) = delete;
  GroupDecoder& operator=(const GroupDecoder&) = delete;

  // The block that next() returns.
  std::uint64_t next_block() const { return group_.first_block() + done_; }
  bool finished() const { return done_ == group_.block_count(); }
  // Reads the streams of the next block.
  void next(CodedBlock& out);
  // Writes out its instructions, and moves its addresses. By several threads at a time, and beside next().
  void expand(CodedBlock& coded, BlockTrace& out) const;

 private:
  // Writes the instructions of the runs to `out`, one after another.
  void expand_runs(std::span<const Run> runs, WarpInstruction* out) const;
  void check_finished() const;

  const trace::Group group_;
  std::uint32_t warps_per_block_;
  std::vector<WarpInstruction> straight_;  // the whole program with all lanes: source of copied runs
  PathTable paths_;
  ByteStream warp_paths_;
  AddressDecoder addresses_;
  std::uint64_t done_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t serial_ = 0;
};

}  // namespace warpsim::wtrace
