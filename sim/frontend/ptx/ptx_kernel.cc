#include "frontend/ptx/ptx_kernel.h"

#include <utility>

#include "emulator/code/kernel_image.h"
#include "emulator/execution/launch_watch.h"
#include "emulator/memory/generic_address.h"

namespace warpsim {

// A block while it is in the machine.
class PtxKernel::Resident final : public BlockSource {
 public:
  Resident(PtxKernel& kernel, Cluster& cluster, PtxBlock& block) : kernel_(kernel), cluster_(cluster), block_(block) {}
  ~Resident() override { kernel_.block_ended(cluster_); }
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  std::uint32_t warp_count() const override { return block_.execution().warp_count(); }
  void refill(WarpStream& stream, Cycle now) override { block_.refill(stream, now); }
  Cycle known_at(const WarpStream& stream) const override { return block_.known_at(stream.warp); }
  LaneAddresses addresses(const WarpInstruction& instruction) const override {
    return instruction.addresses == WarpInstruction::kNoAddresses ? LaneAddresses{} : block_.addresses(instruction);
  }
  const AsyncOperation* operations(const WarpInstruction& instruction) const override {
    return block_.operations(instruction);
  }

 private:
  PtxKernel& kernel_;
  Cluster& cluster_;
  PtxBlock& block_;
};

PtxKernel::PtxKernel(LaunchContext context, MachineCode machine, const PtxKernelOptions& options, KernelLaunch launch)
    : context_(std::move(context)),
      options_(options),
      code_(*context_.kernel, std::move(machine)),
      launch_(std::move(launch)) {
  launch_.code = context_.kernel->module().module().is_machine_code ? "machine code" : "PTX";
  launch_.grid = context_.grid;
  launch_.block = context_.block;
  launch_.cluster = context_.cluster;
  launch_.registers_per_thread = code_.machine().registers_per_thread;
  launch_.shared_bytes = context_.kernel->static_shared_bytes() + context_.dynamic_shared_bytes;
  launch_.local_bytes_per_thread = options_.local_bytes;
  launch_.shared_base = kSharedWindow;
  launch_.local_base = kLocalWindow;
  launch_.program = code_.machine().program;
}

// The search for races and breakpoints follow one order of execution.
KernelSource::Concurrency PtxKernel::concurrency() const {
  return context_.races == nullptr && context_.breakpoints == nullptr ? Concurrency::kExchanged : Concurrency::kOrdered;
}

void PtxKernel::set_exchange_interval(Cycle cycles) {
  effects_.emplace().set_interval(cycles);
}

void PtxKernel::set_delay(const std::function<Cycle(Address)>& delay) {
  effects_->set_delay(delay);
}

void PtxKernel::exchange(Cycle now) {
  exchange_until(now, now);
}

void PtxKernel::end_exchange(Cycle now) {
  exchange_until(kNever, now);
}

void PtxKernel::exchange_until(Cycle arrivals, Cycle now) {
  const std::uint64_t operations = effects_->exchange(arrivals);
  if (context_.watch != nullptr) {
    context_.watch->spend(operations);
    context_.watch->look_at_machine(now);
  }
}

PtxKernel::~PtxKernel() = default;

std::unique_ptr<BlockSource> PtxKernel::start_block(std::uint64_t linear_index, std::uint32_t sm) {
  const std::scoped_lock lock(blocks_mutex_);
  Cluster& cluster = cluster_at(linear_index, sm);
  std::size_t rank = 0;
  while (cluster.blocks[rank]->execution().memory().linear_index != linear_index) {
    ++rank;
  }
  PtxBlock& block = *cluster.blocks[rank];
  block.enter(sm, effects_ ? &*effects_ : nullptr);
  if (--cluster.to_start == 0 && cluster.blocks.size() > 1) {
    starting_.erase(cluster.number);
  }
  return std::make_unique<Resident>(*this, cluster, block);
}

// With the first of its blocks a cluster begins: that one may access the others before the machine starts them.
PtxKernel::Cluster& PtxKernel::cluster_at(std::uint64_t linear_index, std::uint32_t sm) {
  const auto size = static_cast<std::uint32_t>(context_.cluster.count());
  const std::uint64_t number = size == 1 ? linear_index : cluster_of_block(context_, linear_index);
  if (size > 1) {
    if (const auto known = starting_.find(number); known != starting_.end()) {
      return *known->second;
    }
  }
  Cluster& cluster = free_cluster();
  cluster.number = number;
  cluster.to_start = size;
  cluster.left = size;
  cluster.state.arrived = 0;
  cluster.state.threads = 0;
  cluster.state.phase = 1;
  cluster.state.blocks.clear();
  if (size == 1) {
    cluster.blocks.front()->start(linear_index, sm, cluster.state);
    return cluster;
  }
  const std::vector<std::uint64_t> indices = blocks_of_cluster(context_, number);
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    cluster.blocks[rank]->start(indices[rank], sm, cluster.state);
  }
  starting_[number] = &cluster;
  return cluster;
}

PtxKernel::Cluster& PtxKernel::free_cluster() {
  if (!free_.empty()) {
    Cluster& cluster = *free_.back();
    free_.pop_back();
    return cluster;
  }
  clusters_.push_back(std::make_unique<Cluster>());
  Cluster& cluster = *clusters_.back();
  std::vector<BlockMemory*> memories;
  for (std::uint64_t i = 0; i < context_.cluster.count(); ++i) {
    cluster.blocks.push_back(
        std::make_unique<PtxBlock>(context_, options_.local_bytes, code_, options_.accesses_in_flight));
    memories.push_back(&cluster.blocks.back()->execution().memory());
  }
  for (const std::unique_ptr<PtxBlock>& block : cluster.blocks) {
    block->execution().memory().cluster = memories;
  }
  return cluster;
}

void PtxKernel::block_ended(Cluster& cluster) {
  const std::scoped_lock lock(blocks_mutex_);
  if (--cluster.left == 0) {
    free_.push_back(&cluster);
  }
}

}  // namespace warpsim
