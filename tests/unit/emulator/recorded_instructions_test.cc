// Every form of an instruction in tests/hardware/instructions/forms.txt compared with the results of an H200.
#include <catch2/catch.hpp>

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/accelsim/byte_source.h"
#include "support/emulated_forms.h"
#include "support/instruction_forms.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

const std::string kFolder = std::string(WARPSIM_SOURCE_DIR) + "/tests/hardware/instructions/";

std::string unpacked(const std::string& path) {
  const std::unique_ptr<ByteSource> source = open_byte_source(path);
  std::string text;
  std::vector<char> part(std::size_t{1} << 20U);
  while (const std::size_t bytes = source->read(part.data(), part.size())) {
    text.append(part.data(), bytes);
  }
  return text;
}

// The next form's results.
std::vector<std::uint64_t> recorded(std::istream& text, const std::string& form) {
  std::string line;
  std::getline(text, line);
  REQUIRE(line == form);
  std::getline(text, line);
  std::istringstream words(line);
  std::vector<std::uint64_t> values;
  words >> std::hex;
  for (std::uint64_t value = 0; words >> value;) {
    values.push_back(value);
  }
  return values;
}

std::string row_text(const std::vector<std::uint64_t>& row) {
  std::ostringstream text;
  text << std::hex;
  for (const std::uint64_t value : row) {
    text << " " << value;
  }
  return text.str();
}

// The rows that differ, as text of the first few.
std::string differences(const FormGroup& group, const std::vector<std::uint64_t>& results,
                        const std::vector<std::uint64_t>& expected) {
  constexpr std::size_t kShown = 5;
  std::ostringstream text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i] != expected[i] && ++count <= kShown) {
      text << "  of" << row_text(group.rows[i]) << " is" << row_text({results[i]}) << ", recorded"
           << row_text({expected[i]}) << "\n";
    }
  }
  return count == 0 ? "" : std::to_string(count) + " rows differ\n" + text.str();
}

}  // namespace

TEST_CASE("instructions give the results of an H200 for the same operands") {
  std::ifstream forms(kFolder + "forms.txt");
  std::istringstream results(unpacked(kFolder + "results.txt.xz"));
  const std::vector<FormGroup> groups = read_form_groups(forms);
  REQUIRE(groups.size() > 80);
  for (const FormGroup& group : groups) {
    const std::vector<std::vector<std::uint64_t>> emulated = execute_forms(group);
    std::size_t contradicting = 0;
    for (std::size_t i = 0; i < group.forms.size(); ++i) {
      const std::vector<std::uint64_t> expected = recorded(results, group.forms[i]);
      REQUIRE(expected.size() == group.rows.size());
      const std::string differing = differences(group, emulated[i], expected);
      INFO(group.name << ": " << group.forms[i] << "\n" << differing);
      const bool contradicts = group.contradicting.contains(group.forms[i]);
      contradicting += contradicts ? 1 : 0;
      CHECK(differing.empty() != contradicts);
    }
    CHECK(contradicting == group.contradicting.size());  // all belong to the group
  }
  CHECK(results.peek() == std::istringstream::traits_type::eof());
}
