#include "frontend/accelsim/thread_block_scanner.h"

#include <array>
#include <charconv>

#include "base/error.h"
#include "base/trim.h"

namespace warpsim {
ThreadBlockScanner::ThreadBlockScanner(InputStream& input, const AccelsimHeader& header)
    : input_(input), grid_(header.launch.grid), warps_(header.launch.warps_per_block()) {}

void ThreadBlockScanner::fail(const std::string& message) const {
  throw TraceError(fmt::format("{}:{}: {}", input_.path(), input_.line_number(), message));
}

void ThreadBlockScanner::fail_end_of_file() const {
  fail("the file ends inside a thread block; expected #END_TB (was the trace truncated?)");
}

void ThreadBlockScanner::fail_missing_instruction(const WarpHeader& warp, std::uint64_t index,
                                                  std::string_view line) const {
  fail(fmt::format("warp {} has {} instructions before '{}'; expected {} as its 'insts' line says", warp.warp, index,
                   trim(line).substr(0, 40), warp.instructions));
}

bool ThreadBlockScanner::next_text(std::string_view& text) {
  while (input_.next_line(text)) {
    text = trim(text);
    if (!text.empty()) {
      return true;
    }
  }
  return false;
}

std::string_view ThreadBlockScanner::value_of(std::string_view text, std::string_view key) const {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trim(text.substr(0, equals)) != key) {
    fail(fmt::format("'{}' is out of place; expected '{} = ...'", text.substr(0, 60), key));
  }
  return trim(text.substr(equals + 1));
}

std::uint64_t ThreadBlockScanner::number(std::string_view value, std::uint64_t max, const char* what) const {
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc{} || end != value.data() + value.size() || result > max) {
    fail(fmt::format("the {} is '{}'; expected an integer from 0 to {}", what, value.substr(0, 40), max));
  }
  return result;
}

std::optional<std::uint64_t> ThreadBlockScanner::next_block() {
  std::string_view text;
  if (!next_text(text)) {
    return std::nullopt;
  }
  if (text != "#BEGIN_TB") {
    fail(fmt::format("'{}' is out of place; expected #BEGIN_TB", text.substr(0, 60)));
  }
  if (!next_text(text)) {
    fail_end_of_file();
  }
  std::string_view rest = value_of(text, "thread block");
  const std::array<std::uint32_t, 3> extents{grid_.x, grid_.y, grid_.z};
  std::array<std::uint64_t, 3> block{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t comma = i < 2 ? rest.find(',') : rest.size();
    if (comma == std::string_view::npos) {
      fail("a thread block has three coordinates; expected 'thread block = x,y,z'");
    }
    block[i] = number(trim(rest.substr(0, comma)), extents[i] - 1, "block coordinate");
    rest.remove_prefix(i < 2 ? comma + 1 : comma);
  }
  return block[0] + grid_.x * (block[1] + std::uint64_t{grid_.y} * block[2]);
}

std::optional<ThreadBlockScanner::WarpHeader> ThreadBlockScanner::next_warp() {
  std::string_view text;
  if (!next_text(text)) {
    fail_end_of_file();
  }
  if (text == "#END_TB") {
    return std::nullopt;
  }
  if ((text[0] >= '0' && text[0] <= '9') || (text[0] >= 'a' && text[0] <= 'f')) {
    fail("there are more instructions than the warp's 'insts' line says; expected 'warp = ...' or #END_TB");
  }
  WarpHeader header;
  header.warp = static_cast<std::uint32_t>(number(value_of(text, "warp"), warps_ - 1, "warp"));
  if (warps_seen_[header.warp]) {
    fail(fmt::format("warp {} appears twice; expected each warp of a block once", header.warp));
  }
  warps_seen_[header.warp] = true;
  if (!next_text(text)) {
    fail_end_of_file();
  }
  header.instructions = number(value_of(text, "insts"), UINT32_MAX, "number of instructions");
  return header;
}

}  // namespace warpsim
