#include "app/options/arguments.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <charconv>

#include "app/options/command_options.h"
#include "base/error.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

namespace po = boost::program_options;

std::string suggestion(const po::unknown_option& error, const po::options_description& visible) {
  std::vector<std::string> names;
  for (const auto& option : visible.options()) {
    names.push_back("--" + option->long_name());
  }
  return did_you_mean(error.get_option_name(), names);
}

po::variables_map parse(const std::string& command, const std::vector<std::string>& words) {
  const po::options_description visible = visible_options(command);
  po::options_description all;
  all.add(visible).add_options()("operand", po::value<std::vector<std::string>>());
  if (command == "sweep") {
    all.add_options()("slurm-task", po::value<std::string>()->value_name("FOLDER"),
                      "");  // called by job arrays, not by users
  }
  po::positional_options_description positions;
  positions.add("operand", -1);
  constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::variables_map values;
  try {
    po::store(po::command_line_parser(words).options(all).positional(positions).style(kStyle).run(), values);
  } catch (const po::unknown_option& error) {
    throw UsageError("unknown option '" + error.get_option_name() + "'" + suggestion(error, visible) +
                     see_help(command));
  } catch (const po::multiple_occurrences& error) {
    throw UsageError(error.get_option_name() + " is given more than once");
  } catch (const po::error_with_option_name& error) {
    throw UsageError(error.get_option_name() + ": expected a value" + see_help(command));
  } catch (const po::error& error) {
    throw UsageError(std::string(error.what()) + see_help(command));
  }
  return values;
}

}  // namespace

Arguments::Arguments(const std::string& command, const std::vector<std::string>& words) : command_(command) {
  for (const auto& [name, value] : parse(command, words)) {
    if (const auto* text = boost::any_cast<std::string>(&value.value())) {
      values_[name] = {*text};
    } else if (const auto* list = boost::any_cast<std::vector<std::string>>(&value.value())) {
      values_[name] = *list;
    } else {
      values_[name] = {};  // a switch
    }
  }
}

std::string Arguments::text(const char* option) const {
  const auto found = values_.find(option);
  return found == values_.end() || found->second.empty() ? std::string() : found->second.front();
}

std::vector<std::string> Arguments::list(const char* option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

void Arguments::expect_operands(std::size_t count, const char* what) const {
  if (operands().size() != count) {
    throw UsageError(fmt::format("{} takes {}, got {}{}", command_, what, operands().size(), see_help(command_)));
  }
}

std::string Arguments::required(const char* option, const char* meaning) const {
  std::string value = text(option);
  if (value.empty()) {
    throw UsageError(fmt::format("--{} is missing: {}{}", option, meaning, see_help(command_)));
  }
  return value;
}

std::optional<std::uint64_t> Arguments::number(const char* option, std::uint64_t least, std::uint64_t most) const {
  if (!has(option)) {
    return std::nullopt;
  }
  const std::string word = text(option);
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || stop != word.data() + word.size() || value < least || value > most) {
    throw UsageError(fmt::format("--{} '{}': expected a whole number from {} to {}", option, word, least, most));
  }
  return value;
}

std::size_t Arguments::choice(const char* option, const std::vector<std::string>& words) const {
  const std::string word = text(option);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (word == words[i]) {
      return i;
    }
  }
  if (!has(option)) {
    return 0;
  }
  throw UsageError(
      fmt::format("--{} '{}': expected {}{}", option, word, fmt::join(words, " or "), did_you_mean(word, words)));
}

std::vector<std::string> split_words(const std::string& option, const std::string& line) {
  try {
    return po::split_unix(line);
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("--{} '{}': {}", option, line, error.what()));
  }
}

std::string see_help(const std::string& command) {
  return " (see 'warpsim " + command + " --help')";
}

}  // namespace warpsim
