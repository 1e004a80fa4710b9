#include "report/gnuplot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/input_file.h"
#include "report/csv.h"

namespace warpsim {

namespace {

// The environment of the process, with numbers as in C.
std::vector<std::string> environment() {
  std::vector<std::string> variables = {"LC_ALL=C.UTF-8"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "LC_ALL=", 7) != 0) {
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

[[noreturn]] void fail_to_start(const std::string& program, int error) {
  throw UserError(program + ": " + std::strerror(error) +
                  "; gnuplot draws the figures (Debian: gnuplot-nox); -o FILE.gp writes the script only");
}

}  // namespace

std::string run_gnuplot(const std::string& folder, const std::string& script, const std::string& program) {
  std::vector<std::string> words = {program, "-d", script};
  std::vector<std::string> variables = environment();
  const std::string log = (std::filesystem::path(folder) / "gnuplot.log").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  constexpr unsigned kPermissions = 0600;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kPermissions);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int error =
      posix_spawnp(&process, program.c_str(), &actions, nullptr, pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    fail_to_start(program, error);
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kNotFound = 127;  // exit code of the new process in this case
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) {
    fail_to_start(program, ENOENT);
  }
  std::string said = require_input(log, "what gnuplot said");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw UserError(program + " could not draw the figure: " + said);
  }
  return said;
}

}  // namespace warpsim
