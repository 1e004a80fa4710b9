// The structure of an Accel-Sim kernel file's body: thread blocks, their warps, and the lines of instructions.
//
// Finds and checks #BEGIN_TB, `thread block`, `warp`, `insts`, #END_TB and passes each instruction line to a handler.
// Blank lines may be anywhere. Invariant: the handler sees exactly as many lines as `insts` says, for warps that the
// launch has, each at most once.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/accelsim/accelsim_header.h"
#include "frontend/accelsim/trace_line.h"

namespace warpsim {

class ThreadBlockScanner {
 public:
  // `input` is positioned after the header.
  ThreadBlockScanner(InputStream& input, const AccelsimHeader& header);

  // Advances to the next block and returns its linear index; empty at the end of the file.
  std::optional<std::uint64_t> next_block();

  // Reads the block that next_block() has found. Handler: begin_warp(warp), instruction(line).
  template <typename Handler>
  void read_warps(Handler& handler) {
    warps_seen_.assign(warps_, false);
    while (std::optional<WarpHeader> warp = next_warp()) {
      handler.begin_warp(warp->warp);
      for (std::uint64_t i = 0; i < warp->instructions; ++i) {
        std::string_view line;
        next_instruction(line, *warp, i);
        handler.instruction(line);
      }
    }
  }

 private:
  struct WarpHeader {
    std::uint32_t warp = 0;
    std::uint64_t instructions = 0;
  };

  std::optional<WarpHeader> next_warp();
  void next_instruction(std::string_view& line, const WarpHeader& warp, std::uint64_t index) {
    do {
      if (!input_.next_line(line)) [[unlikely]] {
        fail_end_of_file();
      }
    } while (line.empty());
    const char first = line[0];
    const bool hexadecimal = (first >= '0' && first <= '9') || (first >= 'a' && first <= 'f');
    if (!hexadecimal) [[unlikely]] {
      fail_missing_instruction(warp, index, line);
    }
  }
  // The next line that is not blank, trimmed; false at the end of the file.
  bool next_text(std::string_view& text);
  // The value of "key = value"; fails for any other line.
  std::string_view value_of(std::string_view text, std::string_view key) const;
  std::uint64_t number(std::string_view value, std::uint64_t max, const char* what) const;
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_end_of_file() const;
  [[noreturn]] void fail_missing_instruction(const WarpHeader& warp, std::uint64_t index, std::string_view line) const;

  InputStream& input_;
  Dim3 grid_;
  std::uint32_t warps_;
  std::vector<bool> warps_seen_;
};

}  // namespace warpsim
