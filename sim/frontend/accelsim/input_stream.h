// Lines of a possibly compressed text file, from one buffer and without allocation.
//
// A line is returned as a view that is followed by a newline character in memory, also at the end of the file: scanners
// can run to that sentinel without counting. Lines are limited to kLongestLine bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/accelsim/byte_source.h"

namespace warpsim {

// Of a line, for messages.
struct TextPlace {
  std::string path;
  std::uint64_t line_number = 0;  // from 1
};

class InputStream {
 public:
  static constexpr std::size_t kLongestLine = 256UL * 1024;

  explicit InputStream(std::string path);

  // The next line, without its newline (a carriage return stays); false at the end of the file. Valid until the next
  // call.
  bool next_line(std::string_view& line) {
    const char* start = buffer_.data() + begin_;
    const void* newline = std::memchr(start, '\n', end_ - begin_);
    if (newline == nullptr) [[unlikely]] {
      return next_line_slow(line);
    }
    const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - start);
    begin_ += length + 1;
    ++place_.line_number;
    line = {start, length};
    return true;
  }
  // Returns the current line again.
  void unread(std::string_view line) {
    begin_ = static_cast<std::size_t>(line.data() - buffer_.data());
    --place_.line_number;
  }

  const std::string& path() const { return place_.path; }
  std::uint64_t line_number() const { return place_.line_number; }  // of the line returned last, from 1
  const TextPlace& place() const { return place_; }

 private:
  bool next_line_slow(std::string_view& line);

  TextPlace place_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool source_ended_ = false;
};

}  // namespace warpsim
