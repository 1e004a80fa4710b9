#include "frontend/wtrace/wtrace_stream.h"

#include <fmt/format.h>

namespace warpsim::wtrace {

void ByteStream::ends_early() const {
  throw StreamError(fmt::format("'{}' ends early; expected more bytes there", name_));
}

void ByteStream::must_be_empty() const {
  if (!empty()) {
    throw StreamError(fmt::format("'{}' has {} bytes that no instruction uses; expected none", name_, left()));
  }
}

std::uint64_t ByteStream::long_varint() {
  std::uint64_t value = 0;
  for (std::uint32_t shift = 0; shift < 70; shift += 7) {
    const std::uint8_t next = byte();
    if (shift == 63 && next > 1) {
      break;
    }
    value |= std::uint64_t{next & 0x7fU} << shift;
    if (next < 0x80) {
      return value;
    }
  }
  throw StreamError(fmt::format("'{}' holds a number of more than 64 bits; expected at most 64", name_));
}

}  // namespace warpsim::wtrace
