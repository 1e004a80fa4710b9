// Machine instructions of 9.0, one word each, compared with the results of an H100 for the same registers, predicates
// and memory (tests/hardware/machine_instructions). known_gaps.txt has the words that are refused or differ.
#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/accelsim/byte_source.h"
#include "support/emulated_slots.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

const std::string kMachineWordFolder = std::string(WARPSIM_SOURCE_DIR) + "/tests/hardware/machine_instructions/";

std::istringstream unpacked_lines(const std::string& name) {
  const std::unique_ptr<ByteSource> source = open_byte_source(kMachineWordFolder + name);
  std::string text;
  std::vector<char> part(std::size_t{1} << 20U);
  while (const std::size_t bytes = source->read(part.data(), part.size())) {
    text.append(part.data(), bytes);
  }
  return std::istringstream(text);
}

struct Recorded {
  std::vector<SlotWord> words;
  std::vector<std::uint64_t> hashes;
  std::vector<std::string> texts;
  std::vector<std::size_t> numbers;
};

Recorded recorded_words() {
  std::vector<SlotWord> all;
  std::vector<std::string> texts;
  std::istringstream lines = unpacked_lines("words.txt.xz");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    SlotWord& word = all.emplace_back();
    std::string how;
    fields >> std::hex >> word.high >> word.low >> how;
    word.diverges = how == "d";
    std::getline(fields >> std::ws, texts.emplace_back());
  }
  Recorded recorded;
  std::istringstream results = unpacked_lines("results.txt.xz");
  std::size_t number = 0;
  std::uint64_t hash = 0;
  while (results >> std::dec >> number >> std::hex >> hash) {
    recorded.words.push_back(all.at(number));
    recorded.texts.push_back(texts.at(number));
    recorded.numbers.push_back(number);
    recorded.hashes.push_back(hash);
  }
  return recorded;
}

std::map<std::size_t, std::string> known_gaps() {
  std::map<std::size_t, std::string> gaps;
  std::ifstream file(kMachineWordFolder + "known_gaps.txt");
  std::size_t number = 0;
  std::string outcome;
  for (std::string rest; file >> number >> outcome && std::getline(file, rest);) {
    gaps[number] = outcome;
  }
  return gaps;
}

}  // namespace

TEST_CASE("machine instructions give the results of an H100 for the same registers and memory", "[machine_code]") {
  const Recorded recorded = recorded_words();
  REQUIRE(recorded.words.size() > 4500);
  const std::map<std::size_t, std::string> gaps = known_gaps();
  std::size_t equal = 0;
  execute_slots(recorded.words, [&](std::size_t i, std::span<const std::uint32_t> results, const std::string& refusal) {
    const auto gap = gaps.find(recorded.numbers[i]);
    const std::string expected = gap == gaps.end() ? "equal" : gap->second;
    const std::string outcome = results.empty()                                   ? "refused"
                                : slot_hash(results.data()) == recorded.hashes[i] ? "equal"
                                                                                  : "different";
    equal += outcome == "equal" ? 1 : 0;
    INFO(recorded.numbers[i] << " " << recorded.texts[i] << (recorded.words[i].diverges ? " (diverging) " : " ")
                             << refusal);
    CHECK(outcome == expected);
  });
  CHECK(equal + gaps.size() == recorded.words.size());
}
