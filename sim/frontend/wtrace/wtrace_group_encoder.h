// Collects consecutive thread blocks of one kernel and codes them as a group of the native trace format. Holds only the
// blocks of that group.
#pragma once

#include <cstdint>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/workload/block_trace.h"
#include "wtrace.pb.h"

namespace warpsim::wtrace {

class GroupEncoder {
 public:
  // `launch` must outlive the encoder; its program must be set.
  explicit GroupEncoder(const KernelLaunch& launch) : launch_(launch) {}

  // Blocks come in increasing linear index without gaps. Throws TraceError if the block does not fit the launch.
  void add(BlockTrace block);
  bool empty() const { return blocks_.empty(); }
  // True if one more block would make the group too large for memory and random access.
  bool full() const;
  // Codes the collected blocks and discards them.
  trace::Group take();

 private:
  void check(const BlockTrace& block) const;
  void code_addresses(trace::Group& group) const;

  const KernelLaunch& launch_;
  std::vector<BlockTrace> blocks_;
  std::uint64_t instructions_ = 0;
  std::uint64_t address_words_ = 0;
};

}  // namespace warpsim::wtrace
