// Words of machine code for 9.0 in tests/hardware/machine_instructions/results.txt.xz compared with what an H100 did.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/accelsim/byte_source.h"
#include "sass/decoder.h"
#include "sass/printer.h"
#include "support/emulated_slots.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

struct RecordedWord {
  SlotWord word;
  std::uint64_t hash = 0;
};

std::vector<RecordedWord> recorded_words() {
  const auto source =
      open_byte_source(std::string(WARPSIM_SOURCE_DIR) + "/tests/hardware/machine_instructions/results.txt.xz");
  std::string text;
  std::vector<char> part(std::size_t{1} << 20U);
  while (const std::size_t bytes = source->read(part.data(), part.size())) {
    text.append(part.data(), bytes);
  }
  std::istringstream lines(text);
  std::vector<RecordedWord> words;
  RecordedWord next;
  lines >> std::hex;
  for (std::string how; lines >> next.word.high >> next.word.low >> how >> next.hash;) {
    next.word.diverges = how == "d";
    words.push_back(next);
  }
  return words;
}

}  // namespace

// Words that are known to differ, or to be refused, by their bits: a gap that is closed leaves the file.
std::set<std::string> known_gaps() {
  std::set<std::string> gaps;
  std::ifstream file(std::string(WARPSIM_SOURCE_DIR) + "/tests/hardware/machine_instructions/known_gaps.txt");
  for (std::string line; std::getline(file, line);) {
    gaps.insert(line.substr(0, line.find(':')));
  }
  return gaps;
}

TEST_CASE("machine code: words have the results of an H100", "[machine_code][slow]") {
  const std::vector<RecordedWord> recorded = recorded_words();
  REQUIRE(recorded.size() > 4000);
  std::vector<SlotWord> words;
  for (const RecordedWord& each : recorded) {
    words.push_back(each.word);
  }
  const sass::Decoder decoder(90);
  const std::set<std::string> gaps = known_gaps();
  std::size_t equal = 0;
  execute_slots(words, [&](std::size_t i, std::span<const std::uint32_t> results, const std::string& why) {
    const bool refused = results.empty();
    const bool same = !refused && slot_hash(results.data()) == recorded[i].hash;
    const std::string name = fmt::format("{:x} {:x} {} {}", words[i].high, words[i].low, words[i].diverges ? "d" : "-",
                                         refused ? "refused" : "different");
    equal += same ? 1 : 0;
    INFO(name << ": " << sass::instruction_text(decoder.decode({words[i].low, words[i].high}, 0)) << " " << why);
    CHECK(same != gaps.contains(name));
  });
  CHECK(equal + gaps.size() == recorded.size());
}
