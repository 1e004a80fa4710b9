// Reads the text that `cuobjdump -sass` and `nvdisasm -hex` print: the static program of each function.
//
// Modelled: several architectures and functions per file, instructions with their encodings, control bits of sm_50 and
// later. Lines that are not instructions (headers, labels, section dumps) are skipped. Without encodings, and before
// sm_50, the program has no control bits: the control words of sm_30 to sm_37 are skipped, because they only time the
// issue and leave the dependences to the hardware's scoreboard.
// The parser processes line by line, so that a listing of any size can be searched in little memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/static_instruction.h"

namespace warpsim {

class SassListingParser {
 public:
  // Returns whether a function (mangled name, architecture) is requested; the instructions of others are skipped.
  using Filter = std::function<bool(std::string_view function, std::uint32_t architecture)>;

  // `file` is for messages.
  SassListingParser(std::string file, Filter wanted);

  // The next line, without its newline. Throws TraceError `<file>:<line>: ...` on a malformed instruction.
  void line(std::string_view text);
  // True once a requested function has been read to its end.
  bool found() const { return !programs_.empty() && !current_wanted_; }
  // All requested functions, after the last line.
  std::vector<StaticProgram> finish();

 private:
  [[noreturn]] void fail(const std::string& message) const;
  void begin_function(std::string_view name);
  void end_function();
  void instruction_line(std::string_view text);
  void encoding_line(std::uint64_t word);
  void add_instruction(std::uint32_t pc, std::string_view text, bool has_encoding);
  void take_control_words(StaticProgram& program) const;
  bool has_upper_word() const { return architecture_ >= 70; }
  bool has_group_words() const { return architecture_ >= 50 && architecture_ < 70; }

  std::string file_;
  Filter wanted_;
  std::uint64_t line_ = 0;
  std::uint32_t architecture_ = 0;
  bool in_function_ = false;
  bool current_wanted_ = false;
  bool waits_for_upper_ = false;  // the second half of a 128-bit encoding must follow
  bool all_encoded_ = true;
  std::vector<std::uint64_t> code_words_;  // sm_50 to sm_62: encodings and control words in the order of addresses
  std::vector<StaticProgram> programs_;
};

}  // namespace warpsim
