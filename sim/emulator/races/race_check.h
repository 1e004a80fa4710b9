// Finds races: two unordered accesses of different threads to the same bytes, at least one a write, as defined by
// PTX's memory model (race_threads.h). In shared memory of the block and the cluster, and in global memory of
// the whole grid; kernels of one stream are ordered.
//
// Not races: strong accesses (volatile, relaxed, atomic) whose scopes reach each other; plain reads
// combined with atomic updates; lanes of one instruction;
// writes of the same value; before 7.0 lanes of one warp. Not examined: textures, surfaces, local memory,
// reads by wgmma, and the order of generic and asynchronous accesses (fence.proxy). Findings depend on the order
// in which the emulator executes, except for accesses that the program itself orders: a reported
// race is always a race.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "emulator/execution/warp_context.h"
#include "emulator/memory/memory_observer.h"
#include "emulator/races/race_threads.h"

namespace warpsim {

class RaceCheck final : public MemoryObserver {
 public:
  // A launch begins, without accesses yet. `launch` outlives it.
  void begin_launch(const LaunchContext& launch);
  // The findings, one text per pair of instructions that has not been reported before. Also after a fault.
  std::vector<std::string> end_launch();
  // Over all launches.
  std::uint64_t races() const { return known_.size(); }
  std::uint64_t launches() const { return launches_; }
  std::uint64_t words_left_out() const { return left_out_; }

  // The first operation from `at` on that the check must observe; the size of the code if there is none. The others
  // only affect registers.
  std::uint32_t next_observed(const FunctionCode& code, std::uint32_t at) { return function(code).next_observed[at]; }
  // Around each of these operations that a warp executes for some lanes. Returns the observer of its accesses.
  MemoryObserver* begin();
  void accessed(const ObservedAccess& access) override;
  void end(const WarpContext& warp, const Operation& operation, LaneMask lanes);

  // Synchronisation of threads, warps and lanes.
  void start_block(const BlockMemory& memory, std::uint32_t threads) { threads_.start(memory, threads); }
  void arrive(const BlockMemory& memory, std::uint32_t barrier, std::uint32_t warp, LaneMask lanes) {
    threads_.arrive(threads_.block(memory), barrier, warp * kWarpSize, lanes);
  }
  void leave(const BlockMemory& memory, std::uint32_t barrier, std::uint32_t warp, LaneMask lanes) {
    threads_.leave(threads_.block(memory), barrier, warp * kWarpSize, lanes);
  }
  void end_phase(const BlockMemory& memory, std::uint32_t barrier) {
    RaceThreads::end_phase(threads_.block(memory), barrier);
  }
  void warp_barrier(const WarpContext& warp, LaneMask lanes);
  void exited(const BlockMemory& memory, std::uint32_t warp, LaneMask lanes) {
    RaceThreads::exited(threads_.block(memory), warp * kWarpSize, lanes);
  }
  void arrive_in_cluster(const BlockMemory& memory, std::uint64_t phase, std::uint32_t warp, LaneMask lanes) {
    threads_.arrive_in_cluster(memory, phase, warp * kWarpSize, lanes);
  }
  void leave_cluster(const BlockMemory& memory, std::uint64_t phase, std::uint32_t warp, LaneMask lanes) {
    threads_.leave_cluster(memory, phase, warp * kWarpSize, lanes);
  }

 private:
  static constexpr std::uint32_t kMostCompared = 16;  // bytes of an access whose old contents are kept
  struct Observed {
    ObservedAccess access;
    std::array<std::byte, kMostCompared> before;
  };
  struct Accessor {  // of an observed access
    RaceBlock* block = nullptr;
    RaceThread* thread = nullptr;
    std::uint32_t number = 0;  // of the thread in the block
    ShadowAccess access;
  };
  struct Race {
    std::string text;
    std::uint64_t count = 0;
  };
  struct Function {
    const FunctionCode* code = nullptr;
    std::uint32_t first_place = 0;
    std::vector<std::uint32_t> next_observed;  // by operation
  };
  // Places and whether they write.
  using Pair = std::tuple<std::uint32_t, std::uint32_t, bool, bool>;

  Accessor accessor(const WarpContext& warp, const Operation& operation, const Observed& observed);
  template <class Visit>
  void visit_words(const Observed& observed, Visit&& visit);
  void check(const Accessor& by, const Observed& observed);
  void remember(const Accessor& by, const Observed& observed);
  bool is_ordered(const ShadowAccess& earlier, const Accessor& by) const;
  bool conflicts(const ShadowAccess& earlier, const Accessor& by, std::uint8_t bytes) const;
  void report(const ShadowAccess& earlier, bool earlier_writes, const Accessor& by, const Observed& observed);
  void synchronise(const Accessor& by, const Operation& operation, const Observed& observed);
  void copy_reports(const Accessor& by, const Observed& observed);
  void order(RaceBlock& block, std::uint32_t number, const Operation& operation);
  void wait_for_copies(RaceBlock& block, std::uint32_t number, const Operation& operation) const;
  void report_copies(const WarpContext& warp, const Operation& operation, LaneMask lanes);
  const Function& function(const FunctionCode& code) { return &code == last_.code ? *last_.function : find(code); }
  const Function& find(const FunctionCode& code);
  std::uint32_t place_of(const FunctionCode& code, const Operation& operation);
  std::string place_text_of(std::uint32_t place) const;
  std::string memory_text(const ObservedAccess& access) const;

  const LaunchContext* launch_ = nullptr;
  bool in_step_ = false;  // lanes of a warp
  RaceThreads threads_;
  GlobalShadow global_;
  std::vector<Observed> observed_;  // of the running operation
  std::vector<Accessor> accessors_;
  std::uint32_t place_ = 0;
  std::map<const FunctionCode*, Function> functions_;
  std::vector<const Function*> by_place_;
  struct {
    const FunctionCode* code = nullptr;
    const Function* function = nullptr;
  } last_;  // that was asked for
  std::uint32_t next_place_ = 0;
  std::map<Pair, std::size_t> found_;  // index into races_
  std::vector<Race> races_;            // in the order in which they were found
  std::map<std::string, std::uint64_t> known_;
  std::uint64_t launches_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace warpsim
