#include "frontend/accelsim/shared_reserve.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "app/comparison/hardware_csv.h"
#include "base/error.h"
#include "frontend/accelsim/accelsim_reader.h"
#include "frontend/workload/convert.h"
#include "frontend/workload/workload.h"
#include "support/temporary_folder.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

SharedExtent extent(Address begin, Address end) {
  SharedExtent result;
  result.begin = begin;
  result.end = end;
  return result;
}

// A kernel of two blocks of one warp; `lines` are executed by block (0,0,0), the other one ends at once.
std::string trace(const std::string& shmem, const std::string& lines, int count, const std::string& architecture = "90",
                  const std::string& more_header = "") {
  std::string header = test::accelsim_header(5, "(2,1,1)");
  const auto replace = [&header](const std::string& from, const std::string& to) {
    header.replace(header.find(from), from.size(), to);
  };
  replace("-shmem = 0", "-shmem = " + shmem + more_header);
  replace("binary version = 80", "binary version = " + architecture);
  const std::string exit = "0100 ffffffff 0 EXIT 0 0 0 \n";
  return header + test::thread_block("0,0,0", "warp = 0\ninsts = " + std::to_string(count + 1) + "\n" + lines + exit) +
         test::thread_block("1,0,0", "warp = 0\ninsts = 1\n" + exit);
}

std::uint32_t shared_bytes(const std::string& text) {
  const TemporaryFolder folder;
  return open_accelsim_kernel(folder.write("k.traceg", text), "").launch.shared_bytes;
}

// One store of 4 bytes per lane, from `base` on.
std::string store(const std::string& base) {
  return "0010 ffffffff 0 STS 2 R2 R3 4 1 " + base + " 4 0 \n";
}

}  // namespace

TEST_CASE("shared reserve: it is included if all accesses are between 1024 and the stated size, and not otherwise") {
  struct Case {
    std::uint32_t stated;
    SharedExtent accesses;
    std::uint32_t reserve;
  };
  const Case cases[] = {
      {5120, extent(1024, 5120), 1024},       // 4096 bytes, all used
      {5120, extent(1024, 1280), 1024},       // and partly
      {1056, extent(1024, 1056), 1024},       // 32 bytes
      {1025, extent(1024, 1025), 1024},       // one byte
      {2064, extent(1024, 3088), 0},          // 2064 bytes of its own
      {2064, extent(1024, 2065), 0},          // one byte above the stated size proves it
      {24, extent(1024, 1048), 0},            // less than the reserve
      {1024, extent(1024, 1028), 0},          // could be only the reserve, but a kernel without data states 0
      {8192, extent(0, 8192), 0},             // data below 1024: another layout
      {8192, extent(1020, 8192), 0},          //
      {5120, SharedExtent{}, 0},              // no access, no evidence
      {0, SharedExtent{}, 0},                 //
      {231868, extent(0x34c00, 0x38dbc), 0},  // bulk copies fill the beginning, stores end at 1024 + 231868
  };
  for (const Case& c : cases) {
    INFO(c.stated << " stated, [" << c.accesses.begin << ", " << c.accesses.end << ")");
    CHECK(shared_reserve(c.stated, c.accesses) == c.reserve);
  }
}

TEST_CASE("shared reserve: found in the addresses of a trace") {
  CHECK(shared_bytes(trace("1152", store("0x400"), 1)) == 128);
  CHECK(shared_bytes(trace("1151", store("0x400"), 1)) == 1151);  // ends at 1152
  CHECK(shared_bytes(trace("1152", store("0x0"), 1)) == 1152);
  CHECK(shared_bytes(trace("1152", "", 0)) == 1152);
  CHECK(shared_bytes(trace("0", "", 0)) == 0);
}

TEST_CASE("shared reserve: nothing is subtracted below compute capability 9.0") {
  CHECK(shared_bytes(trace("1152", store("0x400"), 1, "89")) == 1152);
  CHECK(shared_bytes(trace("1152", store("0x400"), 1, "100")) == 128);
}

TEST_CASE("shared reserve: the rank of a block in its cluster is not part of the offset") {
  CHECK(shared_bytes(trace("1152", store("0x1000400"), 1)) == 128);
  CHECK(shared_bytes(trace("1151", store("0x1000400"), 1)) == 1151);
}

TEST_CASE("shared reserve: generic accesses count only in the shared window, copies from global memory never") {
  // The header's windows: shared at 0x7f0000000000, local at 0x7f1000000000.
  CHECK(shared_bytes(trace("1152", "0010 ffffffff 0 ST.E 2 R2 R3 4 1 0x7f0000000400 4 0 \n", 1)) == 128);
  CHECK(shared_bytes(trace("1152", "0010 ffffffff 0 ST.E 2 R2 R3 4 1 0x7f1000000400 4 0 \n", 1)) == 1152);
  CHECK(shared_bytes(trace("1152", "0010 ffffffff 0 LDGSTS.E 2 R2 R3 4 1 0x400 4 0 \n", 1)) == 1152);
}

TEST_CASE("shared reserve: a row of LDSM is 16 bytes") {
  const std::string rows = "0010 0000ffff 1 R4 LDSM.16.M88.2 1 R2 4 1 0x400 16 0 \n";  // ends at 1024 + 256
  CHECK(shared_bytes(trace("1280", rows, 1)) == 256);
  CHECK(shared_bytes(trace("1279", rows, 1)) == 1279);
}

TEST_CASE("shared reserve: the header may state it") {
  CHECK(shared_bytes(trace("1152", store("0x400"), 1, "90", "\n-shmem reserve = 0")) == 1152);
  CHECK(shared_bytes(trace("5000", "", 0, "80", "\n-shmem reserve = 1024")) == 3976);
  CHECK_THROWS_WITH(shared_bytes(trace("1000", "", 0, "90", "\n-shmem reserve = 1024")),
                    Catch::Contains("'-shmem reserve' is 1024, '-shmem' 1000; expected no more reserve than shared"));
}

TEST_CASE("shared reserve: a malformed block ends the search, and the reader of the blocks reports it") {
  const TemporaryFolder folder;
  // The first warp claims one instruction more than it has.
  const std::string path = folder.write("k.traceg", trace("1152", store("0x400"), 2));
  InputStream input(path);
  CHECK(find_shared_reserve(path, read_accelsim_header(input)) == 1024);
  CHECK_THROWS_WITH(open_accelsim_kernel(path, ""), Catch::Contains("expected 3 as its 'insts' line says"));
}

TEST_CASE("shared reserve: converting keeps the corrected number, in both directions") {
  const TemporaryFolder folder;
  folder.write("text/kernelslist.g", "kernel-1.traceg\n");
  // 4096 bytes of which the kernel uses the first 128: text that was corrected once must not be corrected again.
  folder.write("text/kernel-1.traceg", trace("5120", store("0x400"), 1));
  convert(folder.at("text"), folder.at("a.wtrace"));
  convert(folder.at("a.wtrace"), folder.at("again"));
  convert(folder.at("again"), folder.at("b.wtrace"));
  for (const char* name : {"text", "a.wtrace", "again", "b.wtrace"}) {
    INFO(name);
    const auto workload = open_workload(folder.at(name), {});
    CHECK(std::get<std::unique_ptr<KernelSource>>(*workload->next())->launch().shared_bytes == 4096);
  }
}

TEST_CASE("shared reserve: recorded launches have the shared memory that the profiler reports",
          "[frontend][recorded]") {
  const fs::path h200 = fs::path(WARPSIM_SOURCE_DIR).parent_path() / "shared/h200";
  if (!fs::exists(h200)) {
    WARN(h200.string() << " is absent: this test is skipped");
    return;
  }
  const std::map<std::string, std::string> tables{
      {"public.csv", "traces"}, {"extra.csv", "extra-traces"}, {"pytorch/pytorch.csv", "pytorch/traces"}};
  std::size_t launches = 0;
  std::size_t with_shared = 0;
  for (const auto& [csv, traces] : tables) {
    std::map<std::string, std::vector<std::uint32_t>> bytes;  // by workload and launch
    for (const HardwareRow& row : read_hardware_csv((h200 / csv).string()).rows) {
      const fs::path folder = row.workload == "pytorch" ? h200 / traces : h200 / traces / row.workload;
      if (!fs::exists(folder)) {
        continue;  // measured without a trace
      }
      std::vector<std::uint32_t>& found = bytes[row.workload];
      if (found.empty()) {
        const auto workload = open_workload(folder.string(), {});
        while (const std::optional<Command> command = workload->next()) {
          if (const auto* kernel = std::get_if<std::unique_ptr<KernelSource>>(&*command)) {
            found.push_back((*kernel)->launch().shared_bytes);
          }
        }
      }
      double expected = 0;
      for (const auto& [name, value] : row.launch.metrics) {
        if (name == "launch__shared_mem_per_block_static" || name == "launch__shared_mem_per_block_dynamic") {
          expected += value.value();
        }
      }
      INFO(row.workload << " launch " << row.launch.launch_index);
      CHECK(found.at(row.launch.launch_index) == expected);
      ++launches;
      with_shared += expected > 0 ? 1 : 0;
    }
  }
  CHECK(launches == 70);
  CHECK(with_shared == 27);
}

}  // namespace warpsim
