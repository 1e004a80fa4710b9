// Finds the static instruction of a trace line: by PC and by the text of registers, opcode and width, which is the same
// in all executions of an instruction. Comparing that text once replaces parsing it again.
//
// Invariant: an entry with a signature has been checked against the static program.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "isa/static_instruction.h"

namespace warpsim {

class PcIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Entry {
    std::string signature;          // text from the number of destinations to the access width; empty: not yet seen
    std::uint32_t instruction = 0;  // into the program
    std::uint32_t next = kNone;     // another entry of the same PC
    bool has_addresses = false;     // the recorded access width is not 0
    bool keeps_addresses = false;   // the core will need them
  };

  // Adds an entry without signature for each instruction of `program`.
  void add_program(const StaticProgram& program);
  std::uint32_t add(std::uint32_t pc, Entry entry);

  // First entry of a PC.
  std::uint32_t first(std::uint32_t pc) const {
    const std::uint32_t slot = pc / kGranularity;
    return slot < heads_.size() && pc % kGranularity == 0 ? heads_[slot] : kNone;
  }
  Entry& entry(std::uint32_t index) { return entries_[index]; }
  const Entry& entry(std::uint32_t index) const { return entries_[index]; }
  std::size_t size() const { return entries_.size(); }

  // The entry of `pc` whose signature begins the text at `rest`; kNone if there is none yet.
  std::uint32_t find(std::uint32_t pc, const char* rest) const {
    for (std::uint32_t index = first(pc); index != kNone; index = entries_[index].next) {
      const std::string& signature = entries_[index].signature;
      // Lines end in a newline, which no signature contains: the comparison stops there.
      if (!signature.empty() && std::strncmp(rest, signature.data(), signature.size()) == 0 &&
          rest[signature.size()] <= ' ') {
        return index;
      }
    }
    return kNone;
  }

 private:
  static constexpr std::uint32_t kGranularity = 8;

  std::vector<std::uint32_t> heads_;  // by PC / kGranularity
  std::vector<Entry> entries_;
};

}  // namespace warpsim
