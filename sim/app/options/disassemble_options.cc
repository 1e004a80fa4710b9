#include "app/options/disassemble_options.h"

#include <algorithm>

#include "app/options/arguments.h"
#include "base/error.h"

namespace warpsim {

namespace {

// The number of "sm_", digits, and the letter of code for one capability or family only. 0: something else.
std::uint32_t architecture_of_target(const std::string& text) {
  constexpr std::string_view kPrefix = "sm_";
  constexpr std::size_t kMostDigits = 4;
  if (!text.starts_with(kPrefix)) {
    return 0;
  }
  std::string digits = text.substr(kPrefix.size());
  if (digits.ends_with('a') || digits.ends_with('f')) {
    digits.pop_back();
  }
  const bool fits = !digits.empty() && digits.size() <= kMostDigits &&
                    std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return fits ? static_cast<std::uint32_t>(std::stoul(digits)) : 0;
}

}  // namespace

std::optional<DisassembleOptions> parse_disassemble_options(const std::vector<std::string>& words) {
  const Arguments arguments("disassemble", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(1, "one file with machine code or PTX");
  DisassembleOptions options;
  options.file = arguments.operands().front();
  options.function = arguments.text("function");
  options.target = arguments.text("arch");
  options.architecture = architecture_of_target(options.target);
  if (!options.target.empty() && options.architecture == 0) {
    throw UsageError("--arch '" + options.target + "': expected an architecture such as sm_90 or sm_90a" +
                     see_help("disassemble"));
  }
  options.words = arguments.has("hex");
  options.is_ptx = options.file.ends_with(".ptx");
  if (options.is_ptx && options.words) {
    throw UsageError("--hex: code that is generated for PTX has no words" + see_help("disassemble"));
  }
  return options;
}

}  // namespace warpsim
