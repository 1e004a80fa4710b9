#include "sweep/slurm_engine.h"

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "support/temporary_folder.h"
#include "sweep/slurm_commands.h"
#include "sweep/slurm_submission.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

TEST_CASE("Slurm: the queue's lines are tasks of arrays") {
  const SlurmQueue queue =
      parse_slurm_queue("12|3|RUNNING|warpsim-ab\n12|4|PENDING|warpsim-ab\n13|N/A|RUNNING|other|job\n\n");
  REQUIRE(queue.tasks.size() == 2);
  CHECK(queue.tasks.at({"12", 3}).state == "RUNNING");
  CHECK(queue.tasks.at({"12", 4}).state == "PENDING");
  CHECK(queue.tasks.at({"12", 4}).job_name == "warpsim-ab");
}

TEST_CASE("Slurm: the end of a task is read from scontrol") {
  CHECK(parse_slurm_state("JobId=7 ArrayJobId=5 JobState=TIMEOUT Reason=TimeLimit Dependency=(null) ExitCode=0:15 "
                          "NodeList=n1") == "TIMEOUT, TimeLimit, on n1");
  CHECK(parse_slurm_state("JobState=FAILED Reason=NonZeroExitCode ExitCode=2:0 NodeList=(null)") ==
        "FAILED, NonZeroExitCode, exit code 2:0");
  CHECK(parse_slurm_state("JobState=COMPLETED Reason=None ExitCode=0:0") == "COMPLETED");
  CHECK(parse_slurm_state("slurm_load_jobs error") == "");
}

TEST_CASE("Slurm: an array is submitted with the user's options before warpsim's, and its folder is not a pattern") {
  CHECK(joined(sbatch_words({"name", "/a b/100%a", "/a b/script.sh", 10, 0, {"--partition=long"}})) ==
        "--partition=long --parsable --job-name=name --chdir=/a b/100%a --output=/a b/100%%a/task-%a.log "
        "--open-mode=append --array=0-9 /a b/script.sh");
  CHECK(joined(sbatch_words({"name", "/f", "/f/s", 1, 4, {}})).find("--array=0-0%4 ") != std::string::npos);
  CHECK(joined(sbatch_words({"name", "/f", "/f/s", 1, 0, {"--cpus-per-task=9"}, 4}))
            .starts_with("--cpus-per-task=4 --cpus-per-task=9 "));
  CHECK_THROWS_WITH(sbatch_words({"name", "/a\\b", "/s", 1, 0, {}}), Catch::Contains("with a backslash in its name"));
}

TEST_CASE("Slurm: words are quoted so that a shell reads them unchanged") {
  CHECK(shell_quoted("a b") == "'a b'");
  CHECK(shell_quoted("it's $x") == "'it'\\''s $x'");
}

SweepPoint point_named(const std::string& name) {
  return {name, "key-" + name, "trace", "config", {"run", "a trace", "--gpu=x"}};
}

TEST_CASE("Slurm submission: it is stored with its points and found again, oldest first") {
  const TemporaryFolder folder;
  const std::string state = folder.at("s");
  fs::create_directories(folder.at("s/slurm"));
  CHECK(load_submissions(state).empty());
  SlurmSubmission first =
      prepare_submission(state, {"/bin/it's", 3}, "1", {{point_named("a"), point_named("b")}, {point_named("c")}});
  const SlurmSubmission second = prepare_submission(state, {"/bin/true"}, "1", {{point_named("d")}});
  CHECK(first.job_name != second.job_name);
  note_job(first, "17");
  fs::create_directories(folder.at("s/slurm/000009"));  // its creator was killed
  const std::vector<SlurmSubmission> all = load_submissions(state);
  REQUIRE(all.size() == 2);
  CHECK(all[0].job == "17");
  CHECK(all[0].job_name == first.job_name);
  CHECK(all[0].program.path == "/bin/it's");
  CHECK(all[0].program.threads == 3);
  CHECK(all[0].state == state);
  REQUIRE(all[0].tasks.size() == 2);
  CHECK(all[0].tasks[0][1].name == "b");
  CHECK(all[0].tasks[1][0].key == "key-c");
  CHECK(all[0].tasks[1][0].words == point_named("c").words);
  CHECK(all[1].job.empty());
  CHECK(TemporaryFolder::read(first.folder + "/script.sh")
            .ends_with(" || exit 1\nexec '/bin/it'\\''s' sweep --slurm-task '" + first.folder + "'\n"));
  CHECK_THROWS_WITH(run_slurm_task(second.folder, 1, "true", "1"), second.folder + ": has no task 1");
  CHECK_THROWS_WITH(run_slurm_task(second.folder, 0, "true", "2"),
                    "/bin/true: the program was changed since the task was submitted; start the sweep again");
  folder.write("s/slurm/000001/tasks.json", "{");
  CHECK_THROWS_WITH(load_submissions(state), Catch::Contains("tasks.json: not a list of tasks of a sweep"));
}

// Commands of Slurm with the behaviour of a test, before all others in PATH. `program` simulates: it exits with 1.
class FakeSlurm {
 public:
  FakeSlurm() {
    const char* const path = std::getenv("PATH");
    ::setenv("PATH", (folder_.at("bin") + ":" + path).c_str(), 1);
    command("scontrol",
            "case \"$2\" in config) echo 'MaxArraySize = 2';; *) echo JobState=NODE_FAIL NodeList=n7;; esac");
    command("sacct", "exit 1");
    queue("");
    accepts("40");
    command("program", "echo it fails; exit 1");
  }
  void queue(const std::string& lines) { command("squeue", "printf '" + lines + "'"); }
  // From now on arrays get this number and the following ones. Submissions are stored; nothing runs.
  void accepts(const std::string& first_job) {
    folder_.write("job", first_job);
    command("sbatch", "printf '%s\\n' \"$*\" >>" + at("submitted") + "; j=$(cat " + at("job") + "); echo $((j + 1)) >" +
                          at("job") + "; echo $j");
  }
  void command(const std::string& name, const std::string& script) {
    ::chmod(folder_.write("bin/" + name, "#!/bin/sh\n" + script + "\n").c_str(), 0755);
  }
  std::string at(const std::string& name) const { return folder_.at(name); }
  std::size_t submitted() const {
    const std::string text = TemporaryFolder::read(at("submitted"));
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

 private:
  TemporaryFolder folder_;
};

class Remarks final : public SweepObserver {
 public:
  void progress(const SweepProgress& progress) override { last = progress; }
  void remark(const std::string& text) override { text_ += text + "\n"; }
  SweepProgress last;
  std::string text_;
};

const std::vector<SweepPoint> kPoints = {point_named("a"), point_named("b"), point_named("c"), point_named("d"),
                                         point_named("e")};

SlurmSettings settings_of(const FakeSlurm& slurm, SlurmMode mode) {
  SlurmSettings settings;
  settings.program = slurm.at("bin/program");
  settings.mode = mode;
  settings.poll = std::chrono::seconds(1);
  return settings;
}

TEST_CASE("Slurm engine: no array exceeds Slurm's limit, and submitted points are not submitted again") {
  FakeSlurm slurm;
  const SweepState state(slurm.at("s"));
  Remarks remarks;
  SlurmSettings settings = settings_of(slurm, SlurmMode::kSubmit);
  settings.points_per_task = 2;
  const SweepOutcome outcome = run_on_slurm(kPoints, settings, state, remarks);
  CHECK(remarks.text_ == "Slurm has job 40: 4 points in 2 tasks\nSlurm has job 41: 1 points in 1 tasks\n");
  CHECK(outcome.failures.empty());
  CHECK(outcome.unfinished.size() == 5);
  CHECK(slurm.submitted() == 2);

  slurm.queue("40|1|RUNNING|x\\n41|0|PENDING|x\\n");
  settings.points_per_task = 1;
  Remarks again;
  run_on_slurm(kPoints, settings, state, again);
  CHECK(again.text_ == "Slurm has job 42: 2 points in 2 tasks\n");  // a and b, whose task has ended
  CHECK(again.last.running + again.last.waiting == 5);
}

TEST_CASE("Slurm engine: an array whose number was not stored is found by its name") {
  FakeSlurm slurm;
  const SweepState state(slurm.at("s"));
  Remarks remarks;
  run_on_slurm({kPoints[0]}, settings_of(slurm, SlurmMode::kSubmit), state, remarks);
  const SlurmSubmission submission = load_submissions(state.folder()).front();
  fs::remove(submission.folder + "/job");
  slurm.queue("40|0|RUNNING|" + submission.job_name + "\\n");
  run_on_slurm({kPoints[0]}, settings_of(slurm, SlurmMode::kSubmit), state, remarks);
  CHECK(slurm.submitted() == 1);
  CHECK(load_submissions(state.folder()).front().job == "40");
}

TEST_CASE("Slurm engine: points of an ended task have failed with Slurm's reason and the task's last lines") {
  FakeSlurm slurm;
  const SweepState state(slurm.at("s"));
  Remarks remarks;
  run_on_slurm({kPoints[0], kPoints[1]}, settings_of(slurm, SlurmMode::kSubmit), state, remarks);
  const SlurmSubmission submission = load_submissions(state.folder()).front();
  run_slurm_task(submission.folder, 1, slurm.at("bin/program"), "");  // the program itself fails there
  const TemporaryFolder other;
  fs::copy_file(other.write("log", "slurmstepd: error: lost\n"), submission.log_of(0));
  const SweepOutcome outcome =
      run_on_slurm({kPoints[0], kPoints[1], kPoints[2]}, settings_of(slurm, SlurmMode::kCollect), state, remarks);
  REQUIRE(outcome.failures.size() == 2);
  CHECK(outcome.failures[0].why == "Slurm task 40_0: NODE_FAIL, on n7\nslurmstepd: error: lost");
  CHECK(outcome.failures[1].point == "b");
  CHECK(outcome.failures[1].why == "exit code 1\nit fails");
  CHECK(outcome.unfinished == std::vector<std::string>{"c"});
  CHECK(slurm.submitted() == 1);
}

TEST_CASE("Slurm engine: points that fail are submitted again up to the requested number") {
  FakeSlurm slurm;
  slurm.command("sbatch", "printf '%s\\n' \"$*\" >>" + slurm.at("submitted") +
                              "; for script; do :; done; folder=${script%/script.sh}; key=$(sed "
                              "'s/.*\"key\":\"\\([^\"]*\\)\".*/\\1/' \"$folder/tasks.json\"); echo no >" +
                              slurm.at("s/failed") + "/$key.txt; echo 50");
  const SweepState state(slurm.at("s"));
  Remarks remarks;
  SlurmSettings settings = settings_of(slurm, SlurmMode::kWait);
  settings.retries = 2;
  const SweepOutcome outcome = run_on_slurm({kPoints[0]}, settings, state, remarks);
  CHECK(slurm.submitted() == 3);
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].why == "no\n");
}

TEST_CASE("Slurm engine: error messages of Slurm's commands are reported") {
  FakeSlurm slurm;
  const SweepState state(slurm.at("s"));
  Remarks remarks;
  slurm.command("sbatch", "echo 'error: invalid partition' >&2; exit 1");
  CHECK_THROWS_WITH(run_on_slurm(kPoints, settings_of(slurm, SlurmMode::kWait), state, remarks),
                    "sbatch: error: invalid partition");
  slurm.command("sbatch", "echo soon");
  CHECK_THROWS_WITH(run_on_slurm(kPoints, settings_of(slurm, SlurmMode::kWait), state, remarks),
                    "sbatch: expected the number of a job, got 'soon'");
  slurm.command("squeue", "exit 3");
  CHECK_THROWS_WITH(run_on_slurm(kPoints, settings_of(slurm, SlurmMode::kWait), state, remarks), "squeue: exit code 3");
}

}  // namespace
}  // namespace warpsim
