// Compares the tables of features and technical specifications with those of the guides cell by cell
// (tests/data/capabilities/). Disputed cells have tests of their own, that state the chosen value and the reason.
#include "app/comparison/capability_table.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "config/config_tree.h"
#include "support/temporary_folder.h"
#include "support/warpsim_process.h"

namespace warpsim {
namespace {

const std::string kMeasuredData = WARPSIM_SOURCE_DIR "/tests/data/capabilities/";

// One GPU of each capability.
constexpr const char* kGpus[] = {
    "geforce8800gtx", "geforce9800gtx", "gt240",   "gtx280", "gtx480",  "gtx560ti", "gtx680", "tegrak1", "k40", "k80",
    "gtx750ti",       "gtx980",         "tegrax1", "p100",   "gtx1080", "tegrax2",  "v100",   "xavier",  "t4",  "a100",
    "rtx3070",        "orin",           "rtx4090", "h200"};

const CapabilityTable& table() {
  static const CapabilityTable result = [] {
    std::vector<GpuConfig> gpus;
    for (const char* name : kGpus) {
      gpus.push_back(
          ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/" + std::string(name) + ".yaml", {}).read<GpuConfig>());
    }
    return make_capability_table(gpus);
  }();
  return result;
}

std::string cell(const std::string& key, const std::string& capability) {
  const auto column = std::find(table().capabilities.begin(), table().capabilities.end(), capability);
  for (const auto* rows : {&table().features, &table().specifications}) {
    for (const CapabilityRow& row : *rows) {
      if (row.key == key && column != table().capabilities.end()) {
        return row.cells[static_cast<std::size_t>(column - table().capabilities.begin())];
      }
    }
  }
  return "no such cell";
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Rows of cells; the first row is the header.
std::vector<std::vector<std::string>> read_table(const std::string& file) {
  std::ifstream stream(kMeasuredData + file);
  REQUIRE(stream);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  while (std::getline(stream, line)) {
    if (line.empty() || line[0] == '#') {
      continue;
    }
    std::vector<std::string> cells;
    std::istringstream words(line);
    std::string word;
    while (std::getline(words, word, '|')) {
      word = trimmed(word);
      cells.push_back(word == "=" ? cells.back() : word);
    }
    rows.push_back(cells);
  }
  return rows;
}

// The capabilities of a printed column.
std::vector<std::string> capabilities_of(const std::string& column) {
  if (column == "2.x") {
    return {"2.0", "2.1"};
  }
  if (column == "3.5-5.2") {
    return {"3.5", "3.7", "5.0", "5.2"};
  }
  return column == "6.x" ? std::vector<std::string>{"6.0", "6.1", "6.2"} : std::vector<std::string>{column};
}

// Number of cells compared.
int compare_with(const std::string& file) {
  const auto printed = read_table(file);
  int compared = 0;
  for (std::size_t r = 1; r < printed.size(); ++r) {
    REQUIRE(printed[r].size() == printed[0].size());
    for (std::size_t c = 1; c < printed[r].size(); ++c) {
      for (const std::string& capability : capabilities_of(printed[0][c])) {
        if (printed[r][c] == "?") {
          continue;
        }
        CAPTURE(printed[r][0], capability);
        CHECK(cell(printed[r][0], capability) == printed[r][c]);
        ++compared;
      }
    }
  }
  return compared;
}

TEST_CASE("Technical specifications equal the guides' table cell by cell, 1.0 to 6.2", "[capabilities]") {
  CHECK(compare_with("specifications.txt") == 44 * 16 - 8);
}

TEST_CASE("Features equal the guides' table cell by cell, 1.0 to 6.2", "[capabilities]") {
  CHECK(compare_with("features.txt") == 32 * 16);
}

TEST_CASE("Limits of an SM on 7.0 to 9.0 are those of NVIDIA's later tables", "[capabilities]") {
  const auto printed = read_table("later_limits.txt");
  for (std::size_t r = 1; r < printed.size(); ++r) {
    for (std::size_t c = 1; c < printed[r].size(); ++c) {
      CAPTURE(printed[r][0], printed[0][c]);
      CHECK(cell(printed[0][c], printed[r][0]) == printed[r][c]);
    }
  }
}

// 8.0 section B.1.2 says that kernels can be called from the device on "3.2 or higher", its section C.1.1 and table 12
// say 3.5. Taken: 3.5, the chapter on dynamic parallelism itself.
TEST_CASE("Disputed: dynamic parallelism begins with 3.5", "[capabilities]") {
  CHECK(cell("dynamic_parallelism", "3.2") == "No");
  CHECK(cell("dynamic_parallelism", "3.5") == "Yes");
}

// In a copy of table 12 of 8.0 the Yes is below 5.3; sections B.12 and B.12.1.1 and the list of changes say 6.x.
// Taken: 6.0.
TEST_CASE("Disputed: atomicAdd() in double precision begins with 6.0", "[capabilities]") {
  CHECK(cell("atomic_add_fp64", "5.3") == "No");
  CHECK(cell("atomic_add_fp64", "6.0") == "Yes");
}

// 4.2 section 5.2.3 says "1.2 and higher"; its sections 3.1.3, F.1 and C.1.2 say 1.3. Taken: 1.3.
TEST_CASE("Disputed: double precision begins with 1.3", "[capabilities]") {
  CHECK(cell("double_precision", "1.2") == "No");
  CHECK(cell("double_precision", "1.3") == "Yes");
}

// Table 13 of 8.0 has 8 KB, then 10 KB, without a column. By the shift that its other rows show, 10 KB begin with 5.0.
// Later guides say 8 KB up to 5.3, 4 KB for 6.0 and 8 KB again. Taken: 8.0, the reference table; from 7.0
// on the later guides.
TEST_CASE("Disputed: 10 KB of constants are cached from 5.0 to 6.2", "[capabilities]") {
  CHECK(cell("constant_cache", "3.7") == "8 KB");
  for (const char* capability : {"5.0", "5.2", "5.3", "6.0", "6.1", "6.2"}) {
    CHECK(cell("constant_cache", capability) == "10 KB");
  }
  CHECK(cell("constant_cache", "7.0") == "8 KB");
}

// A naive reading of table 13 of 8.0, whose spans are lost, gives 3.0 four resident grids. Taken: 16, as 4.2 says, and
// the spans of NVIDIA's later tables.
TEST_CASE("Disputed: resident grids by the order of cells and by other tables", "[capabilities]") {
  CHECK(cell("resident_grids", "3.0") == "16");
  CHECK(cell("resident_grids", "3.2") == "4");
  CHECK(cell("resident_grids", "5.3") == "16");
  CHECK(cell("resident_grids", "6.0") == "128");
}

// The guides' sizes of L2 on 3.x, 512 KB in 4.2 and 1.5 MB in 8.0, are those of two GPUs and not a row of these tables:
// each GPU's description has its own.

// The row has one value too many (..., 96, 64, 64). Sections G.5.1 and G.6.1 say 64 (5.0), 96 (5.2), 64 (6.0), 96
// (6.1), 64 (6.2); 5.3 follows only from the table.
TEST_CASE("Disputed: shared memory of an SM by the sections on each capability", "[capabilities]") {
  const std::pair<const char*, const char*> expected[] = {{"5.0", "64 KB"}, {"5.2", "96 KB"}, {"5.3", "64 KB"},
                                                          {"6.0", "64 KB"}, {"6.1", "96 KB"}, {"6.2", "64 KB"}};
  for (const auto& [capability, size] : expected) {
    CHECK(cell("shared_per_sm", capability) == size);
  }
}

// One transcription of the occupancy calculator says 32 K for 5.2; table 13 of 8.0 and later tables say 64 K. Taken: 64
// K.
TEST_CASE("Disputed: a block of 5.2 may have 64 K registers", "[capabilities]") {
  CHECK(cell("registers_per_block", "5.2") == "64 K");
}

// 4.2 says 6 to 8 KB for all capabilities, 8.0 says 12 KB for 2.x. Taken: the later one for 2.x; the 1.x guide's 8 KB
// are within 6 to 8.
TEST_CASE("Disputed: texture cache working set of 2.x", "[capabilities]") {
  CHECK(cell("texture_cache", "1.3") == "6-8 KB");
  CHECK(cell("texture_cache", "2.0") == "12 KB");
}

// No guide has 1.x's registers of a thread or block. Taken: the occupancy calculator's 124, and all of an SM.
TEST_CASE("Not stated: registers of threads and blocks on 1.x", "[capabilities]") {
  CHECK(cell("registers_per_thread", "1.0") == "124");
  CHECK(cell("registers_per_block", "1.0") == "8 K");
  CHECK(cell("registers_per_block", "1.3") == "16 K");
}

// The printed row only has No and Yes; that No spans 3.0 follows from later tables.
TEST_CASE("Disputed: funnel shift begins with 3.2", "[capabilities]") {
  CHECK(cell("funnel_shift", "3.0") == "No");
  CHECK(cell("funnel_shift", "3.2") == "Yes");
}

TEST_CASE("Features of the later guides begin where these guides state", "[capabilities]") {
  const std::map<std::string, std::pair<std::string, std::string>> expected = {
      {"warp_match", {"6.2", "7.0"}},         {"nanosleep", {"6.2", "7.0"}},        {"tensor_cores", {"6.2", "7.0"}},
      {"atomic_add_half", {"6.2", "7.0"}},    {"warp_reduce", {"7.5", "8.0"}},      {"bfloat16", {"7.5", "8.0"}},
      {"async_copy", {"7.5", "8.0"}},         {"atomic_add_half2", {"5.3", "6.0"}}, {"clusters", {"8.9", "9.0"}},
      {"atomic_add_bfloat16", {"7.5", "8.0"}}};
  for (const auto& [key, change] : expected) {
    INFO(key);
    CHECK(cell(key, change.first) == "No");
    CHECK(cell(key, change.second) == "Yes");
  }
}

TEST_CASE("gpus command: the table as text, JSON and Markdown", "[capabilities]") {
  const Outcome text = warpsim("gpus --table 1.0 9.0");
  CHECK(text.code == 0);
  CHECK(text.output.find("resident warps per SM") != std::string::npos);
  const auto json = nlohmann::json::parse(warpsim("gpus --table --json").output);
  CHECK(json["capabilities"].size() == 24);
  CHECK(json["capabilities"][0] == "1.0");
  const auto& rows = json["technical_specifications"];
  const auto grid = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row["key"] == "grid_x"; });
  REQUIRE(grid != rows.end());
  CHECK((*grid)["values"]["3.0"] == 2147483647);
  const Outcome wrong = warpsim("gpus --table 4.0");
  CHECK(wrong.code == 2);
  CHECK(wrong.output.find("compute capability '4.0': expected one of 1.0, 1.1") != std::string::npos);
}

TEST_CASE("capabilities.md is what warpsim gpus --table --markdown prints", "[capabilities]") {
  const bool same =
      TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/capabilities.md") == warpsim("gpus --table --markdown").output;
  INFO("update it with: warpsim gpus --table --markdown > docs/capabilities.md");
  CHECK(same);
}

TEST_CASE("gpus command: the list as JSON names capability and SMs", "[capabilities]") {
  const auto json = nlohmann::json::parse(warpsim("gpus --json").output);
  const auto v100 = std::find_if(json.begin(), json.end(), [](const auto& gpu) { return gpu["name"] == "v100"; });
  REQUIRE(v100 != json.end());
  CHECK((*v100)["compute_capability"] == "7.0");
  CHECK((*v100)["sms"] == 80);
}

}  // namespace
}  // namespace warpsim
