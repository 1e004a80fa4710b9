// printf() in kernels: a format in device memory and a buffer of arguments, as passed to vprintf.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/types.h"

namespace warpsim {

// Reads bytes of device memory; empty if they are not accessible.
using ReadString = std::function<std::optional<std::string>(Address address)>;

struct PrintedText {
  std::string text;
  std::int32_t arguments = 0;  // what printf() returns in kernels
};

// `arguments`: values at their natural alignment, floating-point ones as double, strings as addresses.
PrintedText format_device_text(const std::string& format, const std::byte* arguments, std::size_t bytes,
                               const ReadString& read_string);

}  // namespace warpsim
