#include "generations/throughput.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "config/config_tree.h"
#include "core/sub_core/issue_info.h"
#include "isa/lowering.h"
#include "isa/opcode_table.h"
#include "support/machine.h"

namespace warpsim::generations {

namespace {

using test::KernelBuilder;

const std::vector<std::string> kOneSm = {"topology.gpc_tpcs=[1]",          "topology.gpc_l2_partition=[0]",
                                         "topology.singleton_tpcs=0",      "topology.singleton_gpc=0",
                                         "topology.sms_per_tpc=1",         "sm.sub_core.fetch.perfect=true",
                                         "sm.constant_caches.perfect=true"};

// The native instructions of one operation of a row.
std::vector<LoweredStep> steps_of(const Row& row, std::uint32_t architecture) {
  std::vector<LoweredStep> steps;
  const auto append = [&](const std::string& opcode, char destination, const std::string& sources) {
    Lowering lowering = lower(opcode, architecture);
    if (lowering.nativity == Nativity::kNative) {
      lowering.steps = {{.opcode = opcode, .destination = destination, .sources = sources}};
    }
    steps.insert(steps.end(), lowering.steps.begin(), lowering.steps.end());
  };
  append(row.opcode, 'd', row.opcode == "SHFL" ? "a" : "abc");  // the lane is mostly a constant
  if (!row.finish.empty()) {
    append(row.finish, 'e', "da");
  }
  return steps;
}

// Writes copies of the sequence on separate registers, so that only units and slots limit; two different sources,
// so that banks of registers do not.
void write_copies(KernelBuilder& k, const std::vector<LoweredStep>& steps, std::uint32_t copies) {
  constexpr std::uint32_t kSets = 8;
  constexpr std::uint32_t kRegistersOfSet = 20;
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    std::map<char, std::uint8_t> registers = {{'a', 1}, {'b', 2}, {'c', 255}, {'-', 255}};
    auto next = static_cast<std::uint8_t>(10 + copy % kSets * kRegistersOfSet);
    const auto number = [&](char letter) {
      return registers.contains(letter) ? registers[letter] : registers[letter] = next++;
    };
    for (const LoweredStep& step : steps) {
      std::vector<std::uint8_t> sources;
      std::ranges::transform(step.sources, std::back_inserter(sources), number);
      sources.resize(std::min<std::size_t>(sources.size(), 3));
      k.op(step.opcode, number(step.destination), sources);
    }
  }
}

struct Shape {
  std::uint32_t blocks = 1;
  std::uint32_t warps = 16;
};

// Instructions per clock of all warps together.
double rate_of(const GpuConfig& config, const std::vector<LoweredStep>& steps, std::uint32_t architecture, Shape shape,
               std::uint32_t copies) {
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard, architecture);
  write_copies(k, steps, copies);
  test::SyntheticKernel kernel(k, {.blocks = shape.blocks, .warps = shape.warps, .registers = 8});
  Machine gpu(config, {});
  gpu.run(kernel);
  std::vector<Cycle> issued;
  for (std::uint32_t block = 0; block < shape.blocks; ++block) {
    for (std::uint32_t warp = 0; warp < shape.warps; ++warp) {
      const std::vector<Cycle>& cycles = kernel.warp(warp, block).issued;
      issued.insert(issued.end(), cycles.begin(), cycles.end());
    }
  }
  return steady_rate(std::move(issued));
}

}  // namespace

double steady_rate(std::vector<Cycle> issued) {
  std::ranges::sort(issued);
  const std::size_t quarter = issued.size() / 4;
  return static_cast<double>(2 * quarter) / static_cast<double>(issued[3 * quarter] - issued[quarter]);
}

GpuConfig gpu_of(const Capability& capability, const std::vector<std::string>& overrides) {
  std::vector<std::string> all = kOneSm;
  all.insert(all.end(), overrides.begin(), overrides.end());
  return ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/" + capability.gpu + ".yaml", all).read<GpuConfig>();
}

std::string sequence(const Row& row, const Capability& capability) {
  std::vector<std::string> opcodes;
  for (const LoweredStep& step : steps_of(row, capability.architecture)) {
    opcodes.push_back(step.opcode);
  }
  return fmt::format("{}", fmt::join(opcodes, ", "));
}

double bound(const Row& row, const Capability& capability) {
  const GpuConfig config = gpu_of(capability);
  const ExecutionConfig& execution = config.sm.execution;
  const IssueRules& issue = config.sm.sub_core.issue;
  // Clocks for which the sequence occupies each kind of units, by the number of instances that can do a step: steps
  // that only the first n can do take at least their time over n.
  std::array<std::array<double, UnitPool::kMostUnits + 1>, kUnitCount> clocks{};
  const std::vector<LoweredStep> steps = steps_of(row, capability.architecture);
  for (const LoweredStep& step : steps) {
    StaticInstruction instruction;
    classify(step.opcode, capability.architecture, instruction);
    const UnitChoice choice = unit_of(execution, instruction);
    const UnitConfig& unit = execution.units[static_cast<std::size_t>(choice.unit)];
    const bool shuffle = instruction.kind == OpKind::kShuffle;  // takes passes through the banks of shared memory
    const double sub_cores = unit.shared || shuffle ? 1 : config.sm.sub_cores;
    const std::uint32_t pass_cycles = shuffle ? config.sm.load_store.shared_banks.pass_cycles : 1;
    const std::uint32_t able = choice.able == 0 ? unit.count : choice.able;
    for (std::uint32_t n = able; n <= unit.count; ++n) {
      clocks[static_cast<std::size_t>(choice.unit)][n] +=
          pass_cycles * timing_of(execution, instruction).initiation_cycles / sub_cores / n;
    }
  }
  const double pairs = issue.pairs == PairRule::kIndependent ? 2 : 1;
  double longest = static_cast<double>(steps.size()) * issue.interval_cycles / config.sm.sub_cores / pairs;
  for (const auto& kind : clocks) {
    longest = std::max(longest, *std::ranges::max_element(kind));
  }
  return kWarpSize * row.operations / longest;
}

double measure(const Row& row, const Capability& capability) {
  const GpuConfig config = gpu_of(capability);
  const std::vector<LoweredStep> steps = steps_of(row, capability.architecture);
  const bool barrier = row.opcode == "BAR.SYNC";
  // All warp slots; barriers of many small blocks overlap each other's latencies.
  const std::uint32_t blocks = barrier ? config.occupancy.blocks_per_sm : 2;
  const Shape shape{blocks, config.occupancy.warps_per_sm / blocks};
  constexpr std::uint32_t kCopies = 96;
  const double instructions = rate_of(config, steps, capability.architecture, shape, kCopies);
  return instructions * kWarpSize * row.operations / static_cast<double>(steps.size());
}

namespace {

std::string shown(double rate) {
  return fmt::format("{:.4g}", rate);
}

std::string shown(const Row& row, const Cell& cell, const Capability& capability) {
  switch (cell.kind) {
    case Cell::Kind::kRate:
      return fmt::format("{} ({})", shown(cell.rate), shown(measure(row, capability)));
    case Cell::Kind::kSeveral:
      return fmt::format("several: {} ({})", shown(bound(row, capability)), shown(measure(row, capability)));
    case Cell::Kind::kUnsupported:
      return "none";
    case Cell::Kind::kSilent:
      return "";
  }
  return "";
}

constexpr const char* kPreamble = R"(# Throughput of native instructions

Operations per clock and SM: the values of NVIDIA's programming guides for each compute capability and, in brackets, the
steady-state rate of a simulated kernel of that instruction. `several`: according to the guides the capability needs several
instructions; the number before it is the rate that issue slots and units allow for the sequence below. `none`: the
capability cannot execute the operation, and `warpsim run --strict` refuses it by name. Empty cell: the guides give no value.

Columns 1.0 and 1.3 are from guide 4.2, table 5-1; 2.0 to 6.2 from guide 8.0, table 2 (Tesla boards where it distinguishes
them from GeForce); 7.0 to 9.0 from the tables of guides 10 and 12.

This page is generated by `warpsim_throughput`; do not edit it.
)";

std::string sequences_document() {
  std::string text = "\n## Sequences\n\n| operation | capability | instructions |\n| --- | --- | --- |\n";
  for (const Row& row : rows()) {
    std::string before;
    for (std::size_t i = 0; i < capabilities().size(); ++i) {
      const std::string instructions = sequence(row, capabilities()[i]);
      if (row.cells[i].kind == Cell::Kind::kSeveral && instructions != before) {
        text += fmt::format("| {} | {} | {} |\n", row.name, capabilities()[i].name, instructions);
      }
      before = row.cells[i].kind == Cell::Kind::kSeveral ? instructions : "";
    }
  }
  return text;
}

}  // namespace

std::string throughput_document() {
  std::string text = std::string(kPreamble) + "\n| operation |";
  std::string rule = "| --- |";
  for (const Capability& capability : capabilities()) {
    text += " " + capability.name + " |";
    rule += " --- |";
  }
  text += "\n" + rule + "\n";
  std::string notes = "\n## Notes\n\n";
  for (const Row& row : rows()) {
    text += "| " + row.name + " |";
    for (std::size_t i = 0; i < capabilities().size(); ++i) {
      text += " " + shown(row, row.cells[i], capabilities()[i]) + " |";
    }
    text += "\n";
    notes += row.note.empty() ? "" : fmt::format("- {}: {}.\n", row.name, row.note);
  }
  return text + notes + sequences_document();
}

}  // namespace warpsim::generations
