// A recorded kernel on a GPU of another architecture: its program lowered (lowered_program.h), its warps' paths mapped
// to the new program. On architectures without clusters their blocks run independently.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/launch/instruction_source.h"
#include "frontend/lowering/lowered_program.h"
#include "frontend/lowering/lowering_findings.h"

namespace warpsim {

struct LoweringTarget {
  std::uint32_t architecture = 0;          // 86 for compute capability 8.6
  std::uint32_t registers_per_thread = 0;  // maximum
  bool strict = false;                     // an instruction that is not native is an error
  std::string trace = {};                  // for the error message
};

class LoweredKernel final : public KernelSource {
 public:
  // Throws TraceError, naming opcode and kernel, if strict.
  LoweredKernel(std::unique_ptr<KernelSource> recorded, const LoweringTarget& target);
  // `lowered`: the kernel's program, already lowered to the target.
  LoweredKernel(std::unique_ptr<KernelSource> recorded, const LoweringTarget& target,
                std::shared_ptr<const LoweredProgram> lowered);
  ~LoweredKernel() override;

  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override;
  Concurrency concurrency() const override { return recorded_->concurrency(); }
  void set_exchange_interval(Cycle cycles) override { recorded_->set_exchange_interval(cycles); }
  void set_delay(const std::function<Cycle(Address)>& delay) override { recorded_->set_delay(delay); }
  void end_exchange(Cycle now) override { recorded_->end_exchange(now); }
  void exchange(Cycle now) override { recorded_->exchange(now); }
  std::shared_ptr<const LoweringFindings> findings() const { return findings_; }
  std::shared_ptr<const LoweredProgram> lowered() const { return lowered_; }

 private:
  std::unique_ptr<KernelSource> recorded_;
  KernelLaunch launch_;
  std::shared_ptr<const LoweredProgram> lowered_;
  std::shared_ptr<LoweringFindings> findings_;
};

}  // namespace warpsim
