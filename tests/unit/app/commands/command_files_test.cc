#include "app/commands/command_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/build_paths.h"
#include "support/program.h"
#include "support/report_database.h"
#include "support/temporary_folder.h"

using namespace warpsim;
using test::run_program;

namespace {

const std::string kRepository = WARPSIM_SOURCE_DIR;

// Inputs of all commands, which must not change.
class Inputs {
 public:
  Inputs() {
    const std::string data = kRepository + "/tests/data/two_kernels";  // a trace as a folder
    std::filesystem::copy(data, folder_.at("trace"));
    std::filesystem::copy(kRepository + "/configs/families", folder_.at("families"),
                          std::filesystem::copy_options::recursive);
    std::filesystem::copy(kRepository + "/configs/test_tiny.yaml", folder_.at("gpu.yaml"));
    std::filesystem::copy(kRepository + "/examples/vector_add", folder_.at("ptx"));
    std::filesystem::copy(kRepository + "/traces/vecadd.wtrace", folder_.at("vecadd.wtrace"));
    std::filesystem::permissions(folder_.at("vecadd.wtrace"), std::filesystem::perms::owner_all);  // also a program
    folder_.write("sweep.yaml", "gpus: [gpu.yaml]\ntraces: [vecadd.wtrace]\n");
    folder_.write("h.csv", "workload,launch,kernel,grid,block,gpc__cycles_elapsed.max\nvec,0,k1,8,64,900\n");
    Database database(folder_.at("r.db"), Database::Mode::kCreate);
    fill_report_database(database);
  }

  std::string at(const std::string& name) const { return folder_.at(name); }

  // The command's error; all files must stay unchanged.
  std::string refusal(const std::string& arguments) const {
    const std::string before = contents();
    const test::ProgramOutcome outcome = run_program(arguments);
    const std::string& error = outcome.err;
    CAPTURE(arguments, error);
    CHECK(outcome.code == 2);
    CHECK(contents() == before);
    return error;
  }

 private:
  std::string contents() const {
    std::string all;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.at("."))) {
      paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const std::filesystem::path& path : paths) {
      all += path.string() + "\n" + (std::filesystem::is_regular_file(path) ? TemporaryFolder::read(path) : "");
    }
    return all;
  }

  TemporaryFolder folder_;
};

TEST_CASE("no command overwrites one of its inputs, or writes one file twice") {
  const Inputs in;
  std::filesystem::create_symlink(in.at("r.db"), in.at("link.csv"));
  std::filesystem::create_hard_link(in.at("h.csv"), in.at("hard.csv"));
  const std::string gpu = " --gpu " + in.at("gpu.yaml");
  const std::string launch = " --launch " + in.at("ptx/launch.yaml");
  for (const std::string& arguments : std::vector<std::string>{
           "export " + in.at("r.db") + " --view metrics --format csv -o " + in.at("r.db"),
           "export " + in.at("r.db") + " --view metrics -o " + in.at("link.csv"),
           "export " + in.at("r.db") + " --view metrics --format csv -o " + in.at("r.db-wal"),
           "correlate " + in.at("r.db") + " --hardware " + in.at("h.csv") + " --csv " + in.at("h.csv"),
           "correlate " + in.at("r.db") + " --hardware " + in.at("h.csv") + " --csv " + in.at("hard.csv"),
           "correlate " + in.at("r.db") + " --hardware " + in.at("h.csv") + " --csv " + in.at("new.csv") + " --table " +
               in.at("trace/../new.csv"),
           "report " + in.at("r.db") + " -o " + in.at("r.db"),
           "merge " + in.at("r.db") + " " + in.at("r.db"),
           "run " + in.at("vecadd.wtrace") + gpu + " --out " + in.at("new.db") + " --timeline " + in.at("new.db"),
           "run " + in.at("vecadd.wtrace") + gpu + " --out " + in.at("new.db") + " --timeline " +
               in.at("families/../gpu.yaml"),
           "run " + in.at("vecadd.wtrace") + gpu + " --out " + in.at("vecadd.wtrace"),
           "run " + in.at("trace") + gpu + " --out " + in.at("new.db") + " --timeline " + in.at("trace/func-0.sass.gz"),
           "run " + in.at("trace") + gpu + " --out " + in.at("new.db") + " --timeline " + in.at("trace/kernelslist.g"),
           "run " + in.at("ptx/vector_add.ptx") + launch + gpu + " --out " + in.at("new.db") + " --timeline " +
               in.at("ptx/vector_add.ptx"),
           "run " + in.at("ptx/vector_add.ptx") + launch + gpu + " --out " + in.at("ptx/launch.yaml"),
           "compare " + in.at("vecadd.wtrace") + gpu + " --gpu h200 --out " + in.at("gpu.yaml"),
           "sweep " + in.at("sweep.yaml") + " --replace --out " + in.at("sweep.yaml"),
           "sweep " + in.at("sweep.yaml") + " --replace --out " + in.at("vecadd.wtrace"),
           "sweep " + in.at("sweep.yaml") + " --replace --out " + in.at("gpu.yaml"),
           "exec --gpu h200 --out /bin/true -- /bin/true",
           "trace --gpu h200 --out " + in.at("vecadd.wtrace") + " -- " + in.at("vecadd.wtrace"),
       }) {
    CHECK(in.refusal(arguments).find("': that is ") != std::string::npos);
  }
}

TEST_CASE("no command writes to a folder, a pipe or a device") {
  const Inputs in;
  REQUIRE(::mkfifo(in.at("pipe").c_str(), 0600) == 0);
  for (const std::string& place :
       {std::string("/dev/null"), in.at("pipe"), in.at("families"), std::string("/dev/stdout")}) {
    for (const std::string& arguments : std::vector<std::string>{
             "export " + in.at("r.db") + " --view metrics --format csv -o ",
             "correlate " + in.at("r.db") + " --hardware " + in.at("h.csv") + " --csv ",
             "report " + in.at("r.db") + " -o ",
             "merge --out " + place + " " + in.at("r.db") + " #",
             "run " + in.at("vecadd.wtrace") + " --gpu test_tiny --out ",
             "run " + in.at("vecadd.wtrace") + " --gpu test_tiny --out " + in.at("new.db") + " --timeline ",
             "sweep " + in.at("sweep.yaml") + " --replace --out ",
         }) {
      CHECK(in.refusal(arguments + place).find("cannot be ") != std::string::npos);
    }
  }
}

TEST_CASE("pipes, devices and folders are refused as inputs immediately, by name") {
  const Inputs in;
  REQUIRE(::mkfifo(in.at("pipe").c_str(), 0600) == 0);
  for (const std::string& place : {std::string("/dev/zero"), in.at("pipe"), in.at("families")}) {
    for (const std::string& arguments : std::vector<std::string>{
             "info " + place,
             "convert " + place + " " + in.at("new.wtrace"),
             "run " + place + " --gpu test_tiny --out " + in.at("new.db"),
             "run " + in.at("vecadd.wtrace") + " --gpu " + place + " --out " + in.at("new.db"),
             "run " + in.at("trace") + " --sass " + place + " --gpu test_tiny --out " + in.at("new.db"),
             "run " + in.at("ptx/vector_add.ptx") + " --launch " + place + " --gpu test_tiny",
             "occupancy --threads 32 --registers 32 --gpu " + place,
             "disassemble " + place,
             "report " + place + " -o " + in.at("new.html"),
             "serve " + place,
             "export " + place + " --view metrics",
             "plot stalls " + place + " -o " + in.at("new.svg"),
             "compare " + place + " " + place,
             "merge " + in.at("new.db") + " " + place,
             "correlate " + in.at("r.db") + " --hardware " + place,
             "correlate " + place + " --hardware " + in.at("h.csv"),
             "import-ncu " + in.at("r.db") + " " + place,
             "sweep " + place + " --out " + in.at("new.db"),
             "exec --gpu h200 -- " + place,
         }) {
      const std::string error = in.refusal(arguments);
      CHECK(error.find(place) != std::string::npos);
    }
  }
}

TEST_CASE("files are found by names without a folder, from inside their folder") {
  const Inputs in;
  const std::string out = in.at("out.db");
  const auto inside = [&in](const std::string& folder, const std::string& arguments) {
    return std::system(
        ("cd " + in.at(folder) + " && " + test::warpsim_binary() + " " + arguments + " >/dev/null 2>&1").c_str());
  };
  CHECK(inside("trace", "info kernelslist.g") == 0);
  CHECK(inside("trace", "info .") == 0);
  CHECK(inside("trace", "info kernel-1.traceg.xz") == 0);
  CHECK(inside("trace", "info ../trace/") == 0);
  CHECK(inside("trace", "convert kernelslist.g ../own.wtrace") == 0);
  CHECK(inside(".", "convert own.wtrace text") == 0);
  CHECK(inside("ptx", "run vector_add.ptx --launch launch.yaml --gpu ../gpu.yaml --functional-only") == 0);
  CHECK(inside(".", "occupancy --gpu gpu.yaml --threads 32 --registers 32") == 0);
  CHECK(inside(".", "sweep sweep.yaml --out s.db --dry-run") == 0);
  CHECK(inside(".", "export r.db --view metrics -o m.csv") == 0);
  CHECK(inside(".", "report r.db -o r.html") == 0);
  CHECK(inside(".", "merge merged.db r.db") == 0);
  CHECK(inside(".", "plot stalls r.db -o s.gp") == 0);
  CHECK(inside(".", "correlate r.db --hardware h.csv --csv c.csv") == 0);
}

TEST_CASE("a full disk leaves neither a CSV file nor the description of its columns") {
  const Inputs in;
  // The limit of the file size replaces a full disk: 1 block of 512 bytes.
  const std::string command = "sh -c 'ulimit -f 1; trap \"\" XFSZ; exec " + std::string(test::warpsim_binary()) +
                              " export " + in.at("r.db") + " --view metrics -o " + in.at("m.csv") + "' 2>/dev/null";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 2);
  CHECK_FALSE(std::filesystem::exists(in.at("m.csv")));
  CHECK_FALSE(std::filesystem::exists(in.at("m.schema.json")));
  for (const auto& entry : std::filesystem::directory_iterator(in.at("."))) {
    CHECK(entry.path().filename().string().find(".warpsim-") == std::string::npos);
  }
}

}  // namespace
