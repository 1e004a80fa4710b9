#include "app/info_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <ostream>

#include "app/exit_codes.h"
#include "app/text_format.h"
#include "base/demangle.h"
#include "frontend/workload.h"
#include "isa/static_instruction.h"

namespace warpsim {

namespace {

// What the warps of one kernel execute.
struct KernelCounts {
  std::uint64_t warps = 0;
  std::uint64_t instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t predicated_off = 0;  // no lane executed
  std::map<std::string, std::uint64_t> by_class;
  std::map<std::string, std::uint64_t> unknown_opcodes;

  void add(const KernelCounts& other) {
    warps += other.warps;
    instructions += other.instructions;
    thread_instructions += other.thread_instructions;
    predicated_off += other.predicated_off;
    for (const auto& [name, count] : other.by_class) {
      by_class[name] += count;
    }
    for (const auto& [name, count] : other.unknown_opcodes) {
      unknown_opcodes[name] += count;
    }
  }
};

std::string class_of(const StaticInstruction& instruction) {
  switch (instruction.kind) {
    case OpKind::kLoad:
    case OpKind::kStore:
    case OpKind::kAtomic:
    case OpKind::kReduction: {
      const std::string what = instruction.kind == OpKind::kLoad     ? "load"
                               : instruction.kind == OpKind::kStore  ? "store"
                               : instruction.kind == OpKind::kAtomic ? "atomic"
                                                                     : "reduction";
      switch (instruction.space) {
        case MemorySpace::kShared:
          return "shared " + what;
        case MemorySpace::kLocal:
          return "local " + what;
        case MemorySpace::kGeneric:
          return "generic " + what;
        default:
          return "global " + what;
      }
    }
    case OpKind::kAsyncCopy:
      return "asynchronous copy";
    case OpKind::kLoadMatrix:
    case OpKind::kStoreMatrix:
      return "shared matrix";
    case OpKind::kBulkCopy:
      return "bulk copy";
    default:
      return std::string("pipe ") + to_string(instruction.pipe);
  }
}

// Counts one warp; `executions` by index of the static instruction.
void count_warp(BlockSource& block, std::uint32_t warp, KernelCounts& counts, std::vector<std::uint64_t>& executions) {
  WarpStream stream;
  stream.warp = warp;
  ++counts.warps;
  while (true) {
    if (!stream.finished) {
      block.refill(stream, 0);
    }
    if (stream.next == stream.end) {
      return;
    }
    for (; stream.next != stream.end; ++stream.next) {
      const std::size_t index = stream.next->index;
      executions.resize(std::max(executions.size(), index + 1));
      ++executions[index];
      const auto lanes = static_cast<std::uint64_t>(std::popcount(stream.next->active));
      counts.thread_instructions += lanes;
      counts.predicated_off += lanes == 0 ? 1 : 0;
    }
  }
}

KernelCounts count_kernel(KernelSource& kernel) {
  KernelCounts counts;
  std::vector<std::uint64_t> executions;
  const std::uint64_t blocks = kernel.launch().grid.count();
  for (std::uint64_t linear = 0; linear < blocks; ++linear) {
    const std::unique_ptr<BlockSource> block = kernel.start_block(linear);
    for (std::uint32_t warp = 0; warp < block->warp_count(); ++warp) {
      count_warp(*block, warp, counts, executions);
    }
  }
  const StaticProgram& program = *kernel.launch().program;
  for (std::size_t index = 0; index < executions.size(); ++index) {
    if (executions[index] == 0) {
      continue;
    }
    const StaticInstruction& instruction = program.instructions[index];
    counts.instructions += executions[index];
    counts.by_class[class_of(instruction)] += executions[index];
    if (!instruction.known_opcode) {
      counts.unknown_opcodes[program.opcodes[instruction.opcode]] += executions[index];
    }
  }
  return counts;
}

std::string size_text(const Dim3& size) {
  return size.z != 1   ? fmt::format("{}x{}x{}", size.x, size.y, size.z)
         : size.y != 1 ? fmt::format("{}x{}", size.x, size.y)
                       : fmt::format("{}", size.x);
}

class Report {
 public:
  void add(const KernelLaunch& launch, const KernelCounts& counts) {
    constexpr std::size_t kKernelWidth = 40;
    const StaticProgram& program = *launch.program;
    launches_.add({std::to_string(launch.launch_index), short_kernel_name(demangle(launch.kernel), kKernelWidth),
                   fmt::format("sm_{}", program.architecture), size_text(launch.grid), size_text(launch.block),
                   std::to_string(launch.registers_per_thread), grouped(launch.shared_bytes), grouped(counts.warps),
                   grouped(counts.instructions), grouped(counts.thread_instructions),
                   program.has_control   ? "control bits"
                   : program.has_listing ? "listing"
                                         : "trace"});
    total_.add(counts);
  }

  void print(std::ostream& out, const Workload& workload, std::uint64_t copies) const {
    out << fmt::format("\n  {}: {} kernel launch{}, {} cop{} to the device, hash {}\n\n", workload.name(), count_,
                       count_ == 1 ? "" : "es", copies, copies == 1 ? "y" : "ies", workload.content_hash());
    out << launches_.render();
    TextTable classes({{"class", Align::kLeft}, {"warp instructions", Align::kRight}, {"share", Align::kRight}});
    for (const auto& [name, count] : total_.by_class) {
      classes.add({name, grouped(count), share(count)});
    }
    classes.add({"total", grouped(total_.instructions), share(total_.instructions)});
    out << "\n" << classes.render();
    out << fmt::format("\n  {} thread instructions; {} warp instructions had no active lane\n",
                       grouped(total_.thread_instructions), grouped(total_.predicated_off));
    for (const auto& [opcode, count] : total_.unknown_opcodes) {
      out << fmt::format("  unknown opcode {}: {} times\n", opcode, grouped(count));
    }
    for (const std::string& note : workload.notes()) {
      out << "  note: " << note << "\n";
    }
    out << "  The trace is valid: it was read to its end.\n";
  }

  void count_launch() { ++count_; }

 private:
  std::string share(std::uint64_t count) const {
    return total_.instructions == 0
               ? "-"
               : fmt::format("{:.1f} %", 100.0 * static_cast<double>(count) / static_cast<double>(total_.instructions));
  }

  TextTable launches_{{{"launch", Align::kLeft},
                       {"kernel", Align::kLeft},
                       {"code", Align::kLeft},
                       {"grid", Align::kRight},
                       {"block", Align::kRight},
                       {"regs", Align::kRight},
                       {"shared", Align::kRight},
                       {"warps", Align::kRight},
                       {"warp instr", Align::kRight},
                       {"thread instr", Align::kRight},
                       {"operands from", Align::kLeft}}};
  KernelCounts total_;
  std::uint64_t count_ = 0;
};

}  // namespace

int info_command(const InfoOptions& options, std::ostream& out) {
  const std::unique_ptr<Workload> workload = open_workload(options.trace, {options.sass_file, options.strict});
  Report report;
  std::uint64_t copies = 0;
  while (std::optional<Command> command = workload->next()) {
    if (std::holds_alternative<CopyToDevice>(*command)) {
      ++copies;
      continue;
    }
    KernelSource& kernel = *std::get<std::unique_ptr<KernelSource>>(*command);
    report.count_launch();
    const KernelCounts counts = count_kernel(kernel);
    report.add(kernel.launch(), counts);
  }
  report.print(out, *workload, copies);
  return kExitDone;
}

}  // namespace warpsim
