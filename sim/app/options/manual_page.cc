#include "app/options/manual_page.h"

#include <fmt/format.h>

#include <sstream>

#include "app/options/arguments.h"
#include "app/options/command_help.h"
#include "app/options/command_options.h"

namespace warpsim {

namespace {

// Text escaped for roff, also at the beginning of a line.
std::string escaped(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) {
      result += "\\&";
    }
    line_begins = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
  }
  return result;
}

// Paragraphs of lines: indented lines and a line "usage:" stay as they are, others are filled.
std::string paragraphs(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  std::string line;
  bool filled = false;
  bool kept = false;
  const auto end_kept = [&] {
    result += kept ? ".fi\n.RE\n" : "";
    kept = false;
  };
  while (std::getline(lines, line)) {
    if (line.empty()) {
      end_kept();
      filled = false;
    } else if (line.starts_with(' ') || line.starts_with("usage:")) {
      result += kept ? "" : ".PP\n.RS 2\n.nf\n";
      result += escaped(line) + "\n";
      kept = true;
      filled = false;
    } else {
      end_kept();
      result += filled ? "" : ".PP\n";
      result += escaped(line) + "\n";
      filled = true;
    }
  }
  end_kept();
  return result;
}

std::string option_entry(const CommandOption& option) {
  const std::string value = option.is_switch ? "" : " \\fI" + escaped(option.value) + "\\fR";
  const std::string letter = option.letter.empty() ? "" : "\\fB" + escaped(option.letter) + "\\fR, ";
  return ".TP\n" + letter + "\\fB\\-\\-" + escaped(option.name) + "\\fR" + value + "\n" + escaped(option.description) +
         "\n";
}

}  // namespace

std::string manual_page(const std::string& version) {
  std::string page = fmt::format(".TH WARPSIM 1 \"\" \"warpsim {}\" \"User Commands\"\n", escaped(version));
  page += ".SH NAME\nwarpsim \\- cycle\\-level simulator of NVIDIA GPUs\n";
  page += ".SH SYNOPSIS\n.B warpsim\n.I COMMAND\n[\\fIoptions\\fR]\n";
  page += ".SH DESCRIPTION\n" + paragraphs(program_purpose()) + paragraphs(program_notes());
  page += ".SH COMMANDS\n";
  for (const CommandGroup& group : command_groups()) {
    page += ".SS " + escaped(group.task) + "\n";
    for (const CommandSummary& command : group.commands) {
      page += ".TP\n\\fB" + escaped(command.name) + "\\fR\n" + escaped(command.summary) + "\n";
    }
  }
  for (const CommandGroup& group : command_groups()) {
    for (const CommandSummary& command : group.commands) {
      const CommandHelp& help = command_help(command.name);
      page += ".SH WARPSIM " + escaped(command.name) + "\n" + paragraphs(help.usage);
      for (const CommandOption& option : command_options(command.name)) {
        page += option_entry(option);
      }
      page += paragraphs(help.notes);
    }
  }
  return page;
}

}  // namespace warpsim
