#include "app/options/manual_page.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "app/options/arguments.h"
#include "app/options/command_help.h"
#include "app/options/command_options.h"
#include "support/program.h"

namespace warpsim {
namespace {

// The text as shown by roff, without fonts.
std::string plain(std::string text) {
  for (const auto& [from, to] : {std::pair("\\-", "-"), std::pair("\\fB", ""), std::pair("\\fI", ""),
                                 std::pair("\\fR", ""), std::pair("\\(aq", "'"), std::pair("\\&", "")}) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
      text.replace(at, std::string(from).size(), to);
    }
  }
  return text;
}

TEST_CASE("the manual page has a section of every command, with all of its options") {
  const std::string page = plain(manual_page("1.2"));
  CHECK(page.find(".TH WARPSIM 1 ") == 0);
  CHECK(page.find("\"warpsim 1.2\"") != std::string::npos);
  for (const std::string& command : command_names()) {
    INFO(command);
    const std::size_t begin = page.find(".SH WARPSIM " + command + "\n");
    REQUIRE(begin != std::string::npos);
    const std::string section = page.substr(begin, page.find("\n.SH ", begin) + 1 - begin);
    CHECK(section.find("usage: warpsim " + command) != std::string::npos);
    for (const CommandOption& option : command_options(command)) {
      const std::string value = option.is_switch ? "" : " " + option.value;
      const std::string letter = option.letter.empty() ? "" : option.letter + ", ";
      INFO(option.name);
      CHECK(section.find(".TP\n" + letter + "--" + option.name + value + "\n" + option.description + "\n") !=
            std::string::npos);
    }
  }
}

TEST_CASE("every line of the manual page that begins like a request is one") {
  std::istringstream lines(manual_page("1"));
  const std::vector<std::string> requests = {".TH", ".SH", ".SS", ".TP", ".PP", ".RS", ".RE", ".nf", ".fi", ".B", ".I"};
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK_FALSE(line.starts_with("'"));
    if (line.starts_with(".")) {
      const std::string request = line.substr(0, line.find(' '));
      CHECK(std::find(requests.begin(), requests.end(), request) != requests.end());
    }
  }
}

TEST_CASE("the manual page is formatted without a warning, if groff is installed") {
  const TemporaryFolder folder;
  const std::string file = folder.write("warpsim.1", test::run_program("manual").out);
  const std::string warnings = folder.at("warnings");
  REQUIRE(std::system(("! command -v groff >/dev/null || groff -man -Tascii -ww " + file + " >" + folder.at("text") +
                       " 2>" + warnings)
                          .c_str()) == 0);
  CHECK((!std::filesystem::exists(warnings) || TemporaryFolder::read(warnings).empty()));
}

}  // namespace
}  // namespace warpsim
