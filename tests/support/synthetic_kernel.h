// Kernels written in a test instead of recorded: a small program of SASS-like instructions, and for each warp the path
// through it and the addresses that it accesses.
//
//     KernelBuilder k;
//     k.loop(10, [&] { k.ffma(4, 4, 1, 2).stall(4); });
//     k.exit();
//     SyntheticKernel kernel(k, {.blocks = 1, .warps = 2});
//
// Instructions have control bits (stall count 1, no counters) unless the builder leaves dependences to a
// scoreboard. What an opcode is (kind, pipe, timing class, width) comes from the opcode table.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/launch/instruction_source.h"

namespace warpsim::test {

// Byte addresses of one memory instruction, by lane, warp, block and round of the innermost loop around it.
struct Addresses {
  Address base = 0;
  std::int64_t lane_stride = 4;
  std::int64_t warp_stride = 0;
  std::int64_t block_stride = 0;
  std::int64_t round_stride = 0;
  std::vector<Address> list = {};  // one per active lane; replaces base and strides
  // The same for each place: the address of a lane.
  std::function<Address(std::uint64_t block, std::uint32_t warp, std::uint32_t round, std::uint32_t lane)> of = {};
  bool recorded = true;  // false: the instruction carries no addresses
};

// One instruction on the path of a warp, or a group of them.
struct PathStep {
  std::uint32_t index = 0;  // into the program
  LaneMask active = kAllLanes;
  Addresses addresses;
  std::uint32_t rounds = 0;                          // 0: an instruction; otherwise a loop over `body`
  std::function<bool(std::uint32_t warp)> taken_by;  // empty: all warps; otherwise for `body` (rounds is 1)
  std::vector<PathStep> body;
};

class KernelBuilder {
 public:
  enum class Dependences : std::uint8_t { kControlBits, kScoreboard };
  // `architecture`: of the opcodes, 90 for sm_90.
  explicit KernelBuilder(Dependences dependences = Dependences::kControlBits, std::uint32_t architecture = 90);

  // The latest instruction; valid until the next one is written.
  class Written {
   public:
    Written(StaticInstruction& instruction, PathStep& step) : instruction_(instruction), step_(step) {}
    Written& stall(std::uint32_t cycles);
    Written& yield();
    Written& writes(std::uint32_t counter);  // the result releases a dependence counter
    Written& reads(std::uint32_t counter);   // the read of the sources releases one
    Written& waits(std::uint32_t counter);   // issue waits until the counter is 0
    Written& reuse(std::uint32_t slot);
    Written& lanes(LaneMask active);  // 0: predicated off
    StaticInstruction& raw() { return instruction_; }

   private:
    StaticInstruction& instruction_;
    PathStep& step_;
  };

  // Any opcode, with one destination and up to three sources (255: none).
  Written op(const std::string& opcode, std::uint8_t destination = 255, const std::vector<std::uint8_t>& sources = {});
  Written iadd(std::uint8_t d, std::uint8_t a, std::uint8_t b) { return op("IADD3", d, {a, b}); }
  Written ffma(std::uint8_t d, std::uint8_t a, std::uint8_t b, std::uint8_t c) { return op("FFMA", d, {a, b, c}); }
  Written mufu(std::uint8_t d, std::uint8_t a) { return op("MUFU.EX2", d, {a}); }
  Written nop() { return op("NOP"); }
  Written exit() { return op("EXIT"); }
  // Memory instructions: opcode with width, data register, addresses. Loads write the register, stores read it.
  Written load(const std::string& opcode, std::uint8_t d, const Addresses& addresses);
  Written store(const std::string& opcode, const Addresses& addresses, std::uint8_t data);
  Written ldg(std::uint8_t d, const Addresses& addresses) { return load("LDG.E", d, addresses); }
  Written stg(const Addresses& addresses, std::uint8_t data) { return store("STG.E", addresses, data); }
  Written lds(std::uint8_t d, const Addresses& addresses) { return load("LDS", d, addresses); }
  Written sts(const Addresses& addresses, std::uint8_t data) { return store("STS", addresses, data); }
  // LDC d, c[bank][offset]; and an addition with such an operand.
  Written ldc(std::uint8_t d, std::uint8_t bank, std::uint32_t offset);
  Written iadd_constant(std::uint8_t d, std::uint8_t a, std::uint8_t bank, std::uint32_t offset);
  Written ldgsts(const Addresses& addresses) { return store("LDGSTS.E.BYPASS.128", addresses, 255); }
  Written commit(std::uint32_t counter);                        // LDGDEPBAR
  Written depbar(std::uint32_t counter, std::int32_t at_most);  // DEPBAR.LE SBcounter, at_most
  Written bar(std::int32_t number = 0) { return barrier("BAR.SYNC.DEFER_BLOCKING", number); }
  Written bar_arrive(std::int32_t number) { return barrier("BAR.ARV", number); }
  Written membar_device() { return op("MEMBAR.SC.GPU"); }
  Written membar_block() { return op("MEMBAR.ALL.CTA"); }

  // `body` written once and executed `rounds` times, closed by a branch back with the given stall count.
  void loop(std::uint32_t rounds, const std::function<void()>& body, std::uint32_t branch_stall = 5);
  // `body` is only on the path of some warps; the others jump over it.
  void only(const std::function<bool(std::uint32_t warp)>& takes, const std::function<void()>& body);

  std::shared_ptr<const StaticProgram> program() const { return program_; }
  const std::vector<PathStep>& path() const { return path_; }

 private:
  Written barrier(const std::string& opcode, std::int32_t number);
  PathStep& add_step(const PathStep& step);

  bool control_bits_;
  std::shared_ptr<StaticProgram> program_;
  std::vector<PathStep> path_;
  std::vector<std::vector<PathStep>*> open_;  // where steps are added; innermost last
};

// The time at which the core gets the instructions of a warp.
enum class Supply : std::uint8_t {
  kOneAtATime,  // after each issue, like from an executing source; issue cycles are recorded
  kWhole,       // all at once, like from a trace
};

struct KernelShape {
  std::uint32_t blocks = 1;
  std::uint32_t warps = 1;  // of a block
  std::uint32_t registers = 16;
  std::uint32_t shared_bytes = 0;
  std::uint32_t local_bytes = 0;
  Address shared_base = 0;
  Address local_base = 0;
  Supply supply = Supply::kOneAtATime;
};

// The record of one warp.
struct WarpRecord {
  Cycle started = 0;
  std::vector<std::uint32_t> instructions;  // static indices, in order of issue
  std::vector<Cycle> issued;                // core cycle of each
  // Cycles between consecutive issues.
  std::vector<Cycle> gaps() const;
};

class SyntheticKernel final : public KernelSource {
 public:
  SyntheticKernel(const KernelBuilder& builder, const KernelShape& shape);

  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override;
  Concurrency concurrency() const override { return Concurrency::kFree; }

  const WarpRecord& warp(std::uint32_t warp, std::uint64_t block = 0) const {
    return records_[block * shape_.warps + warp];
  }
  // Instructions on the paths of all warps.
  std::uint64_t instructions() const;

 private:
  KernelShape shape_;
  KernelLaunch launch_;
  std::vector<PathStep> path_;
  std::vector<WarpRecord> records_;
};

}  // namespace warpsim::test
