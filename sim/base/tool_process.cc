#include "base/tool_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "base/input_file.h"

namespace warpsim {

namespace {

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

std::vector<std::string> environment_of(const ToolRequest& request) {
  std::vector<std::string> variables = request.set;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view name = name_of(*variable);
    const bool is_set = std::ranges::any_of(request.set, [&](const std::string& own) { return name_of(own) == name; });
    if (!is_set && std::ranges::find(request.unset, name) == request.unset.end()) {
      variables.emplace_back(*variable);
    }
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words) {
    result.push_back(word.data());
  }
  result.push_back(nullptr);
  return result;
}

}  // namespace

ToolOutcome run_tool(const ToolRequest& request) {
  std::vector<std::string> words = request.words;
  std::vector<std::string> variables = environment_of(request);
  const std::string log = (std::filesystem::path(request.folder) / "output.log").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, request.folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  constexpr unsigned kPermissions = 0600;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kPermissions);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  ToolOutcome outcome;
  outcome.error = posix_spawnp(&process, words.front().c_str(), &actions, nullptr, pointers(words).data(),
                               pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (outcome.error != 0) {
    return outcome;
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kNotFound = 127;  // exit code of the new process in this case
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) {
    outcome.error = ENOENT;
    return outcome;
  }
  outcome.output = require_input(log, "what the program said");
  outcome.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return outcome;
}

}  // namespace warpsim
