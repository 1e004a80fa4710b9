#include "app/options/shell_completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/options/arguments.h"
#include "app/options/command_help.h"
#include "app/options/command_options.h"
#include "base/error.h"
#include "config/near_miss.h"
#include "report/figure.h"

namespace warpsim {

namespace {

constexpr std::array<const char*, 3> kShells = {"bash", "zsh", "fish"};

// The completion of an option's value.
enum class ValueKind : std::uint8_t { kNone, kWords, kGpu, kFile, kOther };

ValueKind kind_of(const CommandOption& option) {
  if (option.is_switch) {
    return ValueKind::kNone;
  }
  if (option.value.find('|') != std::string::npos) {
    return ValueKind::kWords;
  }
  if (option.value == "GPU") {
    return ValueKind::kGpu;
  }
  return option.value == "FILE" || option.value == "CSV" ? ValueKind::kFile : ValueKind::kOther;
}

std::string words_of(std::string value) {
  std::ranges::replace(value, '|', ' ');
  return value;
}

// The possible words of the first operand; empty: any.
std::string first_words(Operands operands) {
  switch (operands) {
    case Operands::kFigure:
      return fmt::format("{}", fmt::join(figure_kinds(), " "));
    case Operands::kShell:
      return fmt::format("{}", fmt::join(kShells, " "));
    default:
      return {};
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// In single quotes, for any shell except fish, in which a backslash is special there.
std::string quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

template <class Visit>
void for_each_command(const Visit& visit) {
  for (const CommandGroup& group : command_groups()) {
    for (const CommandSummary& command : group.commands) {
      visit(command);
    }
  }
}

// --- bash ---

// The names of an option as a pattern of `case`.
std::string bash_pattern(const CommandSummary& command, const CommandOption& option) {
  std::string pattern = fmt::format("'{} --{}'", command.name, option.name);
  if (!option.letter.empty()) {
    pattern += fmt::format(" | '{} {}'", command.name, option.letter);
  }
  return pattern;
}

std::string bash_values(const CommandSummary& command) {
  std::string text;
  for (const CommandOption& option : command_options(command.name)) {
    std::string action;
    switch (kind_of(option)) {
      case ValueKind::kNone:
        continue;
      case ValueKind::kWords:
        action = fmt::format("_warpsim_words '{}'", words_of(option.value));
        break;
      case ValueKind::kGpu:
        action = "_warpsim_words \"$(_warpsim_gpus)\"";
        break;
      case ValueKind::kFile:
        action = ":";
        break;
      case ValueKind::kOther:
        action = "_warpsim_nothing";
        break;
    }
    text += fmt::format("    {}) {}; return ;;\n", bash_pattern(command, option), action);
  }
  return text;
}

std::string bash_script() {
  std::string names;
  std::string values;
  std::string options;
  std::string operands;
  for_each_command([&](const CommandSummary& command) {
    names += std::string(names.empty() ? "" : " ") + command.name;
    values += bash_values(command);
    std::string all;
    for (const CommandOption& option : command_options(command.name)) {
      all += (all.empty() ? "--" : " --") + option.name + (option.letter.empty() ? "" : " " + option.letter);
    }
    options += fmt::format("      {}) _warpsim_words '{}' ;;\n", command.name, all);
    const std::string first = first_words(command.operands);
    if (!first.empty()) {
      operands += fmt::format("    {}) ((COMP_CWORD == 2)) && _warpsim_words '{}' ;;\n", command.name, first);
    } else if (command.operands == Operands::kNone) {
      operands += fmt::format("    {}) _warpsim_nothing ;;\n", command.name);
    }
  });
  return fmt::format(R"(# bash completion of warpsim, printed by 'warpsim completion bash'
_warpsim_gpus() {{
  "${{COMP_WORDS[0]}}" gpus 2>/dev/null | awk 'NR > 2 {{ print $1 }}'
}}
_warpsim_words() {{
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}}
_warpsim_nothing() {{
  compopt +o default 2>/dev/null
}}
_warpsim() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _warpsim_words '{names} help --help --version'
    return
  fi
  case "$command $previous" in
    'help help') _warpsim_words '{names}'; return ;;
{values}  esac
  if [[ $current == -* ]]; then
    case $command in
{options}    esac
    return
  fi
  case $command in
{operands}  esac
}}
complete -o default -F _warpsim warpsim
)",
                     fmt::arg("names", names), fmt::arg("values", values), fmt::arg("options", options),
                     fmt::arg("operands", operands));
}

// --- zsh ---

// One argument of _arguments.
std::string zsh_option(const CommandOption& option) {
  std::string description = option.description;
  for (const char* special : {"\\", "[", "]", ":"}) {
    description = replaced(description, special, std::string("\\") + special);
  }
  std::string action;
  switch (kind_of(option)) {
    case ValueKind::kNone:
      break;
    case ValueKind::kWords:
      action = fmt::format(":{}:({})", option.name, words_of(option.value));
      break;
    case ValueKind::kGpu:
      action = ":GPU:_warpsim_gpus";
      break;
    case ValueKind::kFile:
      action = ":file:_files";
      break;
    case ValueKind::kOther:
      action = ":" + option.name + ": ";
      break;
  }
  const std::string rest = quoted((option.is_switch ? "[" : "=[") + description + "]" + action);
  const std::string several = option.repeated ? "'*'" : "";
  if (option.letter.empty()) {
    return several + "--" + option.name + rest;
  }
  const std::string short_rest = quoted((option.is_switch ? "[" : "+[") + description + "]" + action);
  const std::string other = option.repeated ? "'*'" : fmt::format("'({} --{})'", option.letter, option.name);
  return other + option.letter + short_rest + " \\\n        " + other + "--" + option.name + rest;
}

std::string zsh_operands(Operands operands) {
  switch (operands) {
    case Operands::kNone:
      return "";
    case Operands::kProgram:
      return " \\\n        '*::program:_normal'";
    case Operands::kFiles:
      return " \\\n        '*:file:_files'";
    case Operands::kFigure:
      return " \\\n        '1:kind:(" + first_words(operands) + ")' '*:file:_files'";
    case Operands::kShell:
      return " \\\n        '1:shell:(" + first_words(operands) + ")'";
  }
  return "";
}

std::string zsh_script() {
  std::string names;
  std::string cases;
  for_each_command([&](const CommandSummary& command) {
    names += "    " + quoted(command.name + (":" + replaced(command.summary, ":", "\\:"))) + "\n";
    cases += fmt::format("    {})\n      _arguments -S", command.name);
    for (const CommandOption& option : command_options(command.name)) {
      cases += " \\\n        " + zsh_option(option);
    }
    cases += zsh_operands(command.operands) + "\n      ;;\n";
  });
  return fmt::format(R"zsh(#compdef warpsim
# zsh completion of warpsim, printed by 'warpsim completion zsh'
_warpsim_gpus() {{
  local -a gpus
  gpus=(${{(f)"$(warpsim gpus 2>/dev/null | awk 'NR > 2 {{ print $1 }}')"}})
  _alternative 'gpus:GPU:compadd -a gpus' 'files:description:_files -g "*.yaml"'
}}
_warpsim() {{
  local -a commands
  commands=(
{names}  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    _arguments '--help[print help]' '--version[print version, schema and build]'
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
    help)
      _describe -t commands command commands
      ;;
{cases}  esac
}}
if [[ $funcstack[1] == _warpsim ]]; then
  _warpsim "$@"
else
  compdef _warpsim warpsim
fi
)zsh",
                     fmt::arg("names", names), fmt::arg("cases", cases));
}

// --- fish ---

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_option(const CommandSummary& command, const CommandOption& option) {
  std::string line = fmt::format("complete -c warpsim -n '__warpsim_is {}' -l {}", command.name, option.name);
  if (!option.letter.empty()) {
    line += " -s " + option.letter.substr(1);
  }
  switch (kind_of(option)) {
    case ValueKind::kNone:
      break;
    case ValueKind::kWords:
      line += " -x -a " + fish_quoted(words_of(option.value));
      break;
    case ValueKind::kGpu:
      line += " -r -a '(__warpsim_gpus)'";
      break;
    case ValueKind::kFile:
      line += " -r -F";
      break;
    case ValueKind::kOther:
      line += " -x";
      break;
  }
  return line + " -d " + fish_quoted(option.description) + "\n";
}

std::string fish_script() {
  std::string text = R"(# fish completion of warpsim, printed by 'warpsim completion fish'
function __warpsim_is
  set -l words (commandline -opc)
  test (count $words) -ge 2; and contains -- $words[2] $argv
end
function __warpsim_first
  test (count (commandline -opc)) -eq $argv[1]
end
function __warpsim_gpus
  warpsim gpus 2>/dev/null | awk 'NR > 2 { print $1 }'
end
complete -c warpsim -f
complete -c warpsim -n '__warpsim_first 1' -l help -d 'print help'
complete -c warpsim -n '__warpsim_first 1' -l version -d 'print version, schema and build'
)";
  for_each_command([&](const CommandSummary& command) {
    text += fmt::format("complete -c warpsim -n '__warpsim_first 1' -a {} -d {}\n", command.name,
                        fish_quoted(command.summary));
    text += fmt::format("complete -c warpsim -n '__warpsim_is help' -a {} -d {}\n", command.name,
                        fish_quoted(command.summary));
    for (const CommandOption& option : command_options(command.name)) {
      text += fish_option(command, option);
    }
    const std::string first = first_words(command.operands);
    if (!first.empty()) {
      text += fmt::format("complete -c warpsim -n '__warpsim_is {}; and __warpsim_first 2' -a {}\n", command.name,
                          fish_quoted(first));
    }
    if (command.operands == Operands::kProgram) {
      text += fmt::format("complete -c warpsim -n '__warpsim_is {}' -F -a '(__fish_complete_command)'\n", command.name);
    } else if (command.operands == Operands::kFiles || command.operands == Operands::kFigure) {
      text += fmt::format("complete -c warpsim -n '__warpsim_is {}' -F\n", command.name);
    }
  });
  return text;
}

}  // namespace

std::string completion_script(Shell shell) {
  switch (shell) {
    case Shell::kBash:
      return bash_script();
    case Shell::kZsh:
      return zsh_script();
    case Shell::kFish:
      return fish_script();
  }
  return {};
}

std::optional<Shell> parse_completion(const std::vector<std::string>& words) {
  const Arguments arguments("completion", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(1, "one shell: bash, zsh or fish");
  const std::string word = arguments.operands().front();
  const auto found = std::ranges::find(kShells, word);
  if (found == kShells.end()) {
    throw UsageError(fmt::format("completion '{}': expected {}{}{}", word, fmt::join(kShells, " or "),
                                 did_you_mean(word, {kShells.begin(), kShells.end()}), see_help("completion")));
  }
  return static_cast<Shell>(found - kShells.begin());
}

}  // namespace warpsim
