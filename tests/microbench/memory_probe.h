// Support for the families that measure the memory system: programs written as listings, and launches of them whose
// warps execute the listing on paths and at addresses given by a function.
//
// A line of a listing is `wait:write:read:stall:reuse` and the disassembled instruction, as "02:1:-:y4 LDG.E R2, [R4]":
// dependence counters waited for, counter released by the result, counter released by the read of the sources, stall
// cycles (`y`: yield), mask of sources kept for reuse (optional). `!` before the instruction: its guard is false
// for all lanes. A line that ends with a colon begins a section, the unit of paths. Each read of SR_CLOCKLO is
// recorded: it is the value that the measured programs read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/launch/instruction_source.h"
#include "core/machine/machine.h"

namespace warpsim::microbench {

class Listing {
 public:
  // Every `@@` of the text becomes `variant`: the operator that distinguishes two programs.
  explicit Listing(std::string_view text, std::string_view variant = {});

  struct Section {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };
  const Section& section(const std::string& name) const { return sections_.at(name); }
  const std::shared_ptr<StaticProgram>& program() const { return program_; }
  bool is_clock(std::uint32_t index) const { return marks_[index].clock; }
  bool is_off(std::uint32_t index) const { return marks_[index].off; }
  bool is_access(std::uint32_t index) const { return marks_[index].access; }

 private:
  struct Mark {
    bool clock = false;
    bool off = false;
    bool access = false;  // has addresses
  };
  void add_line(std::string_view line);

  std::shared_ptr<StaticProgram> program_;
  std::vector<Mark> marks_;
  std::map<std::string, Section> sections_;
  std::string open_;  // section that lines are added to
};

// Byte addresses of the active lanes: base, plus the stride for each further lane.
struct Lanes {
  Address base = 0;
  std::int64_t stride = 0;
};

struct Kernel;

// The instructions of one warp; set by a kernel's `path` function.
class WarpPath {
 public:
  // The `access`-th memory instruction of a section, from 0, to its addresses.
  using AddressOf = std::function<Lanes(std::uint32_t access)>;

  WarpPath(const Kernel& kernel, std::uint64_t block, std::uint32_t warp, AddressPool& pool);

  // Executes a section once.
  void run(const std::string& section, const AddressOf& address_of = {});

  // What has been executed since the last call.
  std::vector<WarpInstruction> take() { return std::exchange(instructions_, {}); }

  std::uint64_t block() const { return block_; }
  std::uint64_t warp() const { return warp_; }  // as wide as the addresses derived from it

 private:
  std::uint64_t block_;
  std::uint32_t warp_;
  const Listing& listing_;
  LaneMask lanes_;
  Address moved_;
  AddressPool& pool_;
  std::vector<WarpInstruction> instructions_;
};

struct Kernel {
  std::shared_ptr<const Listing> listing;
  std::uint32_t blocks = 1;
  std::uint32_t warps = 1;  // of a block
  std::uint32_t registers = 32;
  std::uint32_t shared_bytes = 0;
  LaneMask lanes = kAllLanes;  // of every warp
  Address moved = 0;           // added to every address of global memory
  std::function<void(WarpPath&)> path;
};

// Clock values that the warps of a launch read, in order: [block][warp][i].
using Clocks = std::vector<std::vector<std::vector<Cycle>>>;
// From the first `from`-th clock of any warp of the block to the last `to`-th.
double span(const std::vector<std::vector<Cycle>>& block, std::size_t from, std::size_t to);
// The minimum time between a clock of even place and the next.
double least_time(const std::vector<Cycle>& clocks);
// The maximum time between two clocks of the first warp of any block.
double longest(const Clocks& clocks, std::size_t from, std::size_t to);

// A GPU and the launches on it; each finds L2 in the state after the previous one.
class ProbeMachine {
 public:
  explicit ProbeMachine(const GpuConfig& config);
  Clocks run(const Kernel& kernel);
  // The same with the code in the caches, as after the measured programs' earlier launches: runs it first on memory
  // that is otherwise unused.
  Clocks run_warm(const Kernel& kernel);
  void evict_l2() { gpu_->evict_l2(); }
  // For the latest launch.
  double duration_ns() const { return duration_ns_; }
  // The SM on which each block of the latest launch ran, as far as known from the counts of executed instructions:
  // block b must have executed more than block b - 1.
  std::vector<std::uint32_t> sms_by_work() const;
  // All blocks together write (or read) the sectors `first`, `first + stride`, ... so that L2 holds them as after the
  // measured program's initialisation.
  void write(Address first, std::uint64_t stride, std::uint64_t count);
  void read(Address first, std::uint64_t bytes);
  // Eight bytes at each of `count` addresses.
  void write_each(std::uint64_t count, const std::function<Address(std::uint64_t)>& at);

 private:
  struct Crowd {
    std::uint32_t blocks;
    std::uint32_t warps;
  };
  void sweep(const Crowd& crowd, const std::string& access, const Lanes& lanes, std::uint64_t count);

  std::unique_ptr<Machine> gpu_;
  double duration_ns_ = 0;
};

// The address of the measured programs' largest allocation.
inline constexpr Address kBuffer = 0x7f2000000000;

}  // namespace warpsim::microbench
