// Effects of the warps of one SM that other SMs see late: kept until all SMs exchange them (launch_effects.h).
//
// A warp that executes such an operation either has it executed later, on memory as it is then, and does not continue
// before that, or continues at once: a store keeps its values, and an update without result the values of its operands.
// Records are in the order of execution: by cycle, then sub-core, then lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
  MemoryView& view() { return view_; }

  // The operation that has just been executed at `now` may have written to the view.
  void executed(Cycle now);
  // The warp's operation is executed at the exchange.
  void put_off(PutOffWarps& block, std::uint32_t warp, Cycle now);
  // The same for an update of memory without result (EffectReach::kUpdate), whose operands are taken now. Throws
  // KernelFault.
  void put_off_update(WarpContext& warp, const Operation& operation, LaneMask lanes, Cycle now);
  // A warning, which is passed on at the exchange.
  void warn(const LaunchContext& launch, std::uint32_t line, std::string text, Cycle now);
  // Warp instructions that were executed.
  void spend(std::uint64_t operations) { spent_ += operations; }

  // --- at the exchange ---
  std::size_t size() const { return records_.size(); }
  Cycle cycle(std::size_t record) const { return records_[record].cycle; }
  // Throws KernelFault.
  void execute(std::size_t record);
  // Ends the exchange. Returns the number of warp instructions since the previous one.
  std::uint64_t clear();

 private:
  struct Update {
    Operation operation;  // its operands are places in `operands`
    WarpContext warp;
    LaneMask lanes = 0;
    alignas(std::uint64_t) std::array<std::byte, std::size_t{3} * kWarpSize * sizeof(std::uint64_t)> operands;
  };
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
  std::uint64_t spent_ = 0;
};

}  // namespace warpsim
