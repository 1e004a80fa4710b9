#include "app/commands/sweep_command.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "app/options/arguments.h"
#include "app/options/sweep_options.h"
#include "app/simulation/simulator_subject.h"
#include "base/error.h"
#include "stats/database.h"
#include "support/temporary_folder.h"
#include "support/warpsim_process.h"

namespace warpsim {
namespace {

const std::string kTraces = std::string(WARPSIM_SOURCE_DIR) + "/tests/data/";

// Two points of some 30 ms.
std::string small_sweep(const TemporaryFolder& folder, const std::string& more = "") {
  return folder.write("s.yaml", "gpus: test_tiny\ntraces: " + kTraces +
                                    "two_kernels\nlaunches: 0\ngrid: {l2.num_ways: [2, 4]}\n" + more);
}

bool has(const Outcome& outcome, const std::string& text) {
  return outcome.output.find(text) != std::string::npos;
}

TEST_CASE("options of sweep: defaults, all options, and invalid combinations") {
  const SweepOptions plain = *parse_sweep_options({"folder/ways.yaml"});
  CHECK(plain.out == "ways.db");
  CHECK_FALSE(plain.slurm);
  CHECK_FALSE(plain.jobs.has_value());
  CHECK(plain.retries == 0);
  CHECK(plain.wait);
  const SweepOptions all = *parse_sweep_options(
      {"s.yaml", "-o", "x.db", "--engine", "slurm", "--jobs", "7", "--retries", "2", "--slurm-args",
       "--partition=a --comment='b c'", "--points-per-task", "9", "--no-wait", "--poll", "3", "--threads", "5"});
  CHECK(all.out == "x.db");
  CHECK(all.slurm);
  CHECK(all.jobs == 7);
  CHECK(all.retries == 2);
  CHECK(all.slurm_words == std::vector<std::string>{"--partition=a", "--comment=b c"});
  CHECK(all.points_per_task == 9);
  CHECK_FALSE(all.wait);
  CHECK(all.poll.count() == 3);
  CHECK(plain.threads == 1);
  CHECK(all.threads == 5);
  CHECK_FALSE(parse_sweep_options({"--help"}).has_value());
  CHECK_THROWS_WITH(parse_sweep_options({}),
                    "sweep takes one file that describes a sweep, got 0 (see 'warpsim sweep --help')");
  CHECK_THROWS_WITH(parse_sweep_options({"s.yaml", "--no-wait"}),
                    "--no-wait is for --engine slurm (see 'warpsim sweep --help')");
  CHECK_THROWS_WITH(parse_sweep_options({"s.yaml", "--engine=slurm", "--no-wait", "--collect"}),
                    "--collect and --no-wait exclude each other (see 'warpsim sweep --help')");
  CHECK_THROWS_WITH(parse_sweep_options({"s.yaml", "--jobs=0"}),
                    "--jobs '0': expected a whole number from 1 to 100000");
  CHECK_THROWS_WITH(parse_sweep_options({"s.yaml", "--threads=257"}),
                    "--threads '257': expected a whole number from 1 to 256");
  CHECK_THROWS_AS(parse_sweep_options({"s.yaml", "--engine=slurm", "--slurm-args", "end\\"}), UsageError);
}

TEST_CASE("options of merge: the target is named first or with --out") {
  const MergeCommandOptions first = *parse_merge_options({"out.db", "a.db", "b.db"});
  CHECK(first.out == "out.db");
  CHECK(first.inputs == std::vector<std::string>{"a.db", "b.db"});
  CHECK_FALSE(first.replace);
  const MergeCommandOptions named = *parse_merge_options({"a.db", "-o", "out.db", "--replace"});
  CHECK(named.out == "out.db");
  CHECK(named.inputs == std::vector<std::string>{"a.db"});
  CHECK(named.replace);
  CHECK_THROWS_WITH(parse_merge_options({"out.db"}),
                    "merge takes the database to merge into and at least one to merge (see 'warpsim merge --help')");
}

TEST_CASE("sweep: options of run that apply to all points can be set, others cannot") {
  SimulatorSubject subject;
  std::vector<std::string> names;
  for (const SweepSubject::Option& option : subject.options()) {
    names.push_back(option.name);
    CHECK((option.name != "strict" || option.is_switch));
    CHECK((option.name != "max-cycles" || !option.is_switch));
  }
  for (const char* name : {"cache-control", "max-cycles", "strict", "no-skip"}) {
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
  for (const char* name : {"out", "gpu", "set", "name", "jobs", "launches", "dlcm", "replace", "help", "threads"}) {
    CHECK(std::count(names.begin(), names.end(), name) == 0);
  }
  CHECK_NOTHROW(subject.check_options({"--max-cycles=3"}));
  CHECK_THROWS_AS(subject.check_options({"--max-cycles=x"}), UsageError);
}

TEST_CASE("sweep: the progress line shows progress and remaining time") {
  CHECK(sweep_progress_line({10, 5, 0, 2, 0, 0}, 10) ==
        "5 of 10 points  2 running  ##########----------  50 %  ETA 10.0 s");
  CHECK(sweep_progress_line({10, 6, 1, 1, 2, 6}, 10) ==
        "6 of 10 points  1 failed  1 running  2 waiting  ##############------  70 %  ETA 30.0 s");
  CHECK(sweep_progress_line({10, 10, 0, 0, 0, 0}, 10) == "10 of 10 points  #################### 100 %");
  CHECK(sweep_progress_line({10, 6, 0, 4, 0, 6}, 10).find("ETA") == std::string::npos);
}

TEST_CASE("sweep: a dry run lists the points and leaves nothing") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const Outcome outcome = warpsim("sweep " + small_sweep(folder) + " --dry-run --out " + out);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(has(outcome, "two_kernels@test_tiny[l2.num_ways=2]"));
  CHECK(has(outcome, "two_kernels@test_tiny[l2.num_ways=4]"));
  CHECK(has(outcome, "2 points, 0 of them finished (in " + out + ".sweep)"));
  CHECK_FALSE(std::filesystem::exists(out + ".sweep"));
}

TEST_CASE("sweep: its points become runs of one database, and a foreign database is not overwritten") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const std::string sweep = small_sweep(folder);
  const Outcome first = warpsim("sweep " + sweep + " --out " + out);
  INFO(first.output);
  REQUIRE(first.code == 0);
  CHECK(has(first, "all 2 points are in " + out + "\n"));
  {
    const Database database(out, Database::Mode::kReadOnly);
    CHECK(database.integer("SELECT count(*) FROM run WHERE status = 'complete'") == 2);
    CHECK(database.integer("SELECT count(*) FROM launch") == 2);
    CHECK(database.integer("SELECT value FROM config WHERE run_id = 1 AND path = 'l2.num_ways'") == 2);
    CHECK(database.integer("SELECT value FROM config WHERE run_id = 2 AND path = 'l2.num_ways'") == 4);
  }
  CHECK(has(warpsim("sweep " + sweep + " --out " + out), "(2 were finished before)"));
  CHECK(has(warpsim("sweep " + sweep + " --dry-run --out " + out), "2 points, 2 of them finished"));
  const std::string mine = folder.write("mine.db", "not a sweep's");
  const Outcome refused = warpsim("sweep " + sweep + " --out " + mine);
  CHECK(refused.code == 2);
  CHECK(has(refused,
            mine + ": exists and does not belong to this sweep; give another --out, or --replace to overwrite it"));
  CHECK(TemporaryFolder::read(mine) == "not a sweep's");
  CHECK(warpsim("sweep " + sweep + " --replace --out " + mine).code == 0);
}

TEST_CASE("sweep: wrong values and options are reported with their place before anything runs") {
  const TemporaryFolder folder;
  const std::string path = small_sweep(folder, "set: {l2.num_way: 3}\noptions: {cache_control: some, dlcm: ca}\n");
  const Outcome options = warpsim("sweep " + path + " --out " + folder.at("r.db"));
  CHECK(options.code == 2);
  CHECK(has(options, path + ":6:26: --cache-control 'some': expected all or none"));
  CHECK(has(options, path + ":6:32: unknown option 'dlcm'; expected cache_control, "));
  small_sweep(folder, "set: {l2.num_way: 3}\npoints: [{l2.num_sets: 3.5}]\n");
  const Outcome values = warpsim("sweep " + path + " --out " + folder.at("r.db"));
  CHECK(values.code == 2);
  CHECK(has(values, path + ":5:19: unknown key 'l2.num_way'; did you mean 'num_ways'?"));
  CHECK(has(values, path + ":6:24: 'l2.num_sets' must be a decimal integer"));
  CHECK_FALSE(std::filesystem::exists(folder.at("r.db.sweep")));
}

TEST_CASE("merge: databases of two runs become one, on the command line") {
  const TemporaryFolder folder;
  const std::string run = "run " + kTraces + "two_kernels --gpu test_tiny --launches 0 --out ";
  REQUIRE(warpsim(run + folder.at("a.db") + " --name a").code == 0);
  REQUIRE(warpsim(run + folder.at("b.db") + " --name b").code == 0);
  const std::string out = folder.at("all.db");
  const Outcome merged = warpsim("merge " + out + " " + folder.at("a.db") + " " + folder.at("b.db"));
  CHECK(merged.code == 0);
  CHECK(merged.output == "2 runs of 2 databases are now in " + out + "\n");
  CHECK(Database(out, Database::Mode::kReadOnly).integer("SELECT count(DISTINCT cycles) FROM kernel_summary") == 1);
  const Outcome refused = warpsim("merge --out " + out + " " + folder.at("a.db"));
  CHECK(refused.code == 2);
  CHECK(has(refused, folder.at("a.db") + ": its simulated run 'a' already exists"));
  CHECK(warpsim("merge --replace --out " + out + " " + folder.at("a.db")).code == 0);
}

TEST_CASE("sweep: the command of job arrays requires to be one of their tasks") {
  const Outcome outcome = warpsim("sweep --slurm-task /nowhere");
  CHECK(outcome.code == 2);
  CHECK(has(outcome, "--slurm-task is for the tasks of a job array"));
}

}  // namespace
}  // namespace warpsim
