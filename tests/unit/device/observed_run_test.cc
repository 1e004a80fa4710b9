#include "device/observed_run.h"

#include <catch2/catch.hpp>
#include <vector>

#include "support/machine.h"

namespace warpsim::test {

TEST_CASE("Observed run: launches are recorded with the times of the device and their details") {
  const GpuConfig config = tiny_config({});
  Machine machine(config, {});
  DetailOptions details;
  details.sample_interval = 100;
  LaunchObserver observer(details, machine);
  std::vector<LaunchRecord> records;
  std::vector<std::uint32_t> begun;
  std::size_t rows = 0;
  std::vector<WorkRecord> works;
  ObservedRun run(machine, std::vector{&config}, observer,
                  {.begins = [&](const KernelLaunch& launch) { begun.push_back(launch.launch_index); },
                   .ended =
                       [&](const ObservedRun::Ended& launch) {
                         records.push_back(launch.record);
                         rows += launch.details.series == nullptr ? 0 : 1;
                         CHECK(launch.result.elapsed_cycles == launch.record.elapsed_cycles);
                       },
                   .work = [&](const WorkRecord& work) { works.push_back(work); }},
                  16);
  for (std::uint64_t stream = 1; stream <= 2; ++stream) {
    KernelBuilder k;
    k.loop(500, [&] { k.ffma(5, 5, 5, 5); });
    k.exit();
    Work work;
    work.kind = WorkKind::kKernel;
    work.place.stream = stream;
    work.kernel = std::make_unique<SyntheticKernel>(k, KernelShape{});
    run.device().submit(std::move(work));
    run.device().finish();
  }
  REQUIRE(records.size() == 2);
  CHECK(begun.size() == 2);
  CHECK(rows == 2);
  CHECK(records[0].attributes.at("queue_submit_ns") == AttributeValue(config.host_calls.launch_ns));
  CHECK(records[0].attributes.at("queue_end_ns") > records[0].attributes.at("queue_start_ns"));
  REQUIRE(works.size() == 2);
  CHECK(works[0].kind == "kernel");
  CHECK(works[0].launch_index == std::optional<std::uint32_t>(0));
  CHECK(works[0].end_ns > works[0].start_ns);
  CHECK(works[1].number == 2);
  CHECK(records[0].attributes.at("launches_beside") == AttributeValue(0.0));
}

}  // namespace warpsim::test
