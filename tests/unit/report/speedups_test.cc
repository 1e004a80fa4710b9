#include "report/speedups.h"

#include <catch2/catch.hpp>

#include "support/query_text.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

ExampleRun timed_run(const std::string& name, const std::string& gpu, const std::vector<double>& nanoseconds) {
  const std::string workload = name.substr(0, name.find('@'));
  ExampleRun result{name, gpu, "simulated", workload + ".wtrace", "hash of " + workload, "c" + gpu, {}, {}};
  for (const double time : nanoseconds) {
    result.launches.push_back({"k", {{"gpu__time_duration.sum", time}}, {}});
  }
  return result;
}

// Workload x has three launches, of which B ran two; y has one; z ran only on A.
std::vector<ExampleRun> timed_runs() {
  return {timed_run("x@A", "A", {800, 200, 1000}), timed_run("y@A", "A", {3200}), timed_run("z@A", "A", {50}),
          timed_run("x@B", "B", {400, 400}), timed_run("y@B", "B", {200})};
}

TEST_CASE("speed-ups: total time by workload, geometric mean over workloads, common launches only") {
  const TemporaryFolder folder;
  write_example_results(folder.at("r.db"), timed_runs());
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  const std::vector<TimedLaunch> launches = read_timed_launches(database, "1");
  CHECK(usual_baseline(launches) == "A");
  const std::vector<VariantSpeedup> speedups = speedups_over(launches, "A");
  REQUIRE(speedups.size() == 1);
  CHECK(speedups[0].variant == "B");
  REQUIRE(speedups[0].workloads.size() == 2);
  CHECK(speedups[0].workloads[0].launches == 2);
  CHECK(speedups[0].workloads[0].value() == Approx(1000.0 / 800));
  CHECK(speedups[0].workloads[1].value() == Approx(16));
  CHECK(speedups[0].mean == Approx(4.4721359550));  // the root of 1.25 * 16
  CHECK(speedups[0].of_sum == Approx(4.2));         // 4200 over 1000 ns
  CHECK(speedups_over(launches, "B")[0].mean == Approx(1 / 4.4721359550));
}

TEST_CASE("speed-ups: the views give the same as the function") {
  const TemporaryFolder folder;
  write_example_results(folder.at("r.db"), timed_runs());
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  const VariantSpeedup speedup = speedups_over(read_timed_launches(database, "1"), "A")[0];
  Statement means(database,
                  "SELECT variant, workloads, geometric_mean, speed_up_of_sum FROM mean_speedups WHERE baseline = 'A'");
  REQUIRE(means.step());
  CHECK(means.text(0) == "B");
  CHECK(means.integer(1) == 2);
  CHECK(means.real(2) == Approx(speedup.mean));
  CHECK(means.real(3) == Approx(speedup.of_sum));
  CHECK(test::text(database,
                   "SELECT workload, launches, baseline_time_us, time_us, speed_up FROM speedups WHERE baseline = 'A' "
                   "ORDER BY workload_id") == "x|2|1.0|0.8|1.25\ny|1|3.2|0.2|16.0\n");
  CHECK(speedups_json(read_timed_launches(database, "1"))[0]["geometric_mean"] == Approx(speedup.mean));
}

TEST_CASE("speed-ups: equal traces of another database are matched, and its variants have its name") {
  const TemporaryFolder folder;
  write_example_results(folder.at("a.db"), {timed_run("x@A", "A", {800})});
  write_example_results(folder.at("b.db"), {timed_run("x@A", "A", {400})});
  const Database a(folder.at("a.db"), Database::Mode::kReadOnly);
  const Database b(folder.at("b.db"), Database::Mode::kReadOnly);
  std::vector<TimedLaunch> launches = read_timed_launches(a, "1", "a.db: ");
  for (const TimedLaunch& launch : read_timed_launches(b, "1", "b.db: ")) {
    launches.push_back(launch);
  }
  const std::vector<VariantSpeedup> speedups = speedups_over(launches, usual_baseline(launches));
  REQUIRE(speedups.size() == 1);
  CHECK(speedups[0].variant == "b.db: A");
  CHECK(speedups[0].mean == 2.0);
}

}  // namespace
}  // namespace warpsim
