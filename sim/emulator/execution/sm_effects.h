// Effects of the warps of one SM that other SMs see late: kept until all SMs exchange them (launch_effects.h).
//
// Effects in memory that is far away, of another GPU or of the host, arrive there later: each has a delay, in addition
// to that of the exchange.
//
// A warp that executes such an operation either has it executed later, on memory as it is then, and does not continue
// before that, or continues at once: a store keeps its values, and an update without result the values of its operands.
// Records are in the order of execution: by cycle, then sub-core, then lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/memory_view.h"
#include "emulator/operations/operation.h"

namespace warpsim {

// Executes an operation of a warp that was put off.
class PutOffWarps {
 public:
  virtual ~PutOffWarps() = default;
  // `cycle`: at which the operation was issued.
  virtual void execute_put_off(std::uint32_t warp, Cycle cycle) = 0;
};

class SmEffects {
 public:
  // Cycles from an address to its memory; 0 for that of the GPU.
  using Delay = std::function<Cycle(Address)>;

  MemoryView& view() { return view_; }
  // Null: no memory is far away. It outlives the effects.
  void set_delay(const Delay* delay) { delay_ = delay; }
  const Delay* delay() const { return delay_; }

  // `way`, here and below: the delay of the operation's memory.
  // The operation that has just been executed at `now` may have written to the view.
  void executed(Cycle now, Cycle way = 0);
  // The warp's operation is executed at the exchange.
  void put_off(PutOffWarps& block, std::uint32_t warp, Cycle now, Cycle way = 0);
  // The same for an update of memory without result (EffectReach::kUpdate), whose operands are taken now. Throws
  // KernelFault.
  struct Issued {
    LaneMask lanes = 0;
    Cycle now = 0;
    Cycle way = 0;
  };
  void put_off_update(WarpContext& warp, const Operation& operation, const Issued& issued);
  // A warning, which is passed on at the exchange.
  void warn(const LaunchContext& launch, std::uint32_t line, std::string text, Cycle now);
  // Warp instructions that were executed.
  void spend(std::uint64_t operations) { spent_ += operations; }

  // --- at the exchange ---
  std::size_t size() const { return records_.size(); }
  Cycle cycle(std::size_t record) const { return records_[record].cycle; }
  // Throws KernelFault.
  void execute(std::size_t record);
  // Calls found(arrival, queue) for each effect in memory that is far away that has arrived before `now`, queue by
  // queue in the order of arrival.
  template <typename Found>
  void find_arrived(Cycle now, Found&& found) const {
    for (std::size_t queue = 0; queue < ways_.size(); ++queue) {
      for (const FarRecord& record : ways_[queue].records) {
        if (record.arrival >= now) {
          break;
        }
        found(record.arrival, static_cast<std::uint32_t>(queue));
      }
    }
  }
  // Executes the first effect of a queue. Throws KernelFault.
  void execute_arrived(std::size_t queue);
  // Ends the exchange. Returns the number of warp instructions since the previous one.
  std::uint64_t clear();

 private:
  struct Update {
    Operation operation;  // its operands are places in `operands`
    WarpContext warp;
    LaneMask lanes = 0;
    alignas(std::uint64_t) std::array<std::byte, std::size_t{3} * kWarpSize * sizeof(std::uint64_t)> operands;

    void run() {
      warp.registers = operands.data();
      operation.run(warp, operation, lanes);
    }
  };
  // In memory that is far away.
  struct FarRecord {
    Cycle cycle = 0;
    Cycle arrival = 0;
    std::vector<FarView::Write> writes = {};
    std::unique_ptr<Update> update = nullptr;
    std::vector<std::byte*> updated = {};
    PutOffWarps* block = nullptr;
    std::uint32_t warp = 0;
  };
  struct Way {
    Cycle cycles = 0;
    std::deque<FarRecord> records;
  };
  void send(FarRecord record, Cycle way);

  struct Warning {
    std::uint32_t line = 0;
    std::string text;
    const LaunchContext* launch = nullptr;
  };
  enum class Kind : std::uint8_t { kWrites, kUpdate, kOperation, kWarning };
  struct Record {
    Cycle cycle = 0;
    Kind kind = Kind::kWrites;
    MemoryView::Writes writes = {};
    std::uint32_t index = 0;  // of the update or warning; of the warp
    PutOffWarps* block = nullptr;
  };

  MemoryView view_;
  std::vector<Record> records_;
  std::vector<std::unique_ptr<Update>> updates_;  // kept for reuse
  std::uint32_t used_updates_ = 0;
  std::vector<Warning> warnings_;
  const Delay* delay_ = nullptr;
  std::deque<Way> ways_;  // by delay: on each, effects arrive in the order in which they began
  std::uint64_t spent_ = 0;
};

}  // namespace warpsim
