// The instruction lines of one thread block of an Accel-Sim trace, copied so that a thread can decode them while others
// read on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/accelsim/input_stream.h"

namespace warpsim {

class BlockText {
 public:
  // For a block that follows: nothing is left but the memory.
  void clear() {
    text_.clear();
    warps_.clear();
    lines_.clear();
  }
  std::size_t bytes() const { return text_.size(); }

  // Handler of ThreadBlockScanner that copies what `input` returns.
  class Copier {
   public:
    Copier(const InputStream& input, BlockText& out) : input_(&input), out_(&out) {}
    void begin_warp(std::uint32_t warp) { out_->warps_.push_back({warp, 0}); }
    void instruction(std::string_view line) {
      ++out_->warps_.back().instructions;
      const std::uint64_t number = input_->line_number();
      if (out_->lines_.empty() || number != last_ + 1) {
        out_->lines_.push_back({out_->text_.size(), number});
      }
      last_ = number;
      out_->text_.append(line.data(), line.size() + 1);  // a newline follows a line
    }

   private:
    const InputStream* input_;
    BlockText* out_;
    std::uint64_t last_ = 0;
  };

  // Passes all on to another handler. `place` holds the number of the line.
  template <typename Handler>
  void replay(Handler& handler, TextPlace& place) const {
    std::size_t at = 0;
    auto jump = lines_.begin();
    for (const Warp& warp : warps_) {
      handler.begin_warp(warp.warp);
      for (std::uint64_t i = 0; i < warp.instructions; ++i) {
        if (jump != lines_.end() && jump->offset == at) {
          place.line_number = jump++->number;
        } else {
          ++place.line_number;
        }
        const std::size_t end = text_.find('\n', at);
        handler.instruction(std::string_view(text_).substr(at, end - at));
        at = end + 1;
      }
    }
  }

 private:
  struct Warp {
    std::uint32_t warp = 0;
    std::uint64_t instructions = 0;
  };
  // Where the numbers of lines do not follow each other.
  struct Jump {
    std::size_t offset = 0;  // of the line in the text
    std::uint64_t number = 0;
  };

  std::string text_;
  std::vector<Warp> warps_;
  std::vector<Jump> lines_;
};

}  // namespace warpsim
