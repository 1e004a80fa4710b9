// Bandwidth of shared memory stores, L1 and L2 of one SM, and of L2 and DRAM of the whole chip.
#include <algorithm>

#include "core/launch/launch_queue.h"
#include "microbench/bw_chip_listings.h"
#include "microbench/bw_listings.h"
#include "microbench/memory_probe.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

// Each access of the unrolled loops is a section, because a warp may leave the loop after any of them.
double shared_store(const GpuConfig& config, std::uint32_t bytes, std::uint32_t warps) {
  constexpr std::uint32_t kLoops = 64;
  constexpr std::uint32_t kStores = 8;
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(bytes == 4 ? kSharedStore4 : kSharedStore16);
  kernel.warps = warps;
  kernel.shared_bytes = 16384;
  kernel.path = [bytes](WarpPath& path) {
    const Address own = path.warp() * kWarpSize * bytes % 8192;
    for (std::uint32_t round = 0; round < 2; ++round) {
      path.run("before");
      for (std::uint32_t i = 0; i < kLoops; ++i) {
        path.run("loop", [&](std::uint32_t store) { return Lanes{own + Address{store} * 1024, bytes}; });
      }
      path.run("after");
    }
    path.run("end");
  };
  ProbeMachine machine(config);
  return warps * kWarpSize * bytes * kStores * kLoops / span(machine.run(kernel)[0], 2, 3);
}

// Each block reads its own region several times.
struct Read {
  std::uint32_t width = 4;  // bytes
  const char* cache_operator = "";
  std::uint64_t bytes = 0;  // of a region
  std::uint32_t blocks = 1;
  std::uint32_t warps = 1;
  std::uint32_t rounds = 1;  // after the first, which fills the caches
};

// Cycles of the slowest block.
double read_cycles(const GpuConfig& config, const Read& read) {
  constexpr std::uint32_t kUnrolled = 4;
  Kernel kernel;
  const char* const text = read.width == 4 ? kRead4 : read.width == 8 ? kRead8 : kRead16;
  kernel.listing = std::make_shared<Listing>(text, read.cache_operator);
  kernel.blocks = read.blocks;
  kernel.warps = read.warps;
  kernel.registers = 36;
  kernel.path = [&read](WarpPath& path) {
    const std::uint64_t step = std::uint64_t{read.warps} * kWarpSize * read.width;
    const Address begin = kBuffer + path.block() * read.bytes + path.warp() * kWarpSize * read.width;
    for (std::uint32_t round = 0; round <= read.rounds; ++round) {
      path.run(round <= 1 ? "first_rounds" : "later_rounds");
      for (std::uint64_t offset = 0; offset < read.bytes; offset += kUnrolled * step) {
        path.run("loop", [&](std::uint32_t load) { return Lanes{begin + offset + load * step, read.width}; });
      }
      path.run("round_end");
    }
    path.run("after");
  };
  ProbeMachine machine(config);
  return longest(machine.run(kernel), 1, 2);
}

struct ChipRun {
  const char* text = nullptr;
  std::uint64_t bytes = 0;
  std::uint32_t rounds = 1;
  std::uint32_t blocks = 0;  // of 1024 threads
};

Clocks run_chip(ProbeMachine& machine, const ChipRun& run) {
  constexpr std::uint32_t kWarps = 32;
  constexpr std::uint32_t kBytes = 16;  // of a lane
  const std::uint64_t step = std::uint64_t{run.blocks} * kWarps * kWarpSize * kBytes;
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(run.text);
  kernel.blocks = run.blocks;
  kernel.warps = kWarps;
  kernel.registers = 24;
  kernel.path = [&](WarpPath& path) {
    const char* const access_sections[] = {"access0", "access1", "access2", "access3"};
    path.run("before");
    for (std::uint32_t round = 0; round < run.rounds; ++round) {
      path.run("round");
      std::uint32_t place = 0;
      for (std::uint64_t at = (path.block() * kWarps + path.warp()) * kWarpSize * kBytes; at < run.bytes; at += step) {
        // A copy reads from the first half of its memory and writes the second.
        path.run(access_sections[place], [&](std::uint32_t access) {
          return Lanes{kBuffer + at + access * run.bytes, kBytes};
        });
        place = (place + 1) % 4;
      }
      path.run("round_end");
    }
    path.run("after");
  };
  return machine.run(kernel);
}

// The bytes of the second of two launches; the first one has one round.
struct ChipResult {
  double bytes = 0;
  double cycles = 0;    // of the slowest block
  double first_ns = 0;  // the launches
  double second_ns = 0;
};

// `copied`: each byte is read and written.
ChipResult run_twice(const GpuConfig& config, const ChipRun& run, bool copied) {
  ChipRun sized = run;
  sized.blocks = 2 * Topology(config.topology).sm_count();
  ChipRun first = sized;
  first.rounds = 1;
  ProbeMachine machine(config);
  ChipResult result;
  run_chip(machine, first);
  result.first_ns = machine.duration_ns();
  result.bytes = static_cast<double>(sized.bytes) * sized.rounds * (copied ? 2 : 1);
  result.cycles = longest(run_chip(machine, sized), 0, 1);
  result.second_ns = machine.duration_ns();
  return result;
}

// Gigabytes per second (bytes per nanosecond) between markers around the second launch. The measured launch transferred
// `parts` times as many bytes as the simulated one: at the rate of the blocks, and with the same costs of a launch.
double queued_rate(const GpuConfig& config, const ChipResult& result, double parts) {
  const double blocks_ns = result.cycles * 1000 / config.clocks.core_mhz;
  LaunchQueue queue(config.launch_queue, config.copies);
  queue.submit(result.first_ns);
  const double begin_ns = queue.mark();
  queue.submit(result.second_ns + (parts - 1) * blocks_ns);
  return result.bytes * parts / (queue.mark() - begin_ns);
}

void add_shared(Family& family) {
  for (const std::uint32_t warps : {1, 4, 8, 32}) {
    for (const std::uint32_t bytes : {4, 16}) {
      const std::string name = "bw.shared.store" + std::to_string(bytes * 8) + ".warps" + std::to_string(warps);
      family.probes.push_back(
          {name, [bytes, warps](const GpuConfig& config) { return shared_store(config, bytes, warps); }});
    }
  }
}

void add_reads(Family& family, const std::string& prefix, const Read& read, const std::vector<std::uint32_t>& warps) {
  for (const std::uint32_t count : warps) {
    Read sized = read;
    sized.warps = count;
    const std::string name = prefix + ".width" + std::to_string(read.width * 8) + ".warps" + std::to_string(count);
    family.probes.push_back({name, [sized](const GpuConfig& config) {
                               Read all = sized;
                               all.blocks = sized.blocks == 0 ? Topology(config.topology).sm_count() : sized.blocks;
                               const double bytes = static_cast<double>(all.bytes) * all.rounds;
                               return bytes / read_cycles(config, all);
                             }});
  }
}

// `parts`: ratio of the measured to the simulated transfer.
void add_chip_run(Family& family, const std::string& name, const ChipRun& run, bool copied, double parts) {
  family.probes.push_back({"bw.chip." + name + ".per_cycle", [run, copied](const GpuConfig& config) {
                             const ChipResult result = run_twice(config, run, copied);
                             return result.bytes / result.cycles;
                           }});
  family.probes.push_back({"bw.chip." + name + ".rate", [run, copied, parts](const GpuConfig& config) {
                             return queued_rate(config, run_twice(config, run, copied), parts);
                           }});
}

void add_chip(Family& family) {
  constexpr std::uint64_t kMega = 1 << 20;
  // Eight rounds, as measured, of data that may stay in L2; two of larger data. A gigabyte represents data that no
  // cache holds; a quarter of it is enough.
  for (const std::uint64_t size : {4, 8, 16, 24, 32, 40, 48, 64, 96, 128}) {
    const std::uint32_t rounds = size <= 64 ? 8 : 2;
    add_chip_run(family, "read." + std::to_string(size) + "M", {kChipRead, size * kMega, rounds}, false, 8.0 / rounds);
  }
  add_chip_run(family, "read.1G", {kChipRead, 256 * kMega, 1}, false, 4);
  add_chip_run(family, "write.8M", {kChipWrite, 8 * kMega, 8}, false, 1);
  add_chip_run(family, "write.24M", {kChipWrite, 24 * kMega, 8}, false, 1);
  add_chip_run(family, "write.1G", {kChipWrite, 256 * kMega, 1}, false, 4);
  add_chip_run(family, "copy.8M", {kChipCopy, 8 * kMega, 1}, true, 1);
  add_chip_run(family, "copy.1G", {kChipCopy, 128 * kMega, 1}, true, 8);
}

}  // namespace

Family bw_family() {
  Family family{"bw", {}, {}};
  add_shared(family);
  constexpr const char* kInL1 = ".STRONG.SM";
  constexpr const char* kAroundL1 = ".STRONG.GPU";
  const std::vector<std::uint32_t> warps = {1, 4, 8, 16, 32};
  for (const std::uint32_t width : {4, 8, 16}) {
    add_reads(family, "bw.L1.one_sm.64K", {width, kInL1, 65536, 1, 1, 16}, warps);
  }
  for (const std::uint32_t width : {4, 16}) {
    add_reads(family, "bw.L2.one_sm.1M", {width, kAroundL1, 1 << 20, 1, 1, 2}, warps);
  }
  add_reads(family, "bw.L2.all_sms.64K_each", {16, kAroundL1, 65536, 0, 1, 16}, warps);
  for (const std::uint32_t blocks : {2, 4, 8, 16, 33, 66, 99, 132}) {
    family.probes.push_back({"bw.L2.blocks" + std::to_string(blocks) + ".total", [blocks](const GpuConfig& config) {
                               const Read read{16, kAroundL1, 131072, blocks, 32, 8};
                               return static_cast<double>(read.bytes) * read.rounds * blocks /
                                      read_cycles(config, read);
                             }});
  }
  add_chip(family);
  family.uncovered = {
      {"clock.*", "the frequency is an input of the model"},
      {"bw.shared.load*",
       "not a bandwidth: the compiler moved the loop's loads, whose addresses do not change, in front of the loop, "
       "which "
       "is left with the additions; beyond 128 bytes per cycle the values are impossible"},
  };
  return family;
}

}  // namespace warpsim::microbench
