// Decodes the thread blocks of one group of the native trace format, one after another. Everything that a block
// refers to is checked before use; a StreamError states the error in the group.
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

class GroupDecoder {
 public:
  // `group` is the content of the frame; the program has `program_size` instructions.
  GroupDecoder(trace::Group group, std::uint32_t program_size, std::uint32_t warps_per_block);
  GroupDecoder(const GroupDecoder&) = delete;
  GroupDecoder& operator=(const GroupDecoder&) = delete;

  // The block that next() returns.
  std::uint64_t next_block() const { return group_.first_block() + done_; }
  bool finished() const { return done_ == group_.block_count(); }
  void next(BlockTrace& out);

 private:
  // Writes the instructions of the runs to `out`, one after another.
  void expand(std::span<const Run> runs, WarpInstruction* out) const;
  void next_warp(const WarpPath& path, std::uint32_t warp, BlockTrace& out);
  void check_finished() const;

  const trace::Group group_;
  std::uint32_t warps_per_block_;
  std::vector<WarpInstruction> straight_;  // the whole program with all lanes: source of copied runs
  PathTable paths_;
  ByteStream warp_paths_;
  AddressDecoder addresses_;
  std::vector<WarpPath> block_paths_;  // of the block being decoded
  std::uint64_t done_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t serial_ = 0;
};

}  // namespace warpsim::wtrace
