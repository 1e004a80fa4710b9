// `warpsim exec` with programs that need no device; tests/cuda_programs/run.py runs real ones if they can be built.
#include "app/commands/exec_command.h"

#include <elf.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>

#include "app/program/elf_program.h"
#include "base/error.h"
#include "perfetto_trace.pb.h"
#include "stats/database.h"
#include "support/build_paths.h"
#include "support/program.h"

namespace warpsim {
namespace {

using test::ProgramOutcome;
using test::run_program;

const std::string kPrograms = test::cuda_programs();

TEST_CASE("exec: streams run beside each other, and the host may wait for them without a call") {
  for (const char* const gpu : {"test_tiny", "h200", "gtx280"}) {
    const ProgramOutcome timed = run_program(std::string("exec --force-target --gpu ") + gpu + " -- " + kPrograms +
                                             "/streams" + (std::string(gpu) == "gtx280" ? "" : " timed"));
    INFO(gpu << timed.err << timed.out);
    CHECK(timed.out == "PASS\n");
    CHECK(timed.code == 0);
  }
  const ProgramOutcome functional = run_program("exec --functional-only --gpu h200 -- " + kPrograms + "/streams");
  CHECK(functional.out == "PASS\n");
}

TEST_CASE("exec: what the device did in its streams is in the report and in a trace for a viewer") {
  const TemporaryFolder folder;
  const std::string database = folder.at("r.db");
  const ProgramOutcome run = run_program("exec --force-target --gpu h200 --cache-control none --out " + database +
                                         " -- " + kPrograms + "/streams timed");
  INFO(run.err);
  REQUIRE(run.code == 0);
  const Database results(database, Database::Mode::kReadOnly);
  const std::int64_t works = results.integer("SELECT count(*) FROM device_timeline WHERE device = 0");
  CHECK(results.integer("SELECT count(DISTINCT kind) FROM device_timeline") >= 4);
  CHECK(results.integer("SELECT count(*) FROM streams WHERE kernels > 0") >= 2);
  CHECK(results.integer("SELECT count(*) FROM kernel_summary WHERE device IS NOT 0") == 0);
  const ProgramOutcome page = run_program("report " + database + " -o " + folder.at("r.html"));
  CHECK(page.code == 0);
  const ProgramOutcome trace =
      run_program("export " + database + " --view device_timeline -o " + folder.at("r.pftrace"));
  CHECK(trace.out == "wrote " + folder.at("r.pftrace") + " (" + std::to_string(works) + " rows)\n");
  perfetto::Trace decoded;
  REQUIRE(decoded.ParseFromString(TemporaryFolder::read(folder.at("r.pftrace"))));
  std::int64_t submissions = 0;
  std::int64_t starts = 0;
  for (const perfetto::TracePacket& packet : decoded.packet()) {
    submissions += packet.track_event().flow_ids_size();
    starts += packet.track_event().terminating_flow_ids_size();
  }
  CHECK(submissions == works);
  CHECK(starts == works);
}

TEST_CASE("exec: the program runs with our runtime and its exit code is kept") {
  const ProgramOutcome outcome = run_program("exec --gpu v100 -- " + kPrograms + "/runtime_calls 7");
  CHECK(outcome.code == 7);
  CHECK(outcome.out.find("runtime 13000\ndevices 1\nmemory 801 801\nlast error cudaErrorNotSupported\n") == 0);
  CHECK(outcome.out.find("/configs/v100.yaml\n") != std::string::npos);
  CHECK(outcome.err_lines() == std::vector<std::string>{"warpsim: cudaImportExternalMemory is not supported"});
}

TEST_CASE("exec: a missing program is one clear error") {
  const ProgramOutcome outcome = run_program("exec -- ./no_such_program");
  CHECK(outcome.code == 2);
  CHECK(outcome.err_lines() == std::vector<std::string>{"warpsim: error: './no_such_program': there is no such file"});
}

TEST_CASE("exec: a program with a runtime of its own finds the driver's functions and tables") {
  const ProgramOutcome outcome = run_program("exec -- " + kPrograms + "/own_runtime");
  CHECK(outcome.code == 0);
  CHECK(outcome.out ==
        "cuCtxGetDevice 12090 0: 0 0 found\n"
        "cuCtxGetDevice 13000 0: 0 0 found\n"
        "cuMemcpyHtoD 13000 0: 0 0 found\n"
        "cuMemcpyHtoD 13000 2: 0 0 found\n"
        "cuLaunchKernel 13000 2: 0 0 found\n"
        "cuMemAlloc 13000 2: 0 0 found\n"
        "cuGraphAddNode 12010 0: 500 1 none\n"
        "cuNoSuchFunction 13000 0: 500 1 none\n"
        "cuGetExportTable 13000 0: 0 0 found\n"
        "table: 1 none\n"
        "PASS\n");
  CHECK(outcome.err == "warpsim: " + kPrograms +
                           "/own_runtime asks for the driver's table 01020300000000000000000000000000, which is not "
                           "known\n");
}

TEST_CASE("exec: a script is started like a program") {
  const TemporaryFolder folder;
  const std::string script = folder.write("start", "#!/bin/sh\n" + kPrograms + "/runtime_calls | head -n 1\nexit 3\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const ProgramOutcome outcome = run_program("exec -- " + script);
  CHECK(outcome.code == 3);
  CHECK(outcome.out == "runtime 13000\n");
}

TEST_CASE("exec: an unknown GPU is an error before the program starts") {
  const ProgramOutcome outcome = run_program("exec --gpu h2000 -- " + kPrograms + "/runtime_calls");
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("h2000") != std::string::npos);
}

// Output of a program with one error (tests/cuda_programs/driver_calls.cc).
ProgramOutcome run_wrong(const std::string& what, const std::string& options = "") {
  return run_program("exec --gpu h200 --functional-only " + options + " -- " + kPrograms + "/driver_calls " + what);
}

bool says(const ProgramOutcome& outcome, const std::string& words) {
  return outcome.err.find(words) != std::string::npos;
}

TEST_CASE("exec: a read of device memory by the host is reported, and the program ends as on a GPU") {
  const ProgramOutcome outcome = run_wrong("host-read");
  INFO(outcome.err);
  CHECK(outcome.code != 0);
  CHECK(says(outcome, "warpsim: the host program accesses device memory at 0x7"));
  CHECK(says(outcome, "8 bytes into the allocation of 256 bytes at 0x7"));
  const ProgramOutcome own = run_wrong("host-read-own-handler");
  CHECK(own.code == 7);
  CHECK(own.out == "own handler\n");
  CHECK(says(own, "8 bytes into the allocation of 256 bytes"));
  const ProgramOutcome null = run_wrong("null-read");
  CHECK(null.code != 0);
  CHECK_FALSE(says(null, "device memory"));
  const ProgramOutcome managed = run_wrong("managed");
  CHECK(managed.code == 0);
  CHECK(managed.out == "1\n");
}

TEST_CASE("exec: a read of freed managed memory by the host is reported, and the program ends as on a GPU") {
  const ProgramOutcome outcome = run_wrong("managed-after-free");
  INFO(outcome.err);
  CHECK(outcome.code != 0);
  CHECK(outcome.out == "6\n");
  CHECK(says(outcome, "warpsim: the host program accesses managed memory at 0x6"));
  CHECK(says(outcome, "in memory that was freed: 256 bytes at 0x6"));
  // Without a quarantine it can be reused at once.
  const ProgramOutcome unseen = run_wrong("managed-after-free", "--quarantine 0");
  CHECK(unseen.code == 0);
  CHECK(unseen.err.empty());
}

TEST_CASE("exec: freed memory is reported for kernels, copies and frees") {
  const ProgramOutcome kernel = run_wrong("use-after-free");
  CHECK(kernel.out == "700\n");
  CHECK(says(kernel, "writes 4 bytes at 0x"));
  CHECK(says(kernel, "which is in memory that was freed: 256 bytes at 0x"));
  const ProgramOutcome copy = run_wrong("copy-after-free");
  CHECK(copy.out == "1\n");
  CHECK(says(copy, "is in memory that was freed: 256 bytes at 0x"));
  const ProgramOutcome twice = run_wrong("free-twice");
  CHECK(twice.out == "1\n");
  CHECK(says(twice, "a free: 0x"));
  CHECK(says(twice, "is in memory that was freed: 256 bytes at 0x"));
  const ProgramOutcome inside = run_wrong("free-inside");
  CHECK(inside.out == "1\n");
  CHECK(says(inside, "is 16 bytes inside of an allocation: 256 bytes at 0x"));
  // Without a quarantine the memory is reused at once, as on a GPU.
  const ProgramOutcome reused = run_wrong("use-after-free", "--quarantine 0");
  CHECK(reused.out == "0\n");
  CHECK(reused.err.empty());
}

TEST_CASE("exec: a program that allocates and frees in a loop does not run out of memory") {
  const ProgramOutcome outcome = run_wrong("free-often");
  CHECK(outcome.out == "same\n");
  CHECK(outcome.err.empty());
}

TEST_CASE("exec: a kernel that never ends is ended, with the error of a GPU") {
  const ProgramOutcome deadlock = run_wrong("wait");
  CHECK(deadlock.out == "702\n");
  CHECK(says(deadlock, "kernel wait: a deadlock"));
  const ProgramOutcome limit = run_wrong("count", "--max-instructions 100000");
  CHECK(limit.out == "702\n");
  CHECK(says(limit, "kernel count was ended: it has not finished after 100000 warp instructions"));
}

TEST_CASE("exec: races are reported, and the exit code 0 becomes 1") {
  const ProgramOutcome races = run_wrong("exchange", "--check races");
  CHECK(races.out == "0\n");
  CHECK(races.code == 1);
  CHECK(says(races, "kernel exchange: a race (write and read)"));
  CHECK(says(races, "warpsim: races: 2 pairs of instructions in 1 launch"));
  const ProgramOutcome good = run_wrong("store", "--check races");
  CHECK(good.code == 0);
  CHECK(good.err == "warpsim: races: no pairs of instructions in 1 launch\n");
  const ProgramOutcome wrong = run_wrong("store", "--check rases");
  CHECK(wrong.code == 2);
}

TEST_CASE("the libraries of a program are read from its file") {
  const ElfProgram program = read_elf_program(kPrograms + "/runtime_calls");
  CHECK(program.is_elf);
  CHECK(std::count(program.libraries.begin(), program.libraries.end(), "libcudart.so.13") == 1);
  CHECK_FALSE(program.has_device_code);
  CHECK(read_elf_program(kPrograms + "/own_runtime").has_device_code);
  CHECK_FALSE(read_elf_program(WARPSIM_SOURCE_DIR "/README.md").is_elf);
  CHECK_THROWS_AS(read_elf_program("/nowhere/program"), UserError);
}

TEST_CASE("a program of a toolkit without simulated libraries is refused") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(check_cuda_program(kPrograms + "/runtime_calls", folder.at("")),
                    Catch::Contains("needs libcudart.so.13"));
}

TEST_CASE("a damaged program is read as far as possible") {
  const TemporaryFolder folder;
  const std::string whole = TemporaryFolder::read(kPrograms + "/runtime_calls");
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += whole.size() / 50) {
    CHECK_NOTHROW(read_elf_program(folder.write("cut", whole.substr(0, bytes))));
  }
  std::string wild = whole;
  const std::uint64_t far = ~0ULL - 8;
  std::memcpy(wild.data() + offsetof(Elf64_Ehdr, e_shoff), &far, sizeof far);
  CHECK_NOTHROW(read_elf_program(folder.write("wild", wild)));
}

}  // namespace
}  // namespace warpsim
