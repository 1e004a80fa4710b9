#include "sweep/sweep_points.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

// A simulator that knows the GPUs 'big' and 'small', the values l2.num_ways (1 to 99) and name, and two options. A
// trace is a file; its content is its hash.
class FakeSubject final : public SweepSubject {
 public:
  Trace trace(const std::string& path) override {
    const std::string text = TemporaryFolder::read(path);
    if (text == "broken") {
      throw TraceError(path + ": is broken");
    }
    return {std::filesystem::path(path).stem().string(), text};
  }
  std::string config_hash(const std::string& gpu, const std::vector<std::string>& overrides) override {
    const std::string stem = std::filesystem::path(gpu).stem().string();
    if (stem != "big" && stem != "small") {
      throw UsageError("--gpu '" + gpu + "': is not there");
    }
    std::string problems;
    std::string hash = gpu;
    for (const std::string& text : overrides) {
      const std::string key = text.substr(0, text.find('='));
      if (key != "l2.num_ways" && key != "name") {
        problems += (problems.empty() ? "" : "\n") + ("--set " + text + ": unknown key '" + key + "'");
      } else if (text == "l2.num_ways=100") {
        problems += (problems.empty() ? "" : "\n") + ("--set " + text + ": 'l2.num_ways' must be below 100");
      }
      hash += "," + text;
    }
    if (hash == "small,l2.num_ways=7") {
      problems = "small.yaml:3: 7 ways do not fit";
    }
    if (!problems.empty()) {
      throw ConfigError(problems);
    }
    return hash;
  }
  std::vector<Option> options() override { return {{"max-cycles", false}, {"strict", true}}; }
  void check_options(const std::vector<std::string>& words) override {
    if (words.front() == "--max-cycles=no" || words.front() == "--launches=x") {
      throw UsageError(words.front() + ": expected a number");
    }
  }
  std::string version() override { return version_; }
  std::string version_ = "1";
};

struct Bench {
  TemporaryFolder folder;
  FakeSubject subject;

  Bench() {
    folder.write("a.wtrace", "hash of a");
    folder.write("b.wtrace", "hash of b");
    folder.write("c/a.wtrace", "hash of another a");
  }
  std::vector<SweepPoint> points(const std::string& text) {
    return expand_sweep(parse_sweep(text, folder.at("s.yaml")), subject);
  }
  // Without the folder's name.
  std::string problems(const std::string& text) {
    try {
      points(text);
    } catch (const ConfigError& error) {
      std::string what = error.what();
      const std::string prefix = folder.at("");
      for (std::size_t at = what.find(prefix); at != std::string::npos; at = what.find(prefix)) {
        what.erase(at, prefix.size());
      }
      return what;
    }
    return "";
  }
};

std::vector<std::string> names(const std::vector<SweepPoint>& points) {
  std::vector<std::string> all;
  for (const SweepPoint& point : points) {
    all.push_back(point.name);
  }
  return all;
}

TEST_CASE("sweep points: traces, then GPUs, then the grid, whose last value varies fastest, then explicit points") {
  Bench bench;
  const auto points = bench.points(
      "gpus: [big, small]\ntraces: '*.wtrace'\ngrid: {l2.num_ways: [8, 16], name: [x, y]}\npoints: [{}, {l2.num_ways: "
      "3}]\n");
  CHECK(points.size() == 2 * 2 * (2 * 2 + 2));
  const std::vector<std::string> all = names(points);
  CHECK(std::vector<std::string>(all.begin(), all.begin() + 7) ==
        std::vector<std::string>{"a@big[l2.num_ways=8,name=x]", "a@big[l2.num_ways=8,name=y]",
                                 "a@big[l2.num_ways=16,name=x]", "a@big[l2.num_ways=16,name=y]", "a@big",
                                 "a@big[l2.num_ways=3]", "a@small[l2.num_ways=8,name=x]"});
  CHECK(all.back() == "b@small[l2.num_ways=3]");
  CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
}

TEST_CASE("sweep points: the command line of a point reproduces it") {
  Bench bench;
  const auto points = bench.points(
      "gpus: big\ntraces: [{path: a.wtrace, name: first, launches: '0-2'}, b.wtrace]\nlaunches: 1\n"
      "options: {max_cycles: 9, strict: true}\nset: {name: all}\npoints: [{l2.num_ways: 4}]\n");
  REQUIRE(points.size() == 2);
  CHECK(points[0].words == std::vector<std::string>{"run", bench.folder.at("a.wtrace"), "--gpu=big",
                                                    "--name=first@big[l2.num_ways=4]", "--progress=never",
                                                    "--set=name=all", "--set=l2.num_ways=4", "--max-cycles=9",
                                                    "--strict", "--launches=0-2"});
  CHECK(points[0].trace_hash == "hash of a");
  CHECK(points[0].config_hash == "big,name=all,l2.num_ways=4");
  CHECK(points[1].words.back() == "--launches=1");
  CHECK(names(bench.points("gpus: ./big.yaml\ntraces: a.wtrace\n")) == std::vector<std::string>{"a@big"});
  CHECK(bench.points("gpus: ./big.yaml\ntraces: a.wtrace\n")[0].words[2] == "--gpu=" + bench.folder.at("big.yaml"));
}

TEST_CASE("sweep points: keys are equal for equal results and differ otherwise") {
  Bench bench;
  const std::string base = "gpus: big\ntraces: a.wtrace\n";
  const std::string key = bench.points(base)[0].key;
  CHECK(key.size() == 16);
  CHECK(bench.points("# written otherwise\ntraces: [a.wtrace]\ngpus: [big]\npoints: [{}]\n")[0].key == key);
  CHECK(bench.points("gpus: big\ntraces: [b.wtrace, a.wtrace]\n")[1].key == key);
  CHECK(bench.points(base + "options: {max_cycles: 9, strict: true}")[0].key ==
        bench.points(base + "options: {strict: true, max_cycles: 9}")[0].key);
  std::set<std::string> keys = {key};
  for (const char* other : {"options: {max_cycles: 9}", "options: {strict: true}", "launches: 0",
                            "points: [{l2.num_ways: 3}]", "set: {l2.num_ways: 3}"}) {
    keys.insert(bench.points(base + other)[0].key);
  }
  keys.insert(bench.points("gpus: small\ntraces: a.wtrace\n")[0].key);
  keys.insert(bench.points("gpus: big\ntraces: {path: a.wtrace, name: x}\n")[0].key);
  bench.folder.write("a.wtrace", "changed");
  keys.insert(bench.points(base)[0].key);
  bench.folder.write("a.wtrace", "hash of a");
  bench.subject.version_ = "2";
  keys.insert(bench.points(base)[0].key);
  CHECK(keys.size() == 10);
  bench.subject.version_ = "1";
  CHECK(bench.points(base)[0].key == key);
}

TEST_CASE("sweep points: all errors of traces, options and launches are reported before anything runs") {
  Bench bench;
  bench.folder.write("broken.wtrace", "broken");
  CHECK(bench.problems("gpus: big\ntraces: [no*.wtrace, broken.wtrace, a.wtrace]\nlaunches: x\n"
                       "options: {max_cycles: no, strict: 1, max_cycle: 4}\n") ==
        "s.yaml:2:10: no trace matches 'no*.wtrace' (the path is relative to this file)\n"
        "s.yaml:3:11: --launches=x: expected a number\n"
        "s.yaml:2:22: broken.wtrace: is broken\n"
        "s.yaml:4:23: --max-cycles=no: expected a number\n"
        "s.yaml:4:35: option 'strict' must be true or false, got '1'\n"
        "s.yaml:4:38: unknown option 'max_cycle'; did you mean 'max_cycles'?; expected max_cycles, strict");
  CHECK(bench.problems("gpus: big\ntraces: {path: '?.wtrace', name: x}\n") ==
        "s.yaml:2:34: 'name' names one trace, but 2 match '?.wtrace'");
}

TEST_CASE("sweep points: values that a description refuses are reported at their place, once") {
  Bench bench;
  CHECK(
      bench.problems("gpus: big\ntraces: [a.wtrace, b.wtrace]\ngrid:\n  l2.num_ways: [8, 100]\n  l2.ways: [1, 2]\n") ==
      "s.yaml:5:13: unknown key 'l2.ways'\n"
      "s.yaml:5:16: unknown key 'l2.ways'\n"
      "s.yaml:4:20: 'l2.num_ways' must be below 100");
  CHECK(
      bench.problems("gpus: [big, small, none]\ntraces: a.wtrace\npoints: [{l2.num_ways: 7}, {l2.num_ways: 100}]\n") ==
      "s.yaml:3:42: 'l2.num_ways' must be below 100 (of big)\n"
      "s.yaml:3:10: small[l2.num_ways=7]: small.yaml:3: 7 ways do not fit\n"
      "s.yaml:3:42: 'l2.num_ways' must be below 100 (of small)\n"
      "s.yaml:1:20: --gpu 'none': is not there");
}

TEST_CASE("sweep points: points with one name are refused") {
  Bench bench;
  CHECK(bench.problems("gpus: big\ntraces: [a.wtrace, c/a.wtrace]\n") ==
        "s.yaml:2:20: two points would be named a@big: of a.wtrace and c/a.wtrace; a trace can be given a name: {path: "
        "PATH, name: NAME}");
  CHECK(bench.problems("gpus: [big, x/big.yaml]\ntraces: a.wtrace\n") == "s.yaml:1:13: two GPUs are named 'big'");
  CHECK(bench.problems("gpus: big\ntraces: a.wtrace\ngrid: {l2.num_ways: [1, 2]}\npoints: [{l2.num_ways: 2}]\n") ==
        "s.yaml:4:10: the point [l2.num_ways=2] appears twice, first from s.yaml:3:8");
}

TEST_CASE("sweep points: a sweep of excessive size is refused before it is created") {
  Bench bench;
  std::string text = "gpus: big\ntraces: a.wtrace\ngrid:\n";
  for (char axis = 'a'; axis < 'u'; ++axis) {
    text += std::string("  ") + axis + ": [1, 2, 3, 4, 5, 6, 7, 8, 9]\n";
  }
  CHECK(bench.problems(text) == "s.yaml:1:1: more than 100000 points; split it into several sweeps");
}

TEST_CASE("sweep points: glob characters in the folder's name are literal") {
  Bench bench;
  const std::string path = bench.folder.write("odd [a-z]*/s.yaml", "");
  bench.folder.write("odd [a-z]*/t.wtrace", "hash of t");
  const auto points = expand_sweep(parse_sweep("gpus: big\ntraces: '*.wtrace'\n", path), bench.subject);
  CHECK(names(points) == std::vector<std::string>{"t@big"});
}

}  // namespace
}  // namespace warpsim
