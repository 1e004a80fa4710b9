// Turns the instruction lines of an Accel-Sim thread block into a BlockTrace.
//
// Each line is mapped to its static instruction (PcIndex) and its addresses are packed: equally spaced ones as base and
// stride. Checked: the PC and the opcode against the static program, one address per active lane, addresses present
// where the core needs them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/accelsim/pc_index.h"
#include "frontend/accelsim/trace_line.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

class BlockDecoder {
 public:
  BlockDecoder(LineFormat format, std::shared_ptr<const StaticProgram> program, std::string program_name);

  // `place`: of each line that follows, when it does.
  void begin_block(std::uint64_t linear_index, std::uint32_t warps, const TextPlace& place, BlockTrace& out);
  // Handler of ThreadBlockScanner.
  void begin_warp(std::uint32_t warp);
  void instruction(std::string_view text);
  void end_block();

 private:
  struct Segment {
    std::uint32_t warp = 0;
    std::uint32_t begin = 0;
  };

  const PcIndex::Entry& slow_entry(TraceLine& line, std::uint32_t pc);
  std::uint32_t addresses(TraceLine& line, LaneMask active, bool keep);
  std::uint32_t add_list(std::uint32_t count);
  void reorder_warps();

  const TextPlace* place_ = nullptr;
  LineFormat format_;
  std::shared_ptr<const StaticProgram> program_;
  std::string program_name_;  // listing or trace, for messages
  PcIndex index_;
  BlockTrace* out_ = nullptr;
  std::uint32_t warps_ = 0;
  std::vector<Segment> segments_;
  std::array<Address, kWarpSize> lanes_{};
  // Lists of the present block that others may be equal to but for where they begin.
  struct RecentList {
    std::uint32_t index = 0;  // in the block's pool
    std::uint32_t count = 0;  // of addresses; 0: none
  };
  std::array<RecentList, 4> recent_lists_{};
  std::size_t next_recent_ = 0;
};

}  // namespace warpsim
