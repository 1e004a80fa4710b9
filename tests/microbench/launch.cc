// Starts of blocks from their clock reads: intervals between successive starts on one SM, over all SMs, and the
// mean interval of an SM. Times of empty kernels are those of four launches in a row between two markers: small grids
// show the rate of the host, large ones the time of the launch.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "core/launch/launch_queue.h"
#include "microbench/listed_kernel.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

constexpr std::uint32_t kBlocks = 132 * 64;

// Finds the SM of a block: the one whose count of started blocks increased before the next block starts.
class SmOfBlock : public StatVisitor {
 public:
  explicit SmOfBlock(Machine& gpu) : sm_(kBlocks, 0) { visit(gpu.stats(), *this); }

  void counter(const std::string& kind, const std::string&, const NamedCounter& counter) override {
    if (kind == "sm" && std::string(counter.name()) == "blocks_launched") {
      started_.push_back(&counter.counter());
    }
  }
  void histogram(const std::string&, const std::string&, const Histogram&) override {}

  void starts(std::uint64_t block) {
    settle();
    last_ = block;
  }
  // Must also be called once after the last block.
  void settle() {
    if (seen_.empty()) {
      seen_.resize(started_.size());
      std::transform(started_.begin(), started_.end(), seen_.begin(), [](const Counter* c) { return c->value(); });
      return;
    }
    for (std::size_t i = 0; i < started_.size(); ++i) {
      if (started_[i]->value() != seen_[i]) {
        seen_[i] = started_[i]->value();
        sm_[last_] = i;
      }
    }
  }
  std::size_t operator[](std::uint64_t block) const { return sm_[block]; }

 private:
  std::vector<const Counter*> started_;  // by SM
  std::vector<std::uint64_t> seen_;
  std::vector<std::size_t> sm_;  // by block
  std::uint64_t last_ = 0;
};

// Start times of blocks by SM, each in order.
std::vector<std::vector<Cycle>> block_starts(const GpuConfig& config,
                                             const std::shared_ptr<const StaticProgram>& program,
                                             std::uint32_t threads) {
  Flow flow;
  flow.leaves = [](std::uint32_t, LaneMask lanes) { return lanes & ~LaneMask{1}; };
  const Path path = trace_path(program, flow);
  const auto exit = std::find_if(path.steps.begin(), path.steps.end(), [&](const WarpInstruction& step) {
    return program->instructions[step.index].kind == OpKind::kExit;
  });
  const std::size_t steps_of_others = static_cast<std::size_t>(exit - path.steps.begin()) + 1;
  Machine gpu(config, as_measured());
  for (int launch = 0;; ++launch) {
    ListedKernel kernel(path, {.blocks = kBlocks,
                               .warps = threads / kWarpSize,
                               .registers = 18,
                               .steps_of_others = steps_of_others,
                               .block_bytes = 8});
    SmOfBlock sm_of_block(gpu);
    kernel.on_start = [&](std::uint64_t block) { sm_of_block.starts(block); };
    gpu.run(kernel);
    sm_of_block.settle();
    // The second launch is the measured one.
    if (launch == 1) {
      std::map<std::size_t, std::vector<Cycle>> by_sm;
      for (std::uint64_t block = 0; block < kBlocks; ++block) {
        by_sm[sm_of_block[block]].push_back(kernel.clocks(0, block).at(0));
      }
      std::vector<std::vector<Cycle>> starts;
      for (auto& [sm, cycles] : by_sm) {
        std::sort(cycles.begin(), cycles.end());
        starts.push_back(std::move(cycles));
      }
      return starts;
    }
  }
}

// Like the measured program: the element at this part of the sorted intervals.
double gap(const std::vector<std::vector<Cycle>>& starts, std::size_t tenths) {
  std::vector<Cycle> gaps;
  for (const std::vector<Cycle>& sm : starts) {
    for (std::size_t i = 1; i < sm.size(); ++i) {
      gaps.push_back(sm[i] - sm[i - 1]);
    }
  }
  SIM_CHECK(!gaps.empty(), "no SM took two blocks");
  std::sort(gaps.begin(), gaps.end());
  return static_cast<double>(gaps[gaps.size() * tenths / 10]);
}

double cycles_per_block(const std::vector<std::vector<Cycle>>& starts) {
  std::vector<double> means;
  for (const std::vector<Cycle>& sm : starts) {
    if (sm.size() >= 2) {
      means.push_back(static_cast<double>(sm.back() - sm.front()) / static_cast<double>(sm.size() - 1));
    }
  }
  SIM_CHECK(!means.empty(), "no SM took two blocks");
  std::sort(means.begin(), means.end());
  return means[means.size() / 2];
}

// Microseconds of a launch, the mean of four equal ones after one that fills the caches.
double empty_launch(const GpuConfig& config, const std::shared_ptr<const StaticProgram>& program, std::uint32_t threads,
                    std::uint32_t blocks) {
  Machine gpu(config, as_measured());
  ListedKernel kernel(uniform_path(program, {}), {.blocks = blocks, .warps = threads / kWarpSize, .registers = 4});
  gpu.run(kernel);
  const double duration_ns = gpu.run(kernel).duration_ns;
  constexpr int kLaunches = 4;
  LaunchQueue queue(config.launch_queue, config.copies);
  const double begin_ns = queue.mark();
  for (int launch = 0; launch < kLaunches; ++launch) {
    queue.submit(duration_ns);
  }
  return (queue.mark() - begin_ns) / kLaunches / 1000;
}

}  // namespace

Family launch_family() {
  const Programs programs = load_programs("launch");
  const auto program = find_program(programs, "m_stamp");
  const auto empty = find_program(programs, "m_empty");
  Family family;
  family.bench = "launch";
  for (const std::uint32_t threads : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    for (const std::size_t tenths : {1U, 5U, 9U}) {
      family.probes.push_back(
          {fmt::format("launch.block_start_gap.p{}.threads{}", 10 * tenths, threads),
           [=](const GpuConfig& config) { return gap(block_starts(config, program, threads), tenths); }});
    }
    family.probes.push_back(
        {fmt::format("launch.cycles_per_block_per_sm.threads{}", threads),
         [=](const GpuConfig& config) { return cycles_per_block(block_starts(config, program, threads)); }});
  }
  for (const std::uint32_t threads : {32U, 128U, 256U, 512U, 1024U}) {
    for (const std::uint32_t blocks : {1U, 66U, 132U, 264U, 528U, 1056U, 2112U, 4224U, 8448U, 16896U, 33792U, 67584U}) {
      family.probes.push_back({fmt::format("launch.empty.threads{}.blocks{}", threads, blocks),
                               [=](const GpuConfig& config) { return empty_launch(config, empty, threads, blocks); }});
    }
  }
  family.uncovered = {
      {"launch.sm_of_block*",
       "a number of an SM, not a quantity, and another one in each run; tests of block placement hold the order"},
  };
  return family;
}

}  // namespace warpsim::microbench
