#include "device/dependent_launches.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "device/device_run.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

// Its records can be read when it has ended.
class Kept final : public KernelSource {
 public:
  explicit Kept(SyntheticKernel& kernel, std::uint32_t index) : kernel_(kernel), launch_(kernel.launch()) {
    launch_.launch_index = index;
  }
  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override {
    return kernel_.start_block(linear_index, sm);
  }
  Concurrency concurrency() const override { return Concurrency::kFree; }

 private:
  SyntheticKernel& kernel_;
  KernelLaunch launch_;
};

// A kernel that triggers, waits for the kernels before it, or both, and then works for so many rounds.
struct Plan {
  bool trigger = true;
  bool wait = false;
  std::uint32_t rounds = 1000;
};
constexpr std::uint32_t kTrigger = 0;  // index of the instruction
constexpr std::uint32_t kWait = 1;
KernelBuilder builder_of(const Plan& plan) {
  KernelBuilder k;
  k.op(plan.trigger ? "PREEXIT" : "NOP");
  k.op(plan.wait ? "ACQBULK" : "NOP");
  k.loop(plan.rounds, [&] { k.ffma(5, 5, 5, 5).stall(4); });
  k.exit();
  return k;
}

using Edge = Dependence::Edge;

// The tiny GPU: two SMs of 8 warps, one cycle is one ns. All is submitted at time 0.
struct Bench {
  explicit Bench(const MachineOptions& options = {.flush_before_launch = false}, const Overrides& overrides = {})
      : config(tiny_config(Overrides{"host_calls.launch_ns=0"} + overrides)),
        machine(config, options),
        device(machine, config,
               {.begin = {},
                .submitted = {},
                .end = [this](KernelSource& kernel, const EndedLaunch& launch, StatGroup& stats) {
                  launches[kernel.launch().launch_index] = launch;
                  counters[kernel.launch().launch_index] = counters_of(stats);
                }}) {}
  // In stream 1; `edge` to the one before it.
  WorkHandle launch(const Plan& plan, const KernelShape& shape = {}, bool programmatic = true) {
    Work work = work_of(plan, shape);
    work.programmatic = programmatic;
    return device.submit(std::move(work));
  }
  WorkHandle node(const Plan& plan, const std::vector<Dependence>& after, bool reports_begin = false) {
    Work work = work_of(plan, {});
    work.place.in_graph = true;
    work.place.after = after;
    work.place.reports_begin = reports_begin;
    return device.submit(std::move(work));
  }
  Work work_of(const Plan& plan, const KernelShape& shape) {
    kernels.push_back(std::make_unique<SyntheticKernel>(builder_of(plan), shape));
    Work work;
    work.kind = WorkKind::kKernel;
    work.place.stream = 1;
    work.kernel = std::make_unique<Kept>(*kernels.back(), static_cast<std::uint32_t>(kernels.size() - 1));
    return work;
  }
  const WarpRecord& warp(std::size_t kernel, std::uint64_t block = 0) const { return kernels[kernel]->warp(0, block); }
  double issued(std::size_t kernel, std::size_t instruction, std::uint64_t block = 0) const {
    return device.time_of(warp(kernel, block).issued.at(instruction));
  }
  double started(std::size_t kernel, std::uint64_t block = 0) const {
    return device.time_of(warp(kernel, block).started);
  }
  double ended(std::size_t kernel) const { return launches.at(static_cast<std::uint32_t>(kernel)).end_ns; }

  GpuConfig config;
  Machine machine;
  std::vector<std::unique_ptr<SyntheticKernel>> kernels;
  std::map<std::uint32_t, EndedLaunch> launches;
  std::map<std::uint32_t, Counters> counters;
  DeviceRun device;
};

constexpr double kOverhead = 100;   // of a launch
constexpr double kHeadStart = 60;   // programmatic_head_start_ns
constexpr double kWaitEnd = 40;     // programmatic_wait_ns
constexpr double kReport = 10;      // from an SM to the scheduler
constexpr double kAssignment = 10;  // and back
// From a block's arrival to its first warp.
double set_up(const Bench& bench) {
  return bench.config.sm.block_start_cycles;
}

}  // namespace

TEST_CASE("dependent launch: it begins when all blocks have triggered, a part of the launch overhead later") {
  Bench bench;
  bench.launch({.trigger = true, .rounds = 2000}, {.blocks = 2}, false);
  bench.launch({.rounds = 10});
  bench.device.finish();
  const double last_trigger = std::max(bench.issued(0, kTrigger, 0), bench.issued(0, kTrigger, 1));
  CHECK(bench.started(1) == last_trigger + kReport + kOverhead - kHeadStart + kAssignment + set_up(bench));
  CHECK(bench.ended(1) < bench.ended(0));
  CHECK(bench.launches[1].beside == 1);
}

TEST_CASE("dependent launch: a block that does not trigger counts at its end") {
  Bench bench;
  bench.launch({.trigger = false, .rounds = 500}, {.blocks = 2}, false);
  bench.launch({.rounds = 10});
  bench.device.finish();
  const double last = std::max(bench.issued(0, 1002, 0), bench.issued(0, 1002, 1));
  // A warp leaves one cycle after its last instruction.
  CHECK(bench.started(1) ==
        Approx(last + 1 + kReport + kOverhead - kHeadStart + kAssignment + set_up(bench)).margin(1));
  CHECK(bench.launches[1].start_ns < bench.ended(0));
}

TEST_CASE("dependent launch: its wait ends when the kernel before it is over") {
  Bench bench;
  bench.launch({.rounds = 2000}, {}, false);
  bench.launch({.wait = true, .rounds = 10});
  bench.device.finish();
  CHECK(bench.issued(1, kTrigger) < bench.ended(0) - 1000);
  CHECK(bench.issued(1, kWait + 1) == bench.ended(0) + kWaitEnd);
  const double since_trigger = bench.issued(1, kWait + 1) - bench.issued(1, kTrigger);
  CHECK(bench.counters[1].at("sm.sub_core.stalled_misc") == Approx(since_trigger).margin(10));
  CHECK(bench.counters[0].at("sm.sub_core.stalled_misc") == 0);
}

TEST_CASE("dependent launch: a wait does nothing if the kernel before is over, or the launch is not dependent") {
  Bench bench;
  bench.launch({.wait = true, .rounds = 100}, {}, false);
  bench.launch({.trigger = false, .wait = true, .rounds = 10}, {}, false);
  bench.device.finish();
  CHECK(bench.started(1) > bench.ended(0));
  for (const std::size_t kernel : {0U, 1U}) {
    CHECK(bench.issued(kernel, kWait + 1) - bench.issued(kernel, kWait) < 40);
    CHECK(bench.counters[static_cast<std::uint32_t>(kernel)].at("sm.sub_core.stalled_misc") == 0);
  }
}

TEST_CASE("dependent launch: its blocks wait for space that the first kernel leaves") {
  Bench bench;
  bench.launch({.rounds = 500}, {.blocks = 2, .warps = 8}, false);  // all slots of both SMs
  bench.launch({.rounds = 10}, {.blocks = 1, .warps = 8});
  bench.device.finish();
  const double first_end = std::min(bench.issued(0, 1002, 0), bench.issued(0, 1002, 1));
  CHECK(bench.started(1) > first_end + kReport + kAssignment);
  CHECK(bench.started(1) < first_end + 100);
  CHECK(bench.counters[1].at("block_scheduler.cycles_wait_warps") > 500);
}

TEST_CASE("dependent launch: one that never waits can end first; what follows waits for both") {
  Bench bench;
  const WorkHandle first = bench.launch({.rounds = 2000}, {}, false);
  const WorkHandle second = bench.launch({.rounds = 10});
  bench.launch({.trigger = false, .rounds = 10}, {}, false);
  bench.device.finish();
  CHECK(bench.ended(1) < bench.ended(0) - 1000);
  CHECK(second->end_ns == first->end_ns);
  CHECK(bench.launches[2].start_ns >= bench.ended(0));
}

TEST_CASE("dependent launch: in a chain of three the last one begins while the first one runs") {
  Bench bench;
  bench.launch({.rounds = 2000}, {}, false);
  bench.launch({.wait = true, .rounds = 500});
  bench.launch({.wait = true, .rounds = 10});
  bench.device.finish();
  CHECK(bench.started(2) == bench.issued(1, kTrigger) + kReport + kOverhead - kHeadStart + kAssignment + set_up(bench));
  CHECK(bench.started(2) < bench.ended(0) - 1000);
  CHECK(bench.issued(1, kWait + 1) == bench.ended(0) + kWaitEnd);
  CHECK(bench.issued(2, kWait + 1) == bench.ended(1) + kWaitEnd);
}

TEST_CASE("dependent launch: a kernel that did not wait is over when the one before it is") {
  Bench bench;
  bench.launch({.rounds = 2000}, {}, false);
  bench.launch({.wait = false, .rounds = 10});
  bench.launch({.wait = true, .rounds = 10});
  bench.device.finish();
  CHECK(bench.issued(2, kWait + 1) == bench.ended(0) + kWaitEnd);
}

TEST_CASE("dependent launch: the launch overhead does not pass before the submission") {
  Bench bench;
  bench.launch({.rounds = 3000}, {}, false);
  bench.device.spend(2000);
  bench.launch({.rounds = 10});
  bench.device.finish();
  CHECK(bench.started(1) == Approx(2000 + kOverhead + kAssignment + set_up(bench)).margin(1));
}

TEST_CASE("dependent launch: edges of a graph") {
  for (const Edge edge : {Edge::kProgrammatic, Edge::kProgrammaticBegin, Edge::kBegin}) {
    CAPTURE(static_cast<int>(edge));
    Bench bench;
    const bool begins = edge != Edge::kProgrammatic;
    const WorkHandle first = bench.node({.trigger = !begins, .rounds = 2000}, {}, begins);
    const WorkHandle second = bench.node({.wait = true, .rounds = 10}, {{first, edge}});
    bench.device.finish();
    // The scheduler knows when it has sent the last block, which arrives later.
    const double ready = begins ? bench.started(0) - set_up(bench) : bench.issued(0, kTrigger) + kReport;
    CHECK(bench.started(1) == ready + kOverhead - kHeadStart + kAssignment + set_up(bench));
    CHECK(second->end_ns >= first->end_ns);
    if (edge == Edge::kBegin) {
      CHECK(bench.issued(1, kWait + 1) < bench.ended(0) - 1000);
    } else {
      CHECK(bench.issued(1, kWait + 1) == bench.ended(0) + kWaitEnd);
    }
  }
}

TEST_CASE("dependent launch: copies wait for the end of a kernel that has triggered") {
  Bench bench;
  const WorkHandle first = bench.node({.rounds = 2000}, {});
  Work copy;
  copy.kind = WorkKind::kInDevice;
  copy.place.in_graph = true;
  copy.place.after = {{first, Edge::kProgrammatic}};
  const WorkHandle second = bench.device.submit(std::move(copy));
  bench.device.finish();
  CHECK(second->start_ns >= first->end_ns);
}

TEST_CASE("dependent launch: kernels run one after another where the device cannot do it, or has one grid at a time") {
  const Overrides without =
      GENERATE(Overrides{"device_queues.programmatic_launches=false"}, Overrides{"specifications.resident_grids=1"});
  Bench bench({.flush_before_launch = false}, without);
  bench.launch({.rounds = 500}, {}, false);
  bench.launch({.wait = true, .rounds = 10});
  bench.device.finish();
  CHECK(bench.launches[1].start_ns >= bench.ended(0));
  CHECK(bench.started(1) - bench.launches[1].start_ns == kOverhead + kAssignment + set_up(bench));
}

TEST_CASE("dependent launch: a kernel that may launch others keeps its places until it is over") {
  Bench bench;
  Work work = bench.work_of({.rounds = 500}, {});
  work.launches = true;
  bench.device.submit(std::move(work));
  bench.launch({.rounds = 10});
  bench.device.finish();
  CHECK(bench.launches[1].start_ns >= bench.ended(0));
}

TEST_CASE("dependent launch: times do not depend on threads, skipping and order") {
  const auto times = [](const MachineOptions& options) {
    Bench bench(options);
    bench.launch({.rounds = 700}, {.blocks = 3, .warps = 3}, false);
    bench.launch({.wait = true, .rounds = 300}, {.blocks = 2, .warps = 2});
    bench.launch({.trigger = false, .wait = true, .rounds = 100}, {.blocks = 5});
    bench.launch({.wait = false, .rounds = 100});
    bench.launch({.wait = true, .rounds = 100}, {.blocks = 4, .warps = 2});
    bench.device.finish();
    std::vector<double> all;
    for (const auto& [index, launch] : bench.launches) {
      all.insert(all.end(), {launch.start_ns, launch.end_ns, bench.started(index), bench.issued(index, kWait + 1)});
      for (const auto& [name, value] : bench.counters.at(index)) {
        all.push_back(static_cast<double>(value));
      }
    }
    return all;
  };
  const std::vector<double> expected = times({.flush_before_launch = false});
  CHECK(times({.skip = false, .flush_before_launch = false}) == expected);
  CHECK(times({.flush_before_launch = false, .threads = 2}) == expected);
  CHECK(times({.flush_before_launch = false, .shuffle = 3}) == expected);
}

TEST_CASE("dependent launch: a kernel is free when all kernels before it are over") {
  DependentLaunches launches;
  const auto one = std::make_shared<WorkState>();
  const auto other = std::make_shared<WorkState>();
  const auto over = std::make_shared<WorkState>();
  over->over = true;
  launches.start(7, {{one, Edge::kProgrammatic}, {other, Edge::kBegin}, {over, Edge::kProgrammatic}});
  launches.start(8, {{over, Edge::kProgrammatic}});
  CHECK(launches.waits(7));
  CHECK(launches.is_held(7));
  CHECK_FALSE(launches.is_held(8));
  CHECK(launches.end(over).empty());
  const auto first = launches.end(one);
  REQUIRE(first.size() == 1);
  CHECK(first[0].number == 7);
  CHECK(first[0].waits_end);
  CHECK_FALSE(first[0].is_free);
  const auto last = launches.end(other);
  REQUIRE(last.size() == 1);
  CHECK_FALSE(last[0].waits_end);
  CHECK(last[0].is_free);
  CHECK_FALSE(launches.is_held(7));
}

}  // namespace warpsim::test
