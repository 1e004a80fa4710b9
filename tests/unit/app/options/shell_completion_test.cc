#include "app/options/shell_completion.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "app/options/command_help.h"
#include "base/error.h"
#include "support/build_paths.h"
#include "support/program.h"

namespace warpsim {
namespace {

// The options that 'warpsim COMMAND --help' lists, as typed.
std::set<std::string> options_in_help(const std::string& command) {
  const test::ProgramOutcome outcome = test::run_program(command + " --help");
  REQUIRE(outcome.code == 0);
  std::istringstream lines(outcome.out.substr(outcome.out.find("\noptions:\n")));
  std::set<std::string> options;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -")) {
      continue;
    }
    std::istringstream words(line);
    for (std::string word; words >> word && (word.starts_with("-") || word == "[" || word == "]");) {
      if (word.starts_with("-")) {
        options.insert(word);
      }
    }
  }
  return options;
}

class Bash {
 public:
  Bash() { script_ = folder_.write("completion", completion_script(Shell::kBash)); }
  // The completions of the words; the last one is under the cursor.
  std::set<std::string> complete(const std::vector<std::string>& words) const {
    std::string array;
    for (const std::string& word : words) {
      array += " '" + word + "'";
    }
    const std::string file = folder_.at("out");
    const std::string text = "source " + script_ + "; COMP_WORDS=('" + std::string(test::warpsim_binary()) + "'" +
                             array + "); COMP_CWORD=" + std::to_string(words.size()) +
                             "; _warpsim; printf '%s\\n' \"${COMPREPLY[@]}\"";
    const std::string command = "bash -c \"$(cat " + folder_.write("command", text) + ")\" >" + file + " 2>&1";
    REQUIRE(std::system(command.c_str()) == 0);
    std::ifstream lines(file);
    std::set<std::string> found;
    for (std::string line; std::getline(lines, line);) {
      found.insert(line);
    }
    found.erase("");
    return found;
  }

 private:
  TemporaryFolder folder_;
  std::string script_;
};

TEST_CASE("completions of bash offer every command, and every option of its help") {
  const Bash bash;
  const std::set<std::string> commands = bash.complete({""});
  for (const std::string& command : command_names()) {
    INFO(command);
    CHECK(commands.count(command) == 1);
    CHECK(bash.complete({command, "-"}) == options_in_help(command));
  }
}

TEST_CASE("completions of bash offer the values of options") {
  const Bash bash;
  CHECK(bash.complete({"run", "--cache-control", ""}) == std::set<std::string>{"all", "none"});
  CHECK(bash.complete({"run", "--progress", "=", "al"}) == std::set<std::string>{"always"});
  CHECK(bash.complete({"sweep", "--engine", "="}) == std::set<std::string>{"local", "slurm"});
  CHECK(bash.complete({"plot", "sp"}) == std::set<std::string>{"speedup"});
  CHECK(bash.complete({"completion", ""}) == std::set<std::string>{"bash", "fish", "zsh"});
  const std::set<std::string> gpus = bash.complete({"run", "--gpu", ""});
  CHECK(gpus.count("h200") == 1);
  CHECK(gpus.count("v100") == 1);
  CHECK(gpus.count("name") == 0);
  CHECK(bash.complete({"run", "--name", ""}).empty());
}

TEST_CASE("completions of zsh and fish contain every command and option") {
  const std::string zsh = completion_script(Shell::kZsh);
  const std::string fish = completion_script(Shell::kFish);
  for (const std::string& command : command_names()) {
    INFO(command);
    const std::size_t begin = zsh.find("\n    " + command + ")\n");
    REQUIRE(begin != std::string::npos);
    const std::string part = zsh.substr(begin, zsh.find(";;", begin) - begin);
    CHECK(zsh.find("    '" + command + ":") != std::string::npos);
    CHECK(fish.find("-n '__warpsim_first 1' -a " + command + " ") != std::string::npos);
    for (const std::string& option : options_in_help(command)) {
      INFO(option);
      if (option.starts_with("--")) {
        CHECK((part.find(option + "'[") != std::string::npos || part.find(option + "'=[") != std::string::npos));
        CHECK(fish.find("-n '__warpsim_is " + command + "' -l " + option.substr(2) + " ") != std::string::npos);
      } else {
        CHECK((part.find(option + "'[") != std::string::npos || part.find(option + "'+[") != std::string::npos));
        CHECK(fish.find(" -s " + option.substr(1) + " ") != std::string::npos);
      }
    }
  }
}

// Whether `shell -n` accepts the script; true if there is no such shell.
bool is_accepted(Shell shell, const std::string& name) {
  const TemporaryFolder folder;
  const std::string file = folder.write("script", completion_script(shell));
  return std::system(("! command -v " + name + " >/dev/null || " + name + " -n " + file).c_str()) == 0;
}

TEST_CASE("completions are valid scripts of their shells") {
  CHECK(is_accepted(Shell::kBash, "bash"));
  CHECK(is_accepted(Shell::kZsh, "zsh"));
  CHECK(is_accepted(Shell::kFish, "fish"));
}

TEST_CASE("completion takes the name of a shell") {
  CHECK(parse_completion({"zsh"}) == Shell::kZsh);
  CHECK_FALSE(parse_completion({"--help"}).has_value());
  CHECK_THROWS_WITH(parse_completion({"bahs"}),
                    "completion 'bahs': expected bash or zsh or fish; did you mean 'bash'? "
                    "(see 'warpsim completion --help')");
  CHECK_THROWS_WITH(parse_completion({}), Catch::StartsWith("completion takes one shell: bash, zsh or fish, got 0"));
  CHECK(test::run_program("completion fish").out == completion_script(Shell::kFish));
}

}  // namespace
}  // namespace warpsim
