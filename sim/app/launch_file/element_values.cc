#include "app/launch_file/element_values.h"

#include <fmt/format.h>

#include <sstream>

#include "base/error.h"
#include "base/input_file.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;

// Numbers below 2^53 are exact in double precision.
constexpr unsigned kBitsBelowOne = 11;
constexpr double kUnit = 0x1p-53;

std::uint64_t wrapped(ElementType type, std::uint64_t bits) {
  return bits & ~std::uint64_t{0} >> (64 - 8 * bytes_of(type));
}

std::uint64_t progression(ElementType type, const ElementValues& values, std::uint64_t index) {
  const std::uint64_t place = values.period == 0 ? index : index % values.period;
  if (is_float(type)) {
    const double step = value_of(type, values.step);
    return rounded(type, value_of(type, values.start) + step * static_cast<double>(place));
  }
  // The bits beyond the type's width hold the sign extension and are dropped.
  const auto start = static_cast<std::uint64_t>(integer_of(type, values.start));
  const auto step = static_cast<std::uint64_t>(integer_of(type, values.step));
  return wrapped(type, start + step * place);
}

std::uint64_t random_element(ElementType type, const ElementValues& values, std::uint64_t index) {
  const std::uint64_t bits = random_bits(values.seed, index);
  if (is_float(type)) {
    const double low = value_of(type, values.low);
    const double high = value_of(type, values.high);
    return rounded(type, low + (high - low) * (static_cast<double>(bits >> kBitsBelowOne) * kUnit));
  }
  const __int128 low = integer_of(type, values.low);
  const auto count = static_cast<unsigned __int128>(integer_of(type, values.high) - low + 1);
  const auto chosen = static_cast<std::uint64_t>(count * bits >> 64U);
  return wrapped(type, static_cast<std::uint64_t>(low) + chosen);
}

void read_text(ElementType type, const std::string& content, ElementValues& values) {
  std::istringstream file(content);
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      const auto bits = bits_of(type, word);
      if (!bits) {
        throw UserError(fmt::format("{}:{}: expected {} ({}), got '{}'", values.file, number, expected_text(type),
                                    name_of(type), word));
      }
      values.list.push_back(*bits);
    }
  }
}

void read_bytes(ElementType type, const std::string& bytes, ElementValues& values) {
  const std::size_t size = bytes_of(type);
  if (bytes.size() % size != 0) {
    throw UserError(fmt::format("{}: its {} bytes are not a whole number of {} elements", values.file, bytes.size(),
                                name_of(type)));
  }
  values.list.reserve(bytes.size() / size);
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    values.list.push_back(load_element(type, reinterpret_cast<const std::byte*>(bytes.data() + at)));
  }
}

}  // namespace

void read_file(ElementType type, ElementValues& values) {
  if (values.kind != ElementValues::Kind::kFile) {
    return;
  }
  std::string content;
  std::string fault;
  if (!read_input(values.file, kInputLimitBytes, content, fault)) {
    throw UserError(fmt::format("{}: {} cannot be read: {}", values.origin.position(), values.file, fault));
  }
  if (content.empty()) {
    throw UserError(fmt::format("{}: {} is empty", values.origin.position(), values.file));
  }
  values.list.clear();
  if (values.file.ends_with(".txt")) {
    read_text(type, content, values);
  } else {
    read_bytes(type, content, values);
  }
}

std::uint64_t count_of(const ElementValues& values) {
  return values.list.size();
}

std::uint64_t element_of(ElementType type, const ElementValues& values, std::uint64_t index) {
  switch (values.kind) {
    case ElementValues::Kind::kZeros:
      return 0;
    case ElementValues::Kind::kValue:
      return values.start;
    case ElementValues::Kind::kIota:
      return progression(type, values, index);
    case ElementValues::Kind::kRandom:
      return random_element(type, values, index);
    case ElementValues::Kind::kList:
    case ElementValues::Kind::kFile:
      break;
  }
  return values.list[index];
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * kGolden;
  z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
  return z ^ z >> 31U;
}

}  // namespace warpsim
