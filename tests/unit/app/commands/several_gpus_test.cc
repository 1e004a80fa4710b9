// `warpsim exec --gpus` with a program that adds values of all GPUs over their links.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "app/commands/exec_command.h"
#include "stats/database.h"
#include "support/build_paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

using test::ProgramOutcome;
using test::run_program;

const std::string kRing = std::string(" -- ") + test::cuda_programs() + "/several_gpus";

TEST_CASE("exec: several GPUs add in a ring, and copy to each other") {
  struct Machine {
    const char* options;
    int gpus;
  };
  const Machine machines[] = {{"--gpu test_tiny --gpus 2", 2},
                              {"--gpu test_tiny --gpus 5", 5},
                              {"--gpu h100 --gpus 2", 2},
                              {"--gpus h200,h100", 2}};
  for (const Machine& machine : machines) {
    const ProgramOutcome outcome = run_program(std::string("exec ") + machine.options + kRing + " timed");
    INFO(machine.options << outcome.err << outcome.out);
    CHECK(outcome.code == 0);
    CHECK(outcome.out.starts_with(std::to_string(machine.gpus) + " GPUs\n"));
    CHECK(outcome.out.ends_with("PASS\n"));
  }
  // Without time each kernel is done at its launch, so that none can wait for another one.
  const ProgramOutcome functional = run_program("exec --functional-only --gpu p100 --gpus 3" + kRing);
  CHECK(functional.out == "3 GPUs\nPASS\n");
}

TEST_CASE("exec: threads do not change the results of several GPUs") {
  const std::string command = "exec --gpu test_tiny --gpus 3 --threads ";
  const ProgramOutcome one = run_program(command + "1" + kRing + " timed");
  CHECK(one.code == 0);
  CHECK(run_program(command + "3" + kRing + " timed").out == one.out);
}

TEST_CASE("exec: one database has the launches and copies of all GPUs") {
  const TemporaryFolder folder;
  const std::string path = folder.at("several.db");
  const ProgramOutcome outcome =
      run_program("exec --gpu test_tiny --gpus 3 --cache-control none --out " + path + kRing + " timed");
  INFO(outcome.err << outcome.out);
  REQUIRE(outcome.code == 0);
  const Database database(path, Database::Mode::kReadOnly);
  const auto count = [&](const std::string& query) {
    Statement statement(database, query.c_str());
    REQUIRE(statement.step());
    return statement.integer(0);
  };
  CHECK(count("SELECT count(*) FROM device") == 3);
  CHECK(count("SELECT count(DISTINCT device) FROM launch") == 3);
  CHECK(count("SELECT count(*) FROM launch") == 3);
  CHECK(count("SELECT count(*) FROM device_work WHERE kind = 'copy between devices' AND peer_device IS NOT NULL") == 3);
  // In each of two steps a GPU sends 64 words, which are 8 sectors, and a flag.
  const auto metric = [&](const std::string& name) {
    return count("SELECT CAST(sum(value) AS INTEGER) FROM metrics WHERE metric = '" + name + "'");
  };
  CHECK(metric("lts__t_sectors_aperture_peer.sum") == 3 * 2 * 9);
  CHECK(metric("lts__t_sectors_aperture_sysmem.sum") == 0);
  CHECK(metric("nvltx__bytes.sum") > 3 * 2 * 9 * 32);
  CHECK(metric("nvlrx__bytes.sum") == 0);  // stores have no answers with data
  CHECK(metric("pcie__read_bytes.sum") + metric("pcie__write_bytes.sum") == 0);
}

TEST_CASE("exec: GPUs are a number, or a list") {
  CHECK(run_program("exec --gpus 0" + kRing).code == 2);
  CHECK(run_program("exec --gpus 33" + kRing).code == 2);
  const ProgramOutcome both = run_program("exec --gpu h200 --gpus h200,h100" + kRing);
  CHECK(both.code == 2);
  CHECK(both.err.find("leave out --gpu") != std::string::npos);
  CHECK(run_program("exec --gpus h200,,h100" + kRing).err.find("a name is empty") != std::string::npos);
  CHECK(run_program("exec --gpus h200,no_such_gpu" + kRing).code == 2);
  const ProgramOutcome traced = run_program("trace --gpus 2 --out x.wtrace" + kRing);
  CHECK(traced.code == 2);
}

}  // namespace
}  // namespace warpsim
