#include "app/commands/info_command.h"

#include <fmt/format.h>

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "app/text_format.h"
#include "base/demangle.h"
#include "base/error.h"
#include "frontend/workload/trace_info.h"

namespace warpsim {

namespace {

using Align::kLeft;
using Align::kRight;

std::string size_text(const Dim3& size) {
  return size.z != 1   ? fmt::format("{}x{}x{}", size.x, size.y, size.z)
         : size.y != 1 ? fmt::format("{}x{}", size.x, size.y)
                       : fmt::format("{}", size.x);
}

std::string count_text(std::size_t count, const std::string& one, const std::string& several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

// The resources of each launch.
std::string launches_table(const TraceInfo& info) {
  constexpr std::size_t kKernelWidth = 40;
  TextTable table({{"launch", kLeft},
                   {"kernel", kLeft},
                   {"code", kLeft},
                   {"grid", kRight},
                   {"block", kRight},
                   {"regs", kRight},
                   {"shared B", kRight},
                   {"local B", kRight},
                   {"operands from", kLeft},
                   {"valid", kLeft}});
  for (const KernelInfo& kernel : info.kernels) {
    const bool opened = kernel.architecture != 0;
    table.add({std::to_string(kernel.launch_index), short_kernel_name(demangle(kernel.kernel), kKernelWidth),
               opened ? fmt::format("sm_{}", kernel.architecture) : "-", opened ? size_text(kernel.grid) : "-",
               opened ? size_text(kernel.block) : "-", std::to_string(kernel.registers_per_thread),
               grouped(kernel.shared_bytes), grouped(kernel.local_bytes_per_thread),
               kernel.has_control   ? "control bits"
               : kernel.has_listing ? "listing"
                                    : "trace",
               kernel.problem.empty() ? "yes" : "NO"});
  }
  return table.render();
}

// The executed instructions of each launch, and their sums.
std::string counts_table(const TraceInfo& info) {
  TextTable table({{"launch", kLeft},
                   {"blocks", kRight},
                   {"warps", kRight},
                   {"warp instr", kRight},
                   {"thread instr", kRight},
                   {"no active lanes", kRight},
                   {"load requests", kRight},
                   {"load sectors", kRight},
                   {"store requests", kRight},
                   {"store sectors", kRight}});
  const auto add = [&table](const std::string& name, const KernelInfo& kernel) {
    table.add({name, grouped(kernel.blocks), grouped(kernel.warps), grouped(kernel.instructions),
               grouped(kernel.thread_instructions), grouped(kernel.without_lanes), grouped(kernel.global_load.requests),
               grouped(kernel.global_load.sectors), grouped(kernel.global_store.requests),
               grouped(kernel.global_store.sectors)});
  };
  for (const KernelInfo& kernel : info.kernels) {
    add(std::to_string(kernel.launch_index), kernel);
  }
  add("total", info.total());
  return table.render();
}

// Warp instructions by class; classes without instructions have no column.
std::string classes_table(const TraceInfo& info) {
  const KernelInfo total = info.total();
  std::vector<std::size_t> classes;
  std::vector<TextTable::Column> columns{{"launch", kLeft}};
  for (std::size_t i = 0; i < total.by_class.size(); ++i) {
    if (total.by_class[i] > 0) {
      classes.push_back(i);
      columns.push_back({to_string(static_cast<InstructionClass>(i)), kRight});
    }
  }
  TextTable table(std::move(columns));
  const auto add = [&](const std::string& name, const KernelInfo& kernel) {
    std::vector<std::string> cells{name};
    for (const std::size_t i : classes) {
      cells.push_back(grouped(kernel.by_class[i]));
    }
    table.add(std::move(cells));
  };
  for (const KernelInfo& kernel : info.kernels) {
    add(std::to_string(kernel.launch_index), kernel);
  }
  add("total", total);
  std::vector<std::string> shares{"share"};
  for (const std::size_t i : classes) {
    shares.push_back(fmt::format(
        "{:.1f} %", 100.0 * static_cast<double>(total.by_class[i]) / static_cast<double>(total.instructions)));
  }
  table.add(std::move(shares));
  return table.render();
}

void print(const TraceInfo& info, std::ostream& out) {
  out << fmt::format("\n  {}: {}, {} to the device ({} B), hash {}\n\n", info.name,
                     count_text(info.kernels.size(), "kernel launch", "kernel launches"),
                     count_text(info.copies, "copy", "copies"), grouped(info.copied_bytes), info.content_hash);
  out << launches_table(info) << "\n" << counts_table(info);
  out << "  Requests and 32-byte sectors are those of loads from and stores to global memory.\n\n";
  out << classes_table(info) << "\n";
  for (const std::string& note : info.notes) {
    out << "  note: " << note << "\n";
  }
}

}  // namespace

int info_command(const InfoOptions& options, std::ostream& out) {
  const std::unique_ptr<Workload> workload = open_workload(options.trace, {options.sass_file, options.strict});
  const TraceInfo info = read_trace_info(*workload);
  print(info, out);
  std::string problem;
  std::size_t problems = 0;
  for (const KernelInfo& kernel : info.kernels) {
    problems += kernel.problem.empty() ? 0 : 1;
    problem = problem.empty() ? kernel.problem : problem;
  }
  if (problems > 1) {
    problem += fmt::format(" (and {} in other launches)", count_text(problems - 1, "error", "errors"));
  }
  if (problems > 0) {
    out.flush();
    throw TraceError(problem);
  }
  out << "  The trace is valid: it was read completely.\n";
  return kExitDone;
}

}  // namespace warpsim
