#include "base/random_name.h"

#include <fmt/format.h>

#include <random>

namespace warpsim {

std::string random_hex(std::size_t digits) {
  std::random_device random;
  std::string text;
  while (text.size() < digits) {
    text += fmt::format("{:08x}", random());
  }
  text.resize(digits);
  return text;
}

}  // namespace warpsim
