#include "frontend/accelsim/input_stream.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace warpsim {

InputStream::InputStream(std::string path)
    : place_{std::move(path)}, source_(open_byte_source(place_.path)), buffer_(2 * kLongestLine + 1) {}

bool InputStream::next_line_slow(std::string_view& line) {
  while (!source_ended_) {
    const std::size_t pending = end_ - begin_;
    if (pending > kLongestLine) {
      throw TraceError(fmt::format("{}:{}: the line is longer than {} bytes; expected a text file", place_.path,
                                   place_.line_number + 1, kLongestLine));
    }
    std::memmove(buffer_.data(), buffer_.data() + begin_, pending);
    begin_ = 0;
    const std::size_t bytes = source_->read(buffer_.data() + pending, buffer_.size() - 1 - pending);
    end_ = pending + bytes;
    if (bytes == 0) {
      source_ended_ = true;
      if (pending > 0) {
        buffer_[end_++] = '\n';  // there is always space for it
      }
    }
    if (std::memchr(buffer_.data() + pending, '\n', end_ - pending) != nullptr) {
      return next_line(line);
    }
  }
  return false;
}

}  // namespace warpsim
