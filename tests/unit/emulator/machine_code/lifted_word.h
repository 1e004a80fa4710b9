// Words of tests/data/sass/words.tsv, found by their architecture and text, and what they are translated to.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "emulator/machine_code/lifter.h"
#include "sass/decoder.h"

namespace warpsim::test {

inline sass::InstructionWord known_word(std::uint32_t architecture, const std::string& text) {
  static const auto words = [] {
    std::map<std::pair<std::uint32_t, std::string>, sass::InstructionWord> result;
    std::ifstream file(std::string(WARPSIM_SOURCE_DIR) + "/tests/data/sass/words.tsv");
    for (std::string line; std::getline(file, line);) {
      std::istringstream fields(line);
      std::uint32_t of = 0;
      sass::InstructionWord word;
      if (fields >> std::dec >> of >> std::hex >> word.high >> word.low) {
        std::getline(fields >> std::ws, line);
        result.emplace(std::pair(of, line), word);
      }
    }
    return result;
  }();
  const auto found = words.find({architecture, text});
  INFO("sm_" << architecture << " " << text);
  REQUIRE(found != words.end());
  return found->second;
}

// Constant bank 0 holds parameters from 0x160 on; from 0x210 on for 9.0.
inline Lifter lifter_for(std::uint32_t architecture) {
  return {architecture, architecture >= 90 ? 0x210U : 0x160U, "literals"};
}

inline std::string lifted(Lifter& lifter, const std::string& text, std::uint64_t address = 0) {
  const sass::Decoder decoder(lifter.architecture());
  return lifter.lift(decoder.decode(known_word(lifter.architecture(), text), address));
}

inline std::string lifted(std::uint32_t architecture, const std::string& text, std::uint64_t address = 0) {
  Lifter lifter = lifter_for(architecture);
  return lifted(lifter, text, address);
}

// The translation of a word given as numbers.
inline std::string lifted_word(std::uint32_t architecture, const sass::InstructionWord& word,
                               std::uint64_t address = 0) {
  return lifter_for(architecture).lift(sass::Decoder(architecture).decode(word, address));
}

}  // namespace warpsim::test
