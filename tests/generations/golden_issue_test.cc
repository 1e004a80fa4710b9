// The guides' worked examples of latency hiding and of clocks per instruction, as kernels on a GPU of the capability.
// Names state the source of each example: [000] CUDA C programming guide 8.0, [002] guide 4.2, [003] notes on guide 12,
// [004] guide 1.1.
#include <catch2/catch.hpp>

#include "config/config_tree.h"
#include "generations/throughput.h"
#include "support/machine.h"

namespace warpsim::generations {
namespace {

using test::KernelBuilder;

struct Chip {
  std::string capability;
  std::vector<std::string> overrides = {};
};

const Capability& capability_of(const std::string& name) {
  for (const Capability& capability : capabilities()) {
    if (capability.name == name) {
      return capability;
    }
  }
  throw std::runtime_error("no capability " + name);
}

struct Issued {
  std::size_t instructions = 0;
  Cycle cycles = 0;
  double per_cycle = 0;  // in the middle half
};

Issued run(const Chip& chip, const std::function<void(KernelBuilder&)>& write, std::uint32_t warps) {
  const Capability& capability = capability_of(chip.capability);
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard, capability.architecture);
  write(k);
  // Blocks small enough for every capability.
  const std::uint32_t blocks = warps % 2 == 0 && warps > 8 ? 2 : 1;
  test::SyntheticKernel kernel(k, {.blocks = blocks, .warps = warps / blocks, .registers = 8});
  Machine gpu(gpu_of(capability, chip.overrides), {});
  gpu.run(kernel);
  std::vector<Cycle> issued;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    for (std::uint32_t warp = 0; warp < warps / blocks; ++warp) {
      const std::vector<Cycle>& cycles = kernel.warp(warp, block).issued;
      issued.insert(issued.end(), cycles.begin(), cycles.end());
    }
  }
  const auto [first, last] = std::ranges::minmax(issued);
  return {issued.size(), last - first, steady_rate(issued)};
}

// A chain of dependent additions per warp, or several in parallel.
std::function<void(KernelBuilder&)> chains(std::uint32_t count) {
  return [count](KernelBuilder& k) {
    for (std::uint32_t step = 0; step < 64; ++step) {
      for (std::uint32_t chain = 0; chain < count; ++chain) {
        const auto reg = static_cast<std::uint8_t>(10 + chain);
        k.op("FADD", reg, {reg});  // one source: banks of registers do not limit
      }
    }
  };
}

double rate(const std::string& capability, std::uint32_t count, std::uint32_t warps) {
  return run({capability}, chains(count), warps).per_cycle;
}

TEST_CASE("L7, [002] 5.2.3: a dependent addition follows after 22 clocks on 2.x and 11 on 3.x") {
  const auto gap = [](const std::string& capability) {
    const Issued issued = run({capability}, chains(1), 1);
    return issued.cycles / (issued.instructions - 1);
  };
  // On 1.x issue slots are four clocks apart: 22 clocks end in the slot at 24, as in [004] 5.1.2.5 (192 threads).
  CHECK(gap("1.0") == 24);
  CHECK(gap("2.0") == 22);
  CHECK(gap("2.1") == 22);
  CHECK(gap("3.0") == 11);
  CHECK(gap("3.5") == 11);
}

TEST_CASE("L1, [002] 5.2.3 and G6, [004] 5.1.2.5: six warps (192 threads) hide register latency on 1.x") {
  for (const char* const capability : {"1.0", "1.3"}) {
    CHECK(rate(capability, 1, 3) == Approx(0.125).epsilon(0.01));
    CHECK(rate(capability, 1, 6) == Approx(0.25).epsilon(0.01));
    CHECK(rate(capability, 1, 12) == Approx(0.25).epsilon(0.01));
  }
}

TEST_CASE("L2, [000] 5.2.3: 22 warps hide register latency on 2.0") {
  CHECK(rate("2.0", 1, 12) == Approx(12 / 22.0).epsilon(0.02));
  CHECK(rate("2.0", 1, 22) == Approx(1).epsilon(0.02));
  CHECK(rate("2.0", 1, 44) == Approx(1).epsilon(0.02));
}

TEST_CASE("L3, [000] 5.2.3: on 2.1 22 warps with pairs of independent instructions") {
  // 22 warps hold 44 instructions, enough for two per clock, with cores for two; those of the chip do 1.5.
  const auto paired = [](std::uint32_t warps) {
    return run({"2.1", {"sm.execution.units.fma.count=4"}}, chains(2), warps).per_cycle;
  };
  CHECK(paired(12) == Approx(24 / 22.0).epsilon(0.03));
  CHECK(paired(22) == Approx(2).epsilon(0.03));
}

TEST_CASE("L4, [000] 5.2.3 (44 warps; [002] says 22, against its own formula): pairs on 3.x") {
  // 44 warps hold 88 instructions, enough for eight per clock; the cores do six.
  CHECK(rate("3.0", 2, 22) == Approx(44 / 11.0).epsilon(0.05));
  CHECK(rate("3.0", 2, 44) == Approx(6).epsilon(0.03));
}

TEST_CASE("G19, [003] 6.2.3: on 7.x 16 warps hide the four clocks of arithmetic") {
  // FP32 takes a sub-core of 7.0 two clocks per warp: half of what four schedulers issue.
  CHECK(rate("7.0", 1, 4) == Approx(1).epsilon(0.02));
  CHECK(rate("8.6", 1, 8) == Approx(2).epsilon(0.02));
  CHECK(rate("8.6", 1, 16) == Approx(4).epsilon(0.02));
}

TEST_CASE("L8, [000] 1.3: instructions per clock of independent FP32 multiply-adds") {
  CHECK(rate("1.0", 8, 12) == Approx(0.25).epsilon(0.02));
  CHECK(rate("2.0", 8, 16) == Approx(1).epsilon(0.02));
  CHECK(rate("2.1", 8, 16) == Approx(1.5).epsilon(0.02));
  CHECK(rate("3.0", 8, 32) == Approx(6).epsilon(0.02));
  CHECK(rate("5.0", 8, 16) == Approx(4).epsilon(0.02));
  CHECK(rate("6.0", 8, 16) == Approx(2).epsilon(0.02));
  CHECK(rate("6.1", 8, 16) == Approx(4).epsilon(0.02));
}

// An off-chip load that the next one needs, and a number of other instructions.
std::function<void(KernelBuilder&)> loads(std::uint32_t others) {
  return [others](KernelBuilder& k) {
    for (std::uint32_t round = 0; round < 16; ++round) {
      k.ldg(4, {.base = 0x10000}).raw().sources[0] = {4, 1};
      for (std::uint32_t i = 0; i < others; ++i) {
        k.op("FADD", static_cast<std::uint8_t>(10 + i), {1, 2});
      }
    }
  };
}

// Share of the peak of one instruction per slot, with memory of a fixed latency.
double hidden(const std::string& capability, std::uint32_t latency, std::uint32_t ratio, std::uint32_t warps,
              double peak) {
  const Chip chip{
      capability,
      {"sm.l1.perfect=true", "sm.l1.hit_latency_cycles=" + std::to_string(latency), "sm.sub_core.issue.pairs=never"}};
  return run(chip, loads(ratio), warps).per_cycle / peak;
}

TEST_CASE("L5, [002] 5.2.3: 600 clocks and 15 instructions per load need 10 warps on 1.x and 40 on 2.x") {
  CHECK(hidden("1.3", 600, 15, 5, 0.25) == Approx(0.5).epsilon(0.1));
  CHECK(hidden("1.3", 600, 15, 10, 0.25) > 0.95);
  CHECK(hidden("2.0", 600, 15, 20, 1) == Approx(0.5).epsilon(0.1));
  CHECK(hidden("2.0", 600, 15, 40, 1) > 0.95);
}

TEST_CASE("L6, [000] 5.2.3: 30 instructions per load need 20 warps on 2.x (600 clocks) and 40 on 3.x (300 clocks)") {
  CHECK(hidden("2.0", 600, 30, 10, 1) == Approx(0.5).epsilon(0.1));
  CHECK(hidden("2.0", 600, 30, 20, 1) > 0.95);
  CHECK(hidden("3.0", 300, 30, 20, 4) == Approx(0.5).epsilon(0.1));
  CHECK(hidden("3.0", 300, 30, 40, 4) > 0.95);
}

// Clocks of a warp instruction, or of a sequence of them, on 1.x: many warps without waits.
double clocks(const std::vector<std::string>& opcodes) {
  const auto write = [&](KernelBuilder& k) {
    for (std::uint32_t copy = 0; copy < 48; ++copy) {
      auto reg = static_cast<std::uint8_t>(10 + copy % 8 * 8);
      for (const std::string& opcode : opcodes) {
        k.op(opcode, reg, {1, 2});
        ++reg;
      }
    }
  };
  return static_cast<double>(opcodes.size()) / run({"1.0"}, write, 12).per_cycle;
}

TEST_CASE("G1, [004] 5.1.1.1: four clocks for additions, multiplications, logic, comparisons, conversions on 1.x") {
  for (const char* const opcode :
       {"FADD", "FMUL", "FMAD", "IADD", "LOP", "ISET", "FMIN", "FMAX", "IMIN", "F2I", "I2F"}) {
    INFO(opcode);
    CHECK(clocks({opcode}) == Approx(4).epsilon(0.01));
  }
}

TEST_CASE(
    "G2, [004] 5.1.1.1: 16 clocks for reciprocals, square roots' reciprocals, logarithms, 32-bit products; 4 for "
    "mul24") {
  CHECK(clocks({"RCP"}) == Approx(16).epsilon(0.01));
  CHECK(clocks({"RSQ"}) == Approx(16).epsilon(0.01));
  CHECK(clocks({"LG2"}) == Approx(16).epsilon(0.01));
  CHECK(clocks({"IMUL.U24", "IMAD.U24", "SHL", "IMAD.U24"}) == Approx(16).epsilon(0.01));
  CHECK(clocks({"IMUL.U24"}) == Approx(4).epsilon(0.01));
}

TEST_CASE("G3, [004] 5.1.1.1: square root 32, division 36, __fdividef 20, sine, cosine and exponential 32 clocks") {
  CHECK(clocks({"RSQ", "RCP"}) == Approx(32).epsilon(0.01));
  // The special function unit works in parallel with the cores: the guide's sum is counted here for each
  // instruction.
  CHECK(clocks({"RCP"}) + 5 * clocks({"FMAD"}) == Approx(36).epsilon(0.01));
  CHECK(clocks({"RCP"}) + clocks({"FMUL"}) == Approx(20).epsilon(0.01));
  CHECK(clocks({"RRO", "SIN"}) == Approx(32).epsilon(0.01));
  CHECK(clocks({"RRO", "COS"}) == Approx(32).epsilon(0.01));
  CHECK(clocks({"RRO", "EX2"}) == Approx(32).epsilon(0.01));
}

TEST_CASE("L9, [000] table 2: FP64 instructions per clock") {
  const auto fp64 = [](const std::string& capability) {
    const auto write = [](KernelBuilder& k) {
      for (std::uint32_t i = 0; i < 96; ++i) {
        k.op("DFMA", static_cast<std::uint8_t>(10 + i % 16 * 2), {2, 4, 255});
      }
    };
    return run({capability}, write, 16).per_cycle;
  };
  CHECK(fp64("1.3") == Approx(1 / 32.0).epsilon(0.02));
  CHECK(fp64("2.0") == Approx(0.5).epsilon(0.02));
  CHECK(fp64("2.1") == Approx(0.125).epsilon(0.02));
  CHECK(fp64("3.0") == Approx(0.25).epsilon(0.02));
  CHECK(fp64("3.5") == Approx(2).epsilon(0.02));
  CHECK(fp64("5.0") == Approx(0.125).epsilon(0.02));
  CHECK(fp64("6.0") == Approx(1).epsilon(0.02));
  CHECK(fp64("6.1") == Approx(0.125).epsilon(0.02));
}

// Issue cycles of each warp of a block.
std::vector<std::vector<Cycle>> issues(const Chip& chip, const std::function<void(KernelBuilder&)>& write,
                                       std::uint32_t warps) {
  const Capability& capability = capability_of(chip.capability);
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard, capability.architecture);
  write(k);
  test::SyntheticKernel kernel(k, {.warps = warps, .registers = 8, .shared_bytes = 1024});
  Machine gpu(gpu_of(capability, chip.overrides), {});
  gpu.run(kernel);
  std::vector<std::vector<Cycle>> result;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    result.push_back(kernel.warp(warp).issued);
  }
  return result;
}

TEST_CASE("L10, [000] G.3.1: on 2.x integer instructions are not issued while the other scheduler issues FP64") {
  const auto write = [](KernelBuilder& k) {
    k.only([](std::uint32_t warp) { return warp == 0; },
           [&k] {
             for (std::uint8_t i = 0; i < 16; ++i) {
               k.op("DFMA", static_cast<std::uint8_t>(20 + 2 * i), {2, 4, 255});
             }
           });
    k.only([](std::uint32_t warp) { return warp == 1; },
           [&k] {
             for (std::uint8_t i = 0; i < 96; ++i) {
               k.op("IADD", static_cast<std::uint8_t>(60 + i), {2, 4});
             }
           });
  };
  const auto warps = issues({"2.0"}, write, 2);
  const std::vector<Cycle>& doubles = warps[0];
  const std::vector<Cycle>& integers = warps[1];
  Cycle taken = 0;
  for (const Cycle cycle : doubles) {
    CHECK(std::ranges::find(integers, cycle) == integers.end());
    taken += cycle > integers.front() && cycle < integers.back() ? 2 : 0;
  }
  CHECK(taken >= 16);
  CHECK(integers.back() - integers.front() == 2 * (integers.size() - 1) + taken);
}

TEST_CASE("G4, [004] 5.1.1.3: a warp of 1.x copies a word from device to shared memory in 408 to 608 clocks") {
  // The first load of a launch may meet a refresh of the DRAM; the second one waits for it.
  const auto write = [](KernelBuilder& k) {
    k.ldg(4, {.base = 0x10000});
    k.ldg(5, {.base = 0x20000}).raw().sources[0] = {4, 1};
    k.sts({.base = 0}, 5);
  };
  const std::vector<Cycle> issued = issues({"1.0"}, write, 1).front();
  constexpr Cycle kIssueOfStore = 4;
  CHECK(issued[2] - issued[1] + kIssueOfStore >= 408);
  CHECK(issued[2] - issued[1] + kIssueOfStore <= 608);
}

TEST_CASE("G5, [004] 5.1.1.4: a barrier at which no warp has to wait takes four clocks on 1.x") {
  const auto write = [](KernelBuilder& k) {
    k.op("BAR.SYNC");
    k.op("FADD", 4, {1});
  };
  const std::vector<Cycle> issued = issues({"1.0"}, write, 1).front();
  CHECK(issued[1] - issued[0] == 4);
}

TEST_CASE("G21, [003] 6.4.3: 32 warps take 64 clocks to arrive at a barrier of 8.x, 16 of 6.1") {
  const auto gap = [](const std::string& capability) {
    const auto write = [](KernelBuilder& k) {
      k.op("BAR.SYNC");
      k.op("FADD", 4, {1});
    };
    Cycle first = kNever;
    Cycle released = kNever;
    for (const std::vector<Cycle>& issued : issues({capability}, write, 32)) {
      first = std::min(first, issued[0]);
      released = std::min(released, issued[1]);
    }
    return released - first;
  };
  CHECK(gap("8.0") >= 62);
  CHECK(gap("6.1") >= 15);
}

}  // namespace
}  // namespace warpsim::generations
