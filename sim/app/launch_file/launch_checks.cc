#include "app/launch_file/launch_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"

namespace warpsim {

namespace {

// The elements that differ from the expected values.
struct Mismatches {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // index of the first one, if any
  std::uint64_t got = 0;    // bits
  std::uint64_t expected = 0;
};

struct Compared {
  const std::byte* elements = nullptr;
  std::uint64_t room = 0;  // elements
};

Compared find_elements(const LaunchFile& file, const LaunchMemory& memory, const LaunchExpectation& expectation) {
  const std::uint32_t bytes = bytes_of(expectation.type);
  if (expectation.is_variable) {
    const cuda::VariableInfo place = memory.variable(expectation.name, expectation.origin);
    return {memory.host(place.address, 0), place.bytes / bytes};
  }
  const LaunchBuffer& buffer = *file.find_buffer(expectation.name);
  return {memory.buffer(buffer.name), buffer.elements * bytes_of(buffer.type) / bytes};
}

template <class Expected>
Mismatches compare(const LaunchExpectation& expectation, const std::byte* elements, std::uint64_t count,
                   const Expected& expected_at) {
  const std::uint32_t bytes = bytes_of(expectation.type);
  Mismatches found;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t index = expectation.first + i;
    const std::uint64_t got = load_element(expectation.type, elements + index * bytes);
    const std::uint64_t expected = expected_at(i);
    if (is_close(expectation.type, got, expected, expectation.tolerance)) {
      continue;
    }
    if (found.count++ == 0) {
      found = {1, index, got, expected};
    }
  }
  return found;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 80;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string line_at(const std::vector<std::string>& lines, std::size_t number) {
  return number < lines.size() ? "'" + shortened(lines[number]) + "'" : "nothing";
}

}  // namespace

void check_values(const LaunchFile& file, const LaunchMemory& memory, CheckReport& report) {
  for (const LaunchExpectation& expectation : file.expectations) {
    const Compared compared = find_elements(file, memory, expectation);
    const std::uint64_t rest = compared.room - std::min(compared.room, expectation.first);
    std::uint64_t count = expectation.elements.value_or(rest);
    const LaunchBuffer* const other = expectation.equals.empty() ? nullptr : file.find_buffer(expectation.equals);
    const std::uint64_t there = other == nullptr ? count : other->elements;
    count = expectation.elements ? count : std::min(count, there);
    if (count == 0 || count > rest || count > there) {
      throw UserError(fmt::format("{}: '{}' has {} elements of type {}, too few after element {}",
                                  expectation.origin.position(), expectation.name, compared.room,
                                  name_of(expectation.type), expectation.first));
    }
    const Mismatches found =
        other == nullptr ? compare(expectation, compared.elements, count,
                                   [&](std::uint64_t i) { return element_of(expectation.type, expectation.values, i); })
                         : compare(expectation, compared.elements, count, [&](std::uint64_t i) {
                             return load_element(other->type, memory.buffer(other->name) + i * bytes_of(other->type));
                           });
    if (found.count == 0) {
      report.fulfilled.push_back(fmt::format("{}: {} elements as expected", expectation.name, count));
      continue;
    }
    report.broken.push_back(fmt::format("{}: '{}' differs in {} of {} elements; the first is [{}]: got {}, expected {}",
                                        expectation.origin.position(), expectation.name, found.count, count,
                                        found.first, text_of(expectation.type, found.got),
                                        text_of(expectation.type, found.expected)));
  }
}

void check_printed(const LaunchFile& file, const std::string& printed, CheckReport& report) {
  if (!file.printed) {
    return;
  }
  std::vector<std::string> got = lines_of(printed);
  std::vector<std::string> expected = lines_of(*file.printed);
  if (file.printed_in_any_order) {
    std::ranges::sort(got);
    std::ranges::sort(expected);
  }
  if (got == expected) {
    report.fulfilled.push_back(fmt::format("printed: {} lines as expected", got.size()));
    return;
  }
  const auto [in_got, in_expected] = std::ranges::mismatch(got, expected);
  const auto number = static_cast<std::size_t>(in_got - got.begin());
  report.broken.push_back(
      fmt::format("{}: the printed output differs: {} lines, expected {}; the first different line{} is {}, "
                  "expected {}",
                  file.path, got.size(), expected.size(), file.printed_in_any_order ? " in alphabetical order" : "",
                  line_at(got, number), line_at(expected, number)));
}

}  // namespace warpsim
