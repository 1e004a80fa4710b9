#include "frontend/workload/workload.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/temporary_folder.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

std::string one_instruction(const std::string& line) {
  return test::accelsim_header() + test::thread_block("0,0,0", "warp = 0\ninsts = 1\n" + line + "\n");
}

}  // namespace

TEST_CASE("workload: a folder's commands in program order, unknown lines skipped", "[frontend]") {
  const TemporaryFolder folder;
  folder.write("demo/kernelslist.g",
               "MemcpyHtoD,0x00007f0000001000,4096\nkernel-1.traceg\nncclAllReduce,3\nkernel-2.traceg \n");
  folder.write("demo/kernel-1.traceg", test::tiny_trace());
  folder.write("demo/kernel-2.traceg", test::tiny_trace());
  const auto workload = open_workload(folder.at("demo"), {});
  CHECK(workload->name() == "demo");
  std::optional<Command> command = workload->next();
  REQUIRE(command);
  REQUIRE(std::holds_alternative<CopyToDevice>(*command));
  CHECK(std::get<CopyToDevice>(*command).destination == 0x7f0000001000);
  CHECK(std::get<CopyToDevice>(*command).bytes == 4096);
  for (std::uint32_t launch = 0; launch < 2; ++launch) {
    command = workload->next();
    REQUIRE(command);
    const auto& kernel = std::get<std::unique_ptr<KernelSource>>(*command);
    CHECK(kernel->launch().launch_index == launch);
    const auto block = kernel->start_block(0, 0);
    CHECK(block->warp_count() == 1);
    WarpStream stream;
    block->refill(stream, 0);
    CHECK(stream.end - stream.next == 5);
    CHECK(stream.finished);
    CHECK(block->addresses(stream.next[1]).base == 0x7f2000000000);
    CHECK(block->addresses(stream.next[0]).kind == LaneAddresses::Kind::kNone);
    block->refill(stream, 0);
    CHECK(stream.next == stream.end);
  }
  CHECK_FALSE(workload->next());
}

TEST_CASE("workload: launches of one kernel share its program", "[frontend]") {
  const TemporaryFolder folder;
  folder.write("demo/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  folder.write("demo/kernel-1.traceg", test::tiny_trace());
  folder.write("demo/kernel-2.traceg", one_instruction("0000 ffffffff 0 NOP 0 0 0 "));
  folder.write("demo/kernel-3.traceg", test::tiny_trace());
  const auto workload = open_workload(folder.at("demo"), {});
  std::vector<std::shared_ptr<const StaticProgram>> programs;
  while (const std::optional<Command> command = workload->next()) {
    programs.push_back(std::get<std::unique_ptr<KernelSource>>(*command)->launch().program);
  }
  REQUIRE(programs.size() == 3);
  CHECK(programs[0] == programs[2]);
  CHECK(programs[0] != programs[1]);  // without a listing, only executed instructions are known
}

TEST_CASE("workload: names come from folders and files", "[frontend]") {
  const TemporaryFolder folder;
  for (const char* place : {"app/traces", "plain"}) {
    folder.write(std::string(place) + "/kernelslist.g", "kernel-1.traceg\n");
    folder.write(std::string(place) + "/kernel-1.traceg", test::tiny_trace());
  }
  const auto name = [&](const std::string& path) { return open_workload(folder.at(path), {})->name(); };
  CHECK(name("plain") == "plain");
  CHECK(name("plain/") == "plain");
  CHECK(name("app/traces") == "app");
  CHECK(name("app/traces/kernelslist.g") == "app");
  CHECK(name("plain/kernel-1.traceg") == "kernel-1");
}

TEST_CASE("workload: a listed file is found with the suffix of a compression", "[frontend]") {
  const TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg.zst", test::tiny_trace());  // the content decides, not the name
  CHECK(open_workload(folder.at("."), {})->next());
}

TEST_CASE("workload: the hash depends on content, not on place", "[frontend]") {
  const TemporaryFolder folder;
  const auto hash_of = [&](const std::string& name, const std::string& text) {
    folder.write(name + "/kernelslist.g", "kernel-1.traceg\n");
    folder.write(name + "/kernel-1.traceg", text);
    return open_workload(folder.at(name), {})->content_hash();
  };
  const std::string hash = hash_of("a", test::tiny_trace());
  CHECK(hash.size() == 16);
  CHECK(hash_of("b", test::tiny_trace()) == hash);
  CHECK(hash_of("c", test::tiny_trace() + "\n") != hash);
}

TEST_CASE("workload: notes name kernels without listing and unknown opcodes once", "[frontend]") {
  const TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  folder.write("kernel-1.traceg", one_instruction("0000 ffffffff 0 FROB.X 0 0 0 "));
  folder.write("kernel-2.traceg", one_instruction("0000 ffffffff 0 FROB.X 0 0 0 "));
  const auto workload = open_workload(folder.at("."), {});
  CHECK(workload->notes().empty());
  while (workload->next()) {
  }
  const std::vector<std::string> notes = workload->notes();
  REQUIRE(notes.size() == 2);
  CHECK(notes[0] == "no SASS listing contains twice: operands come from the trace, a scoreboard tracks dependences");
  CHECK(notes[1] ==
        "opcode FROB.X (1 instructions of twice) is not in the opcode table: simulated as an ALU operation");
}

TEST_CASE("workload: strict makes an unknown opcode an error", "[frontend]") {
  const TemporaryFolder folder;
  const std::string path = folder.write("k.traceg", one_instruction("0010 ffffffff 0 FROB.X 0 0 0 "));
  WorkloadOptions options;
  options.strict = true;
  CHECK_THROWS_WITH(open_workload(path, options)->next(),
                    Catch::EndsWith("k.traceg: opcode 'FROB.X' at PC 0x0010 of twice is not in the opcode table; "
                                    "expected a documented SASS opcode of sm_10 to sm_90"));
}

TEST_CASE("workload: an input that is not a trace is refused with its place", "[frontend]") {
  const TemporaryFolder folder;
  folder.write("empty/readme", "");
  folder.write("missing/kernelslist.g", "MemcpyHtoD,0x10,4\nkernel-9.traceg\n");
  folder.write("none/kernelslist.g", "MemcpyHtoD,0x10,4\n");
  folder.write("copy/kernelslist.g", "MemcpyHtoD,0x10,four\n");
  const auto message = [&](const std::string& name) {
    try {
      open_workload(folder.at(name), {});
    } catch (const TraceError& error) {
      return std::string(error.what()).substr(folder.at("").size());
    }
    return std::string("no error");
  };
  CHECK(message("nothing") == "nothing: there is no such file or folder; expected a trace");
  CHECK(message("empty") == "empty: the folder has no kernelslist.g; expected a trace folder");
  CHECK(message("missing") ==
        "missing/kernelslist.g:2: there is no file 'kernel-9.traceg'; expected it next to the list, or with the "
        "suffix .xz, .gz or .zst");
  CHECK(message("none") == "none/kernelslist.g: names no kernel; expected a line 'kernel-1.traceg'");
  CHECK(message("copy") == "copy/kernelslist.g:1: expected 'MemcpyHtoD,0x<address>,<bytes>'");
}

}  // namespace warpsim
