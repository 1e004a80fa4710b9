#include "sweep/slurm_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/error.h"
#include "sweep/child_process.h"

namespace warpsim {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

// Its output; throws UserError with its message if it failed.
std::string output_of(const std::string& program, const std::vector<std::string>& words) {
  const ProgramResult result = run_program(program, words);
  if (result.status != 0) {
    const std::string said = trimmed(result.errors);
    throw UserError(fmt::format("{}: {}", program, said.empty() ? status_text(result.status) : said));
  }
  return result.output;
}

// As output_of(), but nothing if it fails: for data that Slurm may have deleted or does not record.
std::string output_if_any(const std::string& program, const std::vector<std::string>& words) {
  try {
    return output_of(program, words);
  } catch (const UserError&) {
    return "";
  }
}

std::optional<std::uint32_t> number(const std::string& text) {
  std::uint32_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                    : std::nullopt;
}

// The value of "Key=value" among words.
std::string value_of(const std::string& line, const std::string& key) {
  std::istringstream words(line);
  std::string word;
  while (words >> word) {
    if (word.starts_with(key + "=")) {
      return word.substr(key.size() + 1);
    }
  }
  return "";
}

}  // namespace

SlurmQueue parse_slurm_queue(const std::string& text) {
  SlurmQueue queue;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream rest(line);
    std::string field;
    while (fields.size() < 3 && std::getline(rest, field, '|')) {
      fields.push_back(trimmed(field));
    }
    std::getline(rest, field);
    const std::optional<std::uint32_t> index = fields.size() == 3 ? number(fields[1]) : std::nullopt;
    if (index) {
      queue.tasks[{fields[0], *index}] = {fields[2], trimmed(field)};
    }
  }
  return queue;
}

SlurmQueue ask_slurm_queue() {
  return parse_slurm_queue(
      output_of("squeue", {"--noheader", "--array", "--user=" + std::to_string(::getuid()), "--format=%F|%K|%T|%j"}));
}

std::vector<std::string> sbatch_words(const SlurmArray& array) {
  if (array.folder.find('\\') != std::string::npos) {
    throw UserError(array.folder + ": Slurm cannot write to a folder with a backslash in its name; give another --out");
  }
  std::string output;  // a pattern
  for (const char c : array.folder + "/task-") {
    output += c == '%' ? std::string("%%") : std::string(1, c);
  }
  std::vector<std::string> words;
  if (array.processors > 1) {
    words.push_back(fmt::format("--cpus-per-task={}", array.processors));  // the user's words may replace it
  }
  words.insert(words.end(), array.user_words.begin(), array.user_words.end());
  words.insert(words.end(), {"--parsable", "--job-name=" + array.job_name, "--chdir=" + array.folder,
                             "--output=" + output + "%a.log", "--open-mode=append"});
  words.push_back(fmt::format("--array=0-{}", array.tasks - 1) +
                  (array.at_a_time == 0 ? "" : fmt::format("%{}", array.at_a_time)));
  words.push_back(array.script);
  return words;
}

std::string submit_slurm_array(const SlurmArray& array) {
  const std::string said = trimmed(output_of("sbatch", sbatch_words(array)));
  std::string job = said.substr(0, said.find(';'));  // the cluster's name may follow
  if (!number(job)) {
    throw UserError(fmt::format("sbatch: expected the number of a job, got '{}'", said));
  }
  return job;
}

std::string parse_slurm_state(const std::string& line) {
  const std::string state = value_of(line, "JobState");
  if (state.empty()) {
    return "";
  }
  std::string text = state;
  const std::string reason = value_of(line, "Reason");
  if (!reason.empty() && reason != "None") {
    text += ", " + reason;
  }
  const std::string code = value_of(line, "ExitCode");
  if (state == "FAILED" && !code.empty()) {
    text += ", exit code " + code;
  }
  const std::string nodes = value_of(line, "NodeList");
  if (!nodes.empty() && nodes != "(null)") {
    text += ", on " + nodes;
  }
  return text;
}

std::string slurm_end(const SlurmTaskId& task) {
  const std::string name = fmt::format("{}_{}", task.first, task.second);
  std::string state = parse_slurm_state(output_if_any("scontrol", {"show", "job", "--oneliner", name}));
  if (!state.empty()) {
    return state;
  }
  const std::string kept = trimmed(
      output_if_any("sacct", {"--noheader", "--allocations", "--parsable2", "--jobs=" + name, "--format=State"}));
  return kept.empty() ? "left the queue without a result; Slurm gives no reason" : kept.substr(0, kept.find('\n'));
}

std::size_t most_slurm_tasks() {
  constexpr std::size_t kUsual = 1000;
  std::istringstream lines(output_if_any("scontrol", {"show", "config"}));
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos && trimmed(line.substr(0, equals)) == "MaxArraySize") {
      // Indices are below it.
      return std::max<std::size_t>(1, number(trimmed(line.substr(equals + 1))).value_or(kUsual));
    }
  }
  return kUsual;
}

std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

}  // namespace warpsim
