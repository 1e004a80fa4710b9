// The comparisons of skip_test.cc on real kernels, with the description of a real GPU.
#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>
#include <variant>

#include "config/config_tree.h"
#include "frontend/workload/convert.h"
#include "frontend/workload/workload.h"
#include "support/machine.h"
#include "support/temporary_folder.h"

namespace warpsim::test {
namespace {

struct Launch {
  LaunchResult result;
  std::map<std::string, std::uint64_t> statistics;
};

GpuConfig h200() {
  return ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/h200.yaml", {}).read<GpuConfig>();
}

std::string bundled(const std::string& name) {
  return WARPSIM_SOURCE_DIR "/traces/" + name + ".wtrace";
}

std::vector<Launch> run_file(const std::string& path, const MachineOptions& options, std::size_t most_launches) {
  const std::unique_ptr<Workload> workload = open_workload(path, {});
  Machine gpu(h200(), options);
  std::vector<Launch> launches;
  while (launches.size() < most_launches) {
    std::optional<Command> command = workload->next();
    if (!command) {
      break;
    }
    if (const auto* copy = std::get_if<CopyToDevice>(&*command)) {
      gpu.copy_to_device(*copy);
      continue;
    }
    const LaunchResult result = gpu.run(*std::get<std::unique_ptr<KernelSource>>(*command));
    launches.push_back({result, every_statistic(gpu.stats())});
  }
  return launches;
}

std::vector<Launch> run_trace(const std::string& name, const MachineOptions& options, std::size_t most_launches) {
  return run_file(bundled(name), options, most_launches);
}

void check_same(const std::vector<Launch>& a, const std::vector<Launch>& b) {
  REQUIRE(a.size() == b.size());
  REQUIRE_FALSE(a.empty());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("launch " << i);
    CHECK(a[i].result.start_cycle == b[i].result.start_cycle);
    CHECK(a[i].result.elapsed_cycles == b[i].result.elapsed_cycles);
    CHECK((a[i].statistics == b[i].statistics));  // too many to print
  }
}

TEST_CASE("Skipping changes no statistic of recorded kernels", "[slow]") {
  for (const char* name : {"softmax", "transpose", "vecadd"}) {
    INFO(name);
    check_same(run_trace(name, {.skip = true}, 1), run_trace(name, {.skip = false}, 1));
  }
}

TEST_CASE("Recorded launches give the same statistics after any other launches in the process", "[slow]") {
  const std::vector<Launch> first = run_trace("scan", {}, 3);
  run_trace("softmax", {}, 1);
  check_same(first, run_trace("scan", {}, 3));
}

TEST_CASE("Skipping changes no statistic of recorded kernels that keep their caches", "[slow]") {
  check_same(run_trace("scan", {.skip = true, .flush_before_launch = false}, 2),
             run_trace("scan", {.skip = false, .flush_before_launch = false}, 2));
}

// Two launches of one kernel: the second finds its code in the instruction caches, in both formats.
TEST_CASE("A recorded workload gives the same statistics as text and in the native format", "[slow]") {
  const TemporaryFolder folder;
  convert(bundled("bfs"), folder.at("bfs"));
  for (const bool flush : {true, false}) {
    INFO("flush " << flush);
    check_same(run_trace("bfs", {.flush_before_launch = flush}, 2),
               run_file(folder.at("bfs"), {.flush_before_launch = flush}, 2));
  }
}

}  // namespace
}  // namespace warpsim::test
