#include "core/gpu/gpu.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "core/gpu/gpu_parts.h"

namespace warpsim {

namespace {

// Host-side interval between progress reports, in core cycles: cheap, and fine enough for a progress bar.
constexpr Cycle kProgressCycles = 2000;
// Granularity of the search for the end of the last write.
constexpr Cycle kDrainStepCycles = 16;
// A model that makes no progress for this long is in a deadlock.
constexpr Cycle kLivelockCycles = 50'000'000;

}  // namespace

std::unique_ptr<Grid> Gpu::Impl::make_grid(KernelSource& kernel) {
  const KernelLaunch& launch = kernel.launch();
  auto grid = std::make_unique<Grid>();
  grid->source = &kernel;
  grid->occupancy = compute_occupancy(config.occupancy,
                                      {launch.threads_per_block(), launch.registers_per_thread, launch.shared_bytes});
  const std::string impossible = block_scheduler->why_impossible(launch, grid->occupancy);
  if (!impossible.empty()) {
    throw ConfigError("kernel " + launch.kernel + " cannot run on " + config.name + ": " + impossible);
  }
  const StaticProgram& program = *launch.program;
  const CodeLayout layout = code_layout_of(program.architecture);
  const auto instruction_count = static_cast<std::uint32_t>(program.instructions.size());
  grid->table = make_issue_table(program, config.sm.execution, config.sm.sub_core.dependences,
                                 config.sm.sub_core.register_file.banks);
  auto known =
      std::find_if(programs.begin(), programs.end(), [&](const auto& entry) { return entry.first == launch.program; });
  if (known == programs.end()) {
    programs.emplace_back(launch.program, next_code);
    known = programs.end() - 1;
    const Address bytes = layout.size(instruction_count);
    next_code += (bytes / kLineBytes + 2) * kLineBytes;
    // The host writes a program before its first launch, which leaves it in L2 (tests/hardware/code_cold, first
    // launch).
    write_from_host(known->second, bytes);
  }
  grid->code = {known->second, layout, instruction_count};
  return grid;
}

// Stays in L2, unless L2 is emptied before each launch.
void Gpu::Impl::write_from_host(Address destination, std::uint64_t bytes) {
  if (!options.flush_before_launch) {
    memory->fill_from_host(destination, bytes);
  }
}

// Measured with and without Nsight Compute's cache control (tests/hardware/cache_control): constant caches start every
// launch empty; instruction caches are kept from launch to launch. Where the cache control empties all caches, the
// whole machine is new.
void Gpu::Impl::prepare_caches(const Grid& grid) {
  for (const auto& sm : sms) {
    sm->invalidate_constant_caches();
  }
  const Address code_bytes = grid.code.layout.size(grid.code.instruction_count);
  for (std::size_t i = 0; i < gpc_caches.size(); ++i) {
    gpc_caches[i]->begin_launch({grid.code.base, grid.code.base + code_bytes}, 0, next_start);
    gpc_wakes[i].wake_at(next_start);
  }
  for (const auto& sm : sms) {
    sm->configure_l1(grid.occupancy.l1_bytes);
  }
}

LaunchProgress Gpu::Impl::progress_of(GridId grid, Cycle start) const {
  LaunchProgress progress;
  progress.cycle = latest_instant() - start;
  for (const auto& sm : sms) {
    progress.instructions += sm->instructions_executed();
  }
  progress.blocks_done = block_scheduler->blocks_done(grid);
  progress.blocks = block_scheduler->blocks(grid);
  return progress;
}

Cycle Gpu::Impl::latest_instant() const {
  return system.domain(core_domain).edge_at_or_after(system.time());
}

// Brings all parts to the same cycle, the first that every one can be at: some may have run ahead of `cycle`.
Cycle Gpu::Impl::all_at(Cycle cycle) {
  const Cycle level = cycle + system.domain(core_domain).edge_at_or_after(TimeFs{system.lookahead_fs()});
  run_to(level);
  return level;
}

Cycle Gpu::Impl::drain(Cycle from, const std::function<bool()>& drained) {
  Cycle at = from;
  while (!drained()) {
    SIM_CHECK(at - from < kLivelockCycles, "memory does not drain:\n" + system.describe_stalls());
    at += kDrainStepCycles;
    run_to(at);
  }
  return at;
}

// A launch ends when what its blocks wrote has arrived in L2 and been acknowledged, which can be long after the last
// block left; measured (tests/hardware/launch_gap). What L2 still writes to DRAM delays only the next launch.
Cycle Gpu::Impl::end_grid(GridId grid) {
  const ClockDomain& core = system.domain(core_domain);
  const auto sms_idle = [this] {
    return std::all_of(sms.begin(), sms.end(), [](const auto& sm) { return sm->idle(); });
  };
  const Cycle finished = all_at(block_scheduler->finished_at(grid));
  const Cycle settled = drain(finished, [&] { return sms_idle() && memory->settled(); });
  block_scheduler->release(grid, core.edge_at_or_after(memory->writes_acknowledged_at(0)), settled + 1);
  while (!block_scheduler->grid_done(grid)) {
    const Engine::Outcome outcome = system.run();
    SIM_CHECK(outcome == Engine::Outcome::kStopped, "a grid does not end");
  }
  const Cycle end = block_scheduler->ended_at(grid);
  next_sample = kNever;  // what follows belongs to the last sample
  next_look = kNever;
  next_start = drain(all_at(end), [&] { return sms_idle() && memory->idle(); }) + 1;
  return end;
}

void Gpu::Impl::report_deadlock(const char* what) const {
  throw DeadlockError(std::string(what) + " at core cycle " + std::to_string(latest_instant()) + "; waiting:\n" +
                      system.describe_stalls());
}

// Barriers in shared memory are only inferred. If the inference is wrong, warps would wait forever; the trace shows
// that they did not, so they are released and counted.
std::uint64_t Gpu::Impl::give_up_waits() {
  std::uint64_t waits = 0;
  const Cycle now = latest_instant() + 1;
  for (std::size_t i = 0; i < sms.size(); ++i) {
    if (const std::uint32_t here = sms[i]->give_up_waits(now); here != 0) {
      waits += here;
      sm_wakes[i].wake_at(now);
    }
  }
  return waits;
}

void Gpu::Impl::run_until_done(GridId grid, Cycle start, LaunchResult& result) {
  const Cycle limit = options.max_cycles == kNever ? kNever : start + options.max_cycles;
  Cycle at = start;
  Cycle last_change = start;
  std::uint64_t last_instructions = 0;
  while (!block_scheduler->blocks_finished(grid)) {
    if (at >= limit) {
      result.status = LaunchResult::Status::kCycleLimit;
      result.elapsed_cycles = at - start;
      close_accounts(at);
      next_start = at + 1;
      return;
    }
    at = std::min(at + kProgressCycles, limit);
    if (run_to(at) == Engine::Outcome::kNothingDue && !block_scheduler->blocks_finished(grid)) {
      const std::uint64_t waits = give_up_waits();
      if (waits == 0) {
        report_deadlock("deadlock: nothing is due");
      }
      result.waits_given_up += waits;
    }
    const LaunchProgress state = progress_of(grid, start);
    if (state.instructions != last_instructions) {
      last_instructions = state.instructions;
      last_change = at;
    } else if (at - last_change > kLivelockCycles) {
      report_deadlock("no instruction was issued for a long time");
    }
    if (hooks.progress) {
      hooks.progress(state);
    }
  }
  result.elapsed_cycles = end_grid(grid) - start;
}

Gpu::Gpu(const GpuConfig& config, const GpuOptions& options)
    : pool_(options.threads), impl_(std::make_unique<Impl>(config, options, pool_)) {}
Gpu::~Gpu() = default;

StatGroup& Gpu::stats() {
  return impl_->stats[0];
}

void Gpu::renew() {
  if (is_initial_ || !impl_->options.flush_before_launch) {
    return;
  }
  const GpuConfig config = impl_->config;
  const GpuOptions options = impl_->options;
  impl_.reset();  // two machines would need twice the memory
  impl_ = std::make_unique<Impl>(config, options, pool_);
  is_initial_ = true;
}

void Gpu::skip_launch(Cycle elapsed_cycles) {
  SIM_CHECK(impl_->options.flush_before_launch, "a launch is skipped, but later ones depend on its effects");
  cycles_before_ += elapsed_cycles + 1;
}

void Gpu::copy_to_device(const CopyToDevice& copy) {
  impl_->write_from_host(copy.destination, copy.bytes);
}

void Gpu::evict_l2() {
  impl_->memory->invalidate();
}

LaunchResult Gpu::run(KernelSource& kernel, const LaunchHooks& hooks) {
  renew();
  is_initial_ = false;
  Impl& gpu = *impl_;
  std::unique_ptr<Grid> grid = gpu.make_grid(kernel);
  if (hooks.hot_spots != nullptr) {
    const std::size_t writers = gpu.runs_on_threads(kernel) ? gpu.sms.size() : 0;
    grid->hot_spots = std::make_unique<HotSpotParts>(*hooks.hot_spots, writers);
  }
  gpu.prepare_caches(*grid);
  gpu.stats[0].reset();

  LaunchResult result;
  result.occupancy = grid->occupancy;
  result.l1_bytes = grid->occupancy.l1_bytes;
  result.carveout_bytes = grid->occupancy.carveout_bytes;
  const Cycle start = gpu.next_start;
  result.start_cycle = cycles_before_ + start;
  gpu.hooks = hooks;
  if (hooks.timeline.timeline != nullptr) {
    gpu.open_timeline(start);
  }
  const std::uint64_t ticks_before = gpu.system.ticks();
  const std::uint64_t cycles_before = gpu.system.component_cycles();
  gpu.set_windows(kernel);
  const GridId id = gpu.block_scheduler->submit(kernel.launch(), grid->occupancy, start);
  gpu.grids.put(id, std::move(grid));
  const bool sampled = hooks.sample && hooks.sample_interval != kNever;
  gpu.next_sample = sampled ? start + hooks.sample_interval : kNever;
  try {
    gpu.run_until_done(id, start, result);
    if (kernel.concurrency() == KernelSource::Concurrency::kExchanged) {
      kernel.exchange(gpu.latest_instant());
    }
  } catch (...) {
    gpu.reset_windows();
    throw;
  }
  gpu.reset_windows();
  gpu.close_timeline();
  if (hooks.hot_spots != nullptr) {
    gpu.grids[id].hot_spots->add_up();
  }
  if (sampled) {
    hooks.sample(result.elapsed_cycles, true);
  }
  if (result.status == LaunchResult::Status::kComplete) {
    gpu.grids.remove(id);
  }
  if (gpu.options.flush_before_launch) {
    cycles_before_ += result.elapsed_cycles + 1;
  }
  result.duration_ns = static_cast<double>(result.elapsed_cycles) * 1000.0 / gpu.config.clocks.core_mhz;
  result.component_ticks = gpu.system.ticks() - ticks_before;
  result.component_cycles = gpu.system.component_cycles() - cycles_before;
  return result;
}

}  // namespace warpsim
