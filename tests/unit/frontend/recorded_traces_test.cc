// Real traces compared with the hardware's counters of the same launches. Skipped if they are absent.

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "frontend/workload/trace_info.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;
using CsvRow = std::map<std::string, std::string>;

const fs::path kShared = fs::path(WARPSIM_SOURCE_DIR).parent_path() / "shared";

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<CsvRow> read_csv(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split_csv(line);
  std::vector<CsvRow> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = split_csv(line);
    for (std::size_t i = 0; i < fields.size() && i < names.size(); ++i) {
      if (i == 0) {
        rows.emplace_back();
      }
      rows.back()[names[i]] = fields[i];
    }
  }
  return rows;
}

double value(const CsvRow& row, const std::string& name) {
  const auto found = row.find(name);
  return found == row.end() || found->second.empty() ? 0 : std::stod(found->second);
}

bool absent(const fs::path& path) {
  if (fs::exists(path)) {
    return false;
  }
  WARN(path.string() << " is absent: this test is skipped");
  return true;
}

// Instructions per pipe, as counted by the pipe counters.
using PipeCounts = std::array<double, kPipeCount>;

PipeCounts count_pipes(KernelSource& kernel) {
  const StaticProgram& program = *kernel.launch().program;
  std::vector<std::uint32_t> masks;
  for (const StaticInstruction& instruction : program.instructions) {
    masks.push_back(counted_pipes(instruction, program.opcodes[instruction.opcode], program.architecture));
  }
  std::vector<std::uint64_t> executed(masks.size());
  for (std::uint64_t b = 0; b < kernel.launch().grid.count(); ++b) {
    const auto block = kernel.start_block(b, 0);
    for (std::uint32_t warp = 0; warp < block->warp_count(); ++warp) {
      WarpStream stream;
      stream.warp = warp;
      block->refill(stream, 0);
      for (; stream.next != stream.end; ++stream.next) {
        ++executed[stream.next->index];
      }
    }
  }
  PipeCounts counts{};
  for (std::size_t i = 0; i < masks.size(); ++i) {
    for (std::uint32_t rest = masks[i]; rest != 0; rest &= rest - 1) {
      counts[static_cast<std::size_t>(std::countr_zero(rest))] += static_cast<double>(executed[i]);
    }
  }
  return counts;
}

// Workloads whose threads race, so that two runs differ a little.
bool races(const std::string& workload) {
  return workload == "bfs" || workload == "mandelbrot" || workload == "spmv_csr";
}

}  // namespace

TEST_CASE("recorded traces: instructions, requests and sectors equal the hardware's counters",
          "[frontend][recorded][slow]") {
  if (absent(kShared / "h200/public.csv")) {
    return;
  }
  std::map<std::string, TraceInfo> infos;
  std::size_t launches = 0;
  for (const CsvRow& row : read_csv(kShared / "h200/public.csv")) {
    const std::string& workload = row.at("workload");
    if (!infos.contains(workload)) {
      infos[workload] = read_trace_info(*open_workload((kShared / "h200/traces" / workload).string(), {}));
    }
    const KernelInfo& kernel = infos[workload].kernels.at(std::stoul(row.at("launch")));
    INFO(workload << " launch " << row.at("launch"));
    CHECK(kernel.problem.empty());
    CHECK(kernel.has_control);
    const double tolerance = races(workload) ? 0.025 : 0;
    const auto equal = [&](std::uint64_t ours, const std::string& counter) {
      const double hardware = value(row, counter);
      INFO(counter << ": " << ours << " against " << hardware);
      CHECK(std::abs(static_cast<double>(ours) - hardware) <= tolerance * hardware);
    };
    const std::string global = "_pipe_lsu_mem_global_op_";
    equal(kernel.instructions, "smsp__inst_executed.sum");
    equal(kernel.blocks, "sm__ctas_launched.sum");
    equal(kernel.global_load.requests, "l1tex__t_requests" + global + "ld.sum");
    equal(kernel.global_store.requests, "l1tex__t_requests" + global + "st.sum");
    equal(kernel.global_store.sectors, "l1tex__t_sectors" + global + "st.sum");
    if (workload != "cpasync_gemm") {  // the hardware counts 1/8 more sectors for LDGSTS than its lanes touch
      equal(kernel.global_load.sectors, "l1tex__t_sectors" + global + "ld.sum");
    }
    ++launches;
  }
  CHECK(launches == 45);
}

TEST_CASE("recorded traces: instructions per pipe equal the hardware's counters", "[frontend][recorded][slow]") {
  if (absent(kShared / "h200/public.csv")) {
    return;
  }
  const std::map<std::string, std::vector<Pipe>> counters = {
      {"alu", {Pipe::kAlu}},   {"cbu", {Pipe::kCbu}},         {"fma", {Pipe::kFma, Pipe::kFmaHeavy}},
      {"fp64", {Pipe::kFp64}}, {"lsu", {Pipe::kLsu}},         {"tensor", {Pipe::kTensor}},
      {"tex", {Pipe::kTex}},   {"uniform", {Pipe::kUniform}}, {"xu", {Pipe::kXu}},
      {"tma", {Pipe::kTma}}};
  std::map<std::string, std::vector<PipeCounts>> counts;
  for (const CsvRow& row : read_csv(kShared / "h200/public.csv")) {
    const std::string& workload = row.at("workload");
    if (!counts.contains(workload)) {
      const auto source = open_workload((kShared / "h200/traces" / workload).string(), {});
      while (std::optional<Command> command = source->next()) {
        if (auto* kernel = std::get_if<std::unique_ptr<KernelSource>>(&*command)) {
          counts[workload].push_back(count_pipes(**kernel));
        }
      }
    }
    const PipeCounts& ours = counts[workload].at(std::stoul(row.at("launch")));
    INFO(workload << " launch " << row.at("launch"));
    for (const auto& [name, pipes] : counters) {
      double sum = 0;
      for (const Pipe pipe : pipes) {
        sum += ours[static_cast<std::size_t>(pipe)];
      }
      const double hardware = value(row, "sm__inst_executed_pipe_" + name + ".sum");
      INFO(name << ": " << sum << " against " << hardware);
      CHECK(std::abs(sum - hardware) <= (races(workload) ? 0.02 * hardware : 0.5));
    }
    // The ADU also sees immediate-constant misses, which are replays: never fewer instructions than counted here.
    const double adu = ours[static_cast<std::size_t>(Pipe::kAdu)];
    const double hardware = value(row, "sm__inst_executed_pipe_adu.sum");
    INFO("adu: " << adu << " against " << hardware);
    CHECK(adu <= hardware);
    CHECK(hardware - adu <= 1.4 * (value(row, "smsp__inst_issued.sum") - value(row, "smsp__inst_executed.sum")));
  }
}

TEST_CASE("recorded traces: those of other tools and versions are read without error", "[frontend][recorded]") {
  const std::vector<std::pair<fs::path, std::uint64_t>> traces = {
      {"third-party-traces/matrixmul-sm61-v4", 4416},     {"third-party-traces/vectoradd50k-sm80-v5", 26601},
      {"third-party-traces/rodinia-bfs-sm80-v3", 152480}, {"third-party-traces/rodinia-btree-sm90-v5", 43664},
      {"third-party-traces/vectoradd-sm75-v5", 983040},   {"third-party-traces/ffma-chain-10-sm90-v5", 1328},
      {"third-party-traces/ffma-chain-20-sm90-v5", 2648}, {"third-party-traces/ffma-chain-30-sm90-v5", 3968},
      {"third-party-traces/ffma-chain-40-sm90-v5", 5288}, {"h200/pytorch/traces", 2013512}};
  if (absent(kShared / "third-party-traces")) {
    return;
  }
  for (const auto& [path, instructions] : traces) {
    const TraceInfo info = read_trace_info(*open_workload((kShared / path).string(), {}));
    std::uint64_t total = 0;
    for (const KernelInfo& kernel : info.kernels) {
      INFO(kernel.problem);
      CHECK(kernel.problem.empty());
      total += kernel.instructions;
    }
    INFO(path.string());
    CHECK(total == instructions);
    for (const std::string& note : info.notes) {
      INFO(note);
      CHECK(note.find("opcode") == std::string::npos);
    }
  }
}

}  // namespace warpsim
