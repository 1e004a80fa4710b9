#include <catch2/catch.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/machine_results.h"
#include "support/query_text.h"
#include "support/temporary_folder.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

// The fenced blocks of one language in a Markdown file.
std::vector<std::string> fenced_blocks(const std::string& markdown, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string fence = "```";
  std::size_t at = 0;
  while ((at = markdown.find(fence + language + "\n", at)) != std::string::npos) {
    at += fence.size() + language.size() + 1;
    const std::size_t end = markdown.find(fence, at);
    blocks.push_back(markdown.substr(at, end - at));
    at = end + fence.size();
  }
  return blocks;
}

TEST_CASE("statistics.md: every example query runs and returns rows") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  const std::string page = TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/statistics.md");
  const std::vector<std::string> queries = fenced_blocks(page, "sql");
  CHECK(queries.size() >= 15);
  for (const std::string& block : queries) {
    for (std::size_t begin = 0, end = block.find(';'); end != std::string::npos;
         begin = end + 1, end = block.find(';', begin)) {
      const std::string query = block.substr(begin, end - begin);
      INFO(query);
      CHECK_FALSE(text(database, query).empty());
    }
  }
}

TEST_CASE("statistics.md: every table and view has an example") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  std::string examples;
  for (const std::string& query :
       fenced_blocks(TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/statistics.md"), "sql")) {
    examples += query;
  }
  Statement names(database, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
  while (names.step()) {
    INFO(names.text(0));
    CHECK(std::regex_search(examples, std::regex("(FROM|JOIN) " + names.text(0) + "\\b")));
  }
}

TEST_CASE("statistics.md: every table, view and column is documented") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  const std::string page = TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/statistics.md");
  Statement columns(database,
                    "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c "
                    "WHERE m.type IN ('table', 'view')");
  std::set<std::string> names;
  while (columns.step()) {
    names.insert(columns.text(0));
    names.insert(columns.text(1));
  }
  CHECK(names.size() > 60);
  for (const std::string& name : names) {
    INFO(name);
    CHECK(page.find("`" + name + "`") != std::string::npos);
  }
}

}  // namespace
