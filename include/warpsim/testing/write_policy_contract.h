// The test kit of write policies: finds violations of write_policy.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "keeps written data if ...");
//     for (const std::string& sentence : check_write_policy(entry)) { ... }
//
// Checked in L1 and in L2, with a cache of 61 lines that are replaced in order, and reads and writes of all kinds:
// answers are ways of the interface that the cache has; equal calls have equal answers in two objects. Not required:
// any quality of the choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "warpsim/testing/contract_parts.h"
#include "warpsim/testing/lookup_streams.h"
#include "warpsim/write_policy.h"

namespace warpsim::mechanism::testing {

class WritePolicyContract {
 public:
  explicit WritePolicyContract(Factory<WritePolicy>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<WritePolicySite> sites{{CacheLevel::kL1}, {CacheLevel::kL2}};
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const WritePolicySite& site) { check_answers(site); },
        [&](WritePolicy& policy, const WritePolicySite& site, const std::string& where) {
          answers_of(policy, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  static constexpr std::size_t kLines = 61;
  using Answers = std::vector<std::uint32_t>;

  // A line of the cache, and what the mechanism hears of it when it leaves.
  struct Line {
    WrittenLine use;
    SectorMask present = 0;
    SectorMask dirty = 0;
  };

  static std::string text_of_site(const WritePolicySite& site) { return site.cache == CacheLevel::kL1 ? "L1" : "L2"; }

  static Line* line_of(std::deque<Line>& lines, Address address) {
    for (Line& line : lines) {
      if (line.use.line == address) {
        return &line;
      }
    }
    return nullptr;
  }
  // A line enters and takes the place of the oldest one.
  static Line& enter(std::deque<Line>& lines, Address address, WritePolicy& policy) {
    if (lines.size() == kLines) {
      if (lines.front().use.written != 0) {
        policy.leaves(lines.front().use);
      }
      lines.pop_front();
    }
    lines.push_back({});
    lines.back().use.line = address;
    return lines.back();
  }
  static SectorMask both(std::uint32_t some, std::uint32_t others) { return static_cast<SectorMask>(some | others); }

  static void read(std::deque<Line>& lines, const LineLookup& lookup, WritePolicy& policy) {
    Line* found = line_of(lines, lookup.line);
    Line& line = found != nullptr ? *found : enter(lines, lookup.line, policy);
    line.use.read = both(line.use.read, line.use.written & lookup.sectors);
    line.present = both(line.present, lookup.sectors);
  }

  void write(std::deque<Line>& lines, const LineLookup& lookup, WritePolicy& policy, Answers& answers, CacheLevel cache,
             const std::string& where) {
    Line* line = line_of(lines, lookup.line);
    const bool present = line != nullptr;
    std::uint32_t memo = present ? line->use.memo : 0;
    // Every second sector is written completely.
    const auto complete = static_cast<SectorMask>(lookup.sectors & 0x5);
    const WriteWay way =
        policy.write({lookup.line, lookup.sectors, complete, present, present ? line->present : SectorMask{},
                      present ? line->dirty : SectorMask{}, lookup.pc, lookup.warp},
                     memo);
    answers.push_back(static_cast<std::uint32_t>(way));
    if (static_cast<std::uint32_t>(way) > static_cast<std::uint32_t>(WriteWay::kInvalidate)) {
      violations_.add(where + ": write() answers with a number that is no way to write");
      return;
    }
    if (way == WriteWay::kBack && cache == CacheLevel::kL1) {
      violations_.add(where + ": write() answers with kBack, which only L2 has");
    }
    if (way == WriteWay::kInvalidate) {
      if (present) {
        line->present = static_cast<SectorMask>(line->present & ~lookup.sectors);
        line->dirty = static_cast<SectorMask>(line->dirty & ~lookup.sectors);
      }
      return;
    }
    if (!present && way == WriteWay::kAround) {
      return;
    }
    line = present ? line : &enter(lines, lookup.line, policy);
    line->use.memo = memo;
    line->use.rewritten = both(line->use.rewritten, line->use.written & lookup.sectors);
    line->use.written = both(line->use.written, lookup.sectors);
    line->present = both(line->present, complete);
    line->dirty = way == WriteWay::kBack ? both(line->dirty, lookup.sectors)
                                         : static_cast<SectorMask>(line->dirty & ~lookup.sectors);
  }

  Answers answers_of(WritePolicy& policy, const WritePolicySite& site, std::uint64_t seed, const std::string& where) {
    Answers answers;
    std::deque<Line> lines;
    for (const LineLookup& lookup : lookups_of_all_kinds(site.cache, seed)) {
      if (lookup.hit) {
        read(lines, lookup, policy);
      } else {
        write(lines, lookup, policy, answers, site.cache, where);
      }
    }
    return answers;
  }

  void check_answers(const WritePolicySite& site) {
    const std::string where = text_of_site(site);
    check_two_objects(
        factory_, site, where, violations_,
        [&](WritePolicy& policy, std::uint64_t seed) { return answers_of(policy, site, seed, where); },
        [](WritePolicy& /*first*/, WritePolicy& /*other*/, const Answers& /*expected*/, bool /*alike*/) {});
  }

  Factory<WritePolicy>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_write_policy(Factory<WritePolicy>& factory) {
  return WritePolicyContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_write_policy(const Entry<WritePolicy>& entry) {
  return check_entry(entry, [](Factory<WritePolicy>& factory) { return check_write_policy(factory); });
}

}  // namespace warpsim::mechanism::testing
