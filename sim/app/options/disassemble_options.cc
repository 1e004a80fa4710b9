#include "app/options/disassemble_options.h"

#include <algorithm>

#include "app/options/arguments.h"
#include "base/error.h"

namespace warpsim {

namespace {

// "sm_", digits, and the letter of code for one capability or family only.
bool is_target(const std::string& text) {
  constexpr std::string_view kPrefix = "sm_";
  if (!text.starts_with(kPrefix)) {
    return false;
  }
  std::string digits = text.substr(kPrefix.size());
  if (digits.ends_with('a') || digits.ends_with('f')) {
    digits.pop_back();
  }
  return !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<DisassembleOptions> parse_disassemble_options(const std::vector<std::string>& words) {
  const Arguments arguments("disassemble", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(1, "one file with machine code");
  DisassembleOptions options;
  options.file = arguments.operands().front();
  options.function = arguments.text("function");
  options.target = arguments.text("arch");
  if (!options.target.empty() && !is_target(options.target)) {
    throw UsageError("--arch '" + options.target + "': expected an architecture such as sm_90 or sm_90a" +
                     see_help("disassemble"));
  }
  options.words = arguments.has("hex");
  return options;
}

}  // namespace warpsim
