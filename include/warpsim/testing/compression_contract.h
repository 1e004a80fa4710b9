// The test kit of compressions: finds violations of compression.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "compresses lines that ...");
//     for (const std::string& sentence : check_compression(entry)) { ... }
//
// Checked, for neighbouring lines, lines at both ends of the address space and drawn ones: sizes are one to four
// sectors, and the time of decompression is at most 10,000 cycles; both are the same for each call and in two objects.
// Not required: any quality of the choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpsim/compression.h"
#include "warpsim/testing/contract_parts.h"
#include "warpsim/testing/lookup_streams.h"

namespace warpsim::mechanism::testing {

class CompressionContract {
 public:
  explicit CompressionContract(Factory<Compression>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<CompressionSite> sites{{}};
    check_at_sites(
        factory_, sites, violations_, [](const CompressionSite& /*site*/) { return std::string("a slice of L2"); },
        [&](const CompressionSite& site) { check_answers(site); },
        [&](const Compression& compression, const CompressionSite& /*site*/, const std::string& where) {
          answers_of(compression, 1, where);
        });
    return violations_.sentences();
  }

 private:
  using Answers = std::vector<std::uint32_t>;

  Answers answers_of(const Compression& compression, std::uint64_t seed, const std::string& where) {
    Answers answers{compression.decompression_cycles()};
    if (answers.front() > 10000) {
      violations_.add(where + ": decompression_cycles() answers with more than 10,000");
    }
    for (const LineLookup& lookup : lookups_of_all_kinds(CacheLevel::kL2, seed)) {
      answers.push_back(compression.sectors(lookup.line));
      if (answers.back() == 0 || answers.back() > kSectorsPerLine) {
        violations_.add(where + ": sectors() answers with a number that is not 1 to 4");
      }
      if (compression.sectors(lookup.line) != answers.back()) {
        violations_.add(where + ": sectors() answers differently when it is called again");
      }
    }
    if (compression.decompression_cycles() != answers.front()) {
      violations_.add(where + ": decompression_cycles() answers differently when it is called again");
    }
    return answers;
  }

  void check_answers(const CompressionSite& site) {
    const std::string where = "a slice of L2";
    check_two_objects(
        factory_, site, where, violations_,
        [&](const Compression& compression, std::uint64_t seed) { return answers_of(compression, seed, where); },
        [](Compression& /*first*/, Compression& /*other*/, const Answers& /*expected*/, bool /*alike*/) {});
  }

  Factory<Compression>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_compression(Factory<Compression>& factory) {
  return CompressionContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_compression(const Entry<Compression>& entry) {
  return check_entry(entry, [](Factory<Compression>& factory) { return check_compression(factory); });
}

}  // namespace warpsim::mechanism::testing
