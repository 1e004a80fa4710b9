// Reads the byte streams inside a group of the native trace format. Never reads past the end; errors are thrown as
// StreamError, to which the caller adds the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace warpsim::wtrace {

// A group with an invalid coding. Becomes a TraceError with file, kernel and group.
class StreamError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ByteStream {
 public:
  ByteStream() = default;
  // `name` is that of the field, for messages; it and `bytes` must stay valid.
  ByteStream(std::string_view bytes, const char* name)
      : next_(reinterpret_cast<const std::uint8_t*>(bytes.data())), end_(next_ + bytes.size()), name_(name) {}

  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
  bool empty() const { return next_ == end_; }
  const char* name() const { return name_; }

  std::uint8_t byte() {
    if (next_ == end_) [[unlikely]] {
      ends_early();
    }
    return *next_++;
  }
  std::uint64_t varint() {
    if (next_ != end_ && *next_ < 0x80) [[likely]] {
      return *next_++;
    }
    return long_varint();
  }
  std::uint32_t u32() {
    if (left() < 4) [[unlikely]] {
      ends_early();
    }
    const std::uint32_t value =
        next_[0] | (std::uint32_t{next_[1]} << 8) | (std::uint32_t{next_[2]} << 16) | (std::uint32_t{next_[3]} << 24);
    next_ += 4;
    return value;
  }
  void must_be_empty() const;

 private:
  [[noreturn]] void ends_early() const;
  std::uint64_t long_varint();

  const std::uint8_t* next_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  const char* name_ = "";
};

}  // namespace warpsim::wtrace
