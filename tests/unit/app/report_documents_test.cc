// The pages about exports, figures and dashboards: their queries run, their command lines are valid.
#include <catch2/catch.hpp>
#include <iomanip>
#include <sstream>

#include "app/options/report_options.h"
#include "base/error.h"
#include "report/export.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

std::vector<std::string> fenced(const std::string& page, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string begin = "```" + language + "\n";
  for (std::size_t at = 0; (at = page.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    const std::size_t end = page.find("```", at);
    blocks.push_back(page.substr(at, end - at));
    at = end;
  }
  return blocks;
}

std::string page(const std::string& name) {
  return TemporaryFolder::read(std::string(WARPSIM_SOURCE_DIR) + "/docs/" + name);
}

// Splits words like a shell, with double quotes.
std::vector<std::string> shell_words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> std::quoted(word);) {
    words.push_back(word);
  }
  return words;
}

TEST_CASE("exports.md and figures.md: every query runs and returns rows") {
  const TemporaryFolder folder;
  const ExampleLaunch launch{"k",
                             {{"gpc__cycles_elapsed.max", 1000},
                              {"gpu__time_duration.sum", 500},
                              {"lts__t_sectors.sum", 64},
                              {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", 2}},
                             {}};
  write_example_results(folder.at("r.db"),
                        {{"a", "H200", "simulated", "t", "aa", "cc", {{"l2.num_ways", "20"}}, {launch}},
                         {"b", "H200", "simulated", "t", "aa", "dd", {{"l2.num_ways", "24"}}, {launch}},
                         {"a", "H200", "hardware", "", "", "", {}, {launch}}});
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  int queries = 0;
  for (const char* name : {"exports.md", "figures.md", "dashboards.md"}) {
    for (const std::string& query : fenced(page(name), "sql")) {
      INFO(query);
      CHECK_FALSE(export_table(database, {"", query, {}}).content.rows.empty());
      ++queries;
    }
  }
  CHECK(queries >= 8);
}

TEST_CASE("exports.md and figures.md: every command line is valid") {
  int commands = 0;
  for (const char* name : {"exports.md", "figures.md"}) {
    for (const std::string& block : fenced(page(name), "sh")) {
      std::istringstream lines(block);
      for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> words = shell_words(line);
        if (words.empty() || words[0] != "warpsim") {
          continue;
        }
        INFO(line);
        const std::string command = words.at(1);
        words.erase(words.begin(), words.begin() + 2);
        if (command == "export") {
          CHECK(parse_export(words));
        } else if (command == "plot") {
          CHECK(parse_plot(words));
        } else {
          CHECK(command == "import-ncu");
          CHECK(parse_import_ncu(words));
        }
        ++commands;
      }
    }
  }
  CHECK(commands >= 10);
}

}  // namespace
}  // namespace warpsim
