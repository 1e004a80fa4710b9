#include "frontend/workload/block_trace.h"

#include "base/check.h"
#include "frontend/async/async_kernel.h"
#include "frontend/values/constant_addresses.h"

namespace warpsim {
namespace {

// All instructions of a recorded block are known at its start: each warp gets all its instructions at once.
class TraceBlockSource final : public BlockSource {
 public:
  TraceBlockSource(BlockTrace trace, std::uint32_t warps, std::uint32_t sm, std::shared_ptr<SpareBlocks> spare)
      : trace_(std::move(trace)), served_(warps, false), sm_(sm), spare_(std::move(spare)) {}
  ~TraceBlockSource() override { spare_->give_back(sm_, std::move(trace_)); }
  TraceBlockSource(const TraceBlockSource&) = delete;
  TraceBlockSource& operator=(const TraceBlockSource&) = delete;

  std::uint32_t warp_count() const override { return static_cast<std::uint32_t>(served_.size()); }

  void refill(WarpStream& stream, Cycle /*now*/) override {
    SIM_CHECK(stream.warp < served_.size(), "refill of a warp that the block does not have");
    stream.finished = true;
    stream.next = stream.end = nullptr;
    if (!served_[stream.warp] && stream.warp < trace_.warp_count()) {
      stream.next = trace_.instructions.data() + trace_.warp_begin[stream.warp];
      stream.end = trace_.instructions.data() + trace_.warp_begin[stream.warp + 1];
    }
    served_[stream.warp] = true;
  }

  LaneAddresses addresses(const WarpInstruction& instruction) const override {
    if (instruction.addresses == WarpInstruction::kNoAddresses) {
      return {};
    }
    return trace_.addresses.at(instruction.addresses);
  }

  const AsyncOperation* operations(const WarpInstruction& instruction) const override {
    return &trace_.operations[instruction.operation - 1];
  }

 private:
  BlockTrace trace_;
  std::vector<bool> served_;
  std::uint32_t sm_;
  std::shared_ptr<SpareBlocks> spare_;
};

}  // namespace

TraceKernelSource::TraceKernelSource(KernelLaunch launch, std::unique_ptr<BlockReader> reader, bool infer_asynchronous)
    : launch_(std::move(launch)), reader_(std::move(reader)), spare_(std::make_shared<SpareBlocks>()) {
  if (infer_asynchronous && is_asynchronous(*launch_.program)) {
    async_ = std::make_unique<AsyncKernel>(launch_, std::move(reader_));
  }
  if (ConstantAddresses::needed(*launch_.program)) {
    constants_ = std::make_unique<ConstantAddresses>(launch_);
  }
}

TraceKernelSource::~TraceKernelSource() = default;

std::shared_ptr<const AsyncFindings> TraceKernelSource::async_findings() const {
  return async_ == nullptr ? nullptr : async_->findings();
}

std::unique_ptr<BlockSource> TraceKernelSource::start_block(std::uint64_t linear_index, std::uint32_t sm) {
  BlockTrace trace = spare_->take(sm);
  if (async_ != nullptr) {
    async_->read(linear_index, trace);
  } else {
    reader_->read(linear_index, trace);
  }
  if (constants_ != nullptr) {
    const std::scoped_lock lock(constants_mutex_);
    constants_->fill(trace);
  }
  return std::make_unique<TraceBlockSource>(std::move(trace), launch_.warps_per_block(), sm, spare_);
}

}  // namespace warpsim
