#include "frontend/workload/trace_info.h"

#include <catch2/catch.hpp>

#include "support/temporary_folder.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {

TEST_CASE("trace info: counts of the tiny trace", "[frontend]") {
  const TemporaryFolder folder;
  const std::string path = folder.write("tiny.traceg", test::tiny_trace());
  const TraceInfo info = read_trace_info(*open_workload(path, {}));
  REQUIRE(info.kernels.size() == 1);
  const KernelInfo& kernel = info.kernels[0];
  CHECK(info.valid());
  CHECK(kernel.kernel == "twice");
  CHECK(kernel.blocks == 1);
  CHECK(kernel.warps == 1);
  CHECK(kernel.instructions == 5);
  CHECK(kernel.thread_instructions == 32 + 4 + 3 + 32 + 32);
  CHECK(kernel.by_class[static_cast<std::size_t>(InstructionClass::kGlobal)] == 2);
  CHECK(kernel.by_class[static_cast<std::size_t>(InstructionClass::kFp32)] == 1);
  // Lanes 0-3 at ..000 to ..00f: one sector; lanes at ..1000, ..1040, ..1020: three.
  CHECK(kernel.global_load.requests == 2);
  CHECK(kernel.global_load.sectors == 4);
  CHECK(kernel.global_store.requests == 0);
}

TEST_CASE("trace info: a kernel with an error does not hide the others", "[frontend]") {
  const TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  folder.write("kernel-1.traceg", "rubbish\n");
  folder.write("kernel-2.traceg", test::accelsim_header(5, "(2,1,1)") + test::thread_block("0,0,0", ""));
  folder.write("kernel-3.traceg", test::tiny_trace());
  const TraceInfo info = read_trace_info(*open_workload(folder.at("."), {}));
  REQUIRE(info.kernels.size() == 3);
  CHECK_FALSE(info.valid());
  CHECK_THAT(info.kernels[0].problem, Catch::Contains("this is not a header line"));
  CHECK_THAT(info.kernels[1].problem, Catch::Contains("the file ends after 1 of 2 thread blocks"));
  CHECK(info.kernels[2].problem.empty());
  CHECK(info.total().instructions == 5);
  CHECK(info.total().global_load.sectors == 4);
}

TEST_CASE("trace info: sectors of strided, scattered and unaligned accesses", "[frontend]") {
  LaneAddresses strided;
  strided.kind = LaneAddresses::Kind::kStrided;
  strided.base = 0x1000;
  strided.stride = 4;
  CHECK(count_sectors(strided, 32, 4) == 4);
  strided.stride = 16;
  CHECK(count_sectors(strided, 32, 16) == 16);
  strided.stride = 0;
  CHECK(count_sectors(strided, 32, 4) == 1);
  strided.base = 0x101e;
  CHECK(count_sectors(strided, 1, 4) == 2);
  const Address list[] = {0x2000, 0x1000, 0x2004, 0x1020};
  LaneAddresses scattered;
  scattered.kind = LaneAddresses::Kind::kList;
  scattered.list = list;
  CHECK(count_sectors(scattered, 4, 4) == 3);
}

}  // namespace warpsim
