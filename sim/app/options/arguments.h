// The parsed words of one command: the given values of its options (command_options.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

class Arguments {
 public:
  // Throws UsageError for words that the command does not accept.
  Arguments(const std::string& command, const std::vector<std::string>& words);

  bool has(const char* option) const { return values_.count(option) != 0; }
  // Empty if it is not given.
  std::string text(const char* option) const;
  std::vector<std::string> list(const char* option) const;
  std::vector<std::string> operands() const { return list("operand"); }
  void expect_operands(std::size_t count, const char* what) const;

  std::string required(const char* option, const char* meaning) const;
  // A whole number; nothing if it is not given.
  std::optional<std::uint64_t> number(const char* option, std::uint64_t least, std::uint64_t most) const;
  // Index of the word; 0 if the option is not given.
  std::size_t choice(const char* option, const std::vector<std::string>& words) const;

 private:
  std::string command_;
  std::map<std::string, std::vector<std::string>> values_;
};

// The words of a line as a shell would split it. Throws UsageError, which names `option`, if the line ends in a
// backslash.
std::vector<std::string> split_words(const std::string& option, const std::string& line);

// " (see 'warpsim run --help')"
std::string see_help(const std::string& command);

}  // namespace warpsim
