#include "emulator/execution/device_printf.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace warpsim {

namespace {

class Arguments {
 public:
  Arguments(const std::byte* begin, std::size_t bytes) : begin_(begin), bytes_(bytes) {}

  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (begin_ != nullptr && offset_ + sizeof(T) <= bytes_) {
      std::memcpy(&value, begin_ + offset_, sizeof(T));
    }
    offset_ += sizeof(T);
    ++count_;
    return value;
  }
  std::int32_t count() const { return count_; }

 private:
  const std::byte* begin_;
  std::size_t bytes_;
  std::size_t offset_ = 0;
  std::int32_t count_ = 0;
};

template <class T>
std::string formatted(const std::string& specification, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = std::snprintf(nullptr, 0, specification.c_str(), value);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  std::snprintf(text.data(), text.size() + 1, specification.c_str(), value);
#pragma GCC diagnostic pop
  return text;
}

// "%-08.3" and the conversion after it, without length modifiers.
struct Specification {
  std::string flags;
  std::string shortness;  // "h" or "hh"
  bool is_long = false;   // l, ll, z, t, j: 64 bits
  char conversion = 0;
};

Specification read_specification(const std::string& format, std::size_t& at, Arguments& arguments) {
  Specification result;
  result.flags = "%";
  for (++at; at < format.size(); ++at) {
    const char c = format[at];
    if (c == '*') {
      const auto number = arguments.next<std::int32_t>();
      if (number < 0 && result.flags.back() == '.') {
        result.flags.pop_back();  // a negative precision is ignored
      } else {
        result.flags += std::to_string(number);
      }
    } else if (std::strchr("-+ #0123456789.", c) != nullptr) {
      result.flags += c;
    } else if (std::strchr("lzjtL", c) != nullptr) {
      result.is_long = true;
    } else if (c == 'h') {
      result.shortness += c;
    } else {
      result.conversion = c;
      ++at;
      break;
    }
  }
  return result;
}

std::string convert(const Specification& specification, Arguments& arguments, const ReadString& read_string) {
  const std::string wide = specification.flags + "ll" + specification.conversion;
  const std::string narrow = specification.flags + specification.shortness + specification.conversion;
  switch (specification.conversion) {
    case 'd':
    case 'i':
      return specification.is_long ? formatted(wide, static_cast<long long>(arguments.next<std::int64_t>()))
                                   : formatted(narrow, arguments.next<std::int32_t>());
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return specification.is_long ? formatted(wide, static_cast<unsigned long long>(arguments.next<std::uint64_t>()))
                                   : formatted(narrow, arguments.next<std::uint32_t>());
    case 'c':
      return formatted(specification.flags + "c", arguments.next<std::int32_t>());
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return formatted(specification.flags + specification.conversion, arguments.next<double>());
    case 'p':
      return formatted(specification.flags + "#llx", static_cast<unsigned long long>(arguments.next<std::uint64_t>()));
    case 's': {
      const std::optional<std::string> text = read_string(arguments.next<std::uint64_t>());
      return formatted(specification.flags + "s", text ? text->c_str() : "(null)");
    }
    case '%':
      return "%";
    default:
      return specification.flags +
             (specification.conversion == 0 ? std::string() : std::string(1, specification.conversion));
  }
}

}  // namespace

PrintedText format_device_text(const std::string& format, const std::byte* arguments, std::size_t bytes,
                               const ReadString& read_string) {
  PrintedText result;
  Arguments values(arguments, bytes);
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      result.text += format[at++];
      continue;
    }
    const Specification specification = read_specification(format, at, values);
    result.text += convert(specification, values, read_string);
  }
  result.arguments = values.count();
  return result;
}

}  // namespace warpsim
