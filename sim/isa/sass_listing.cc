#include "isa/sass_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/trim.h"
#include "isa/code_layout.h"
#include "isa/control_bits.h"
#include "isa/sass_decode.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kLargestPc = 1U << 28U;
constexpr std::uint32_t kWordBytes = 8;  // of an encoding or control word before sm_70

bool parse_hex(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc{} && end == text.data() + text.size();
}

// The instruction without the surrounding text. From sm_50 to sm_62 braces mark pairs that issue together, and some
// versions of cuobjdump print the second of a pair without ';'.
std::optional<std::string_view> instruction_text(std::string_view text) {
  const bool opened = text.starts_with('{');
  if (opened) {
    text = trim(text.substr(1));
  }
  const std::size_t semicolon = text.find(';');
  if (semicolon != std::string_view::npos) {
    return trim(text.substr(0, semicolon));
  }
  if (opened || !text.ends_with('}')) {
    return std::nullopt;
  }
  return trim(text.substr(0, text.size() - 1));
}

// Removes "/* ... */" from the front and returns its content.
bool take_comment(std::string_view& text, std::string_view& content) {
  if (!text.starts_with("/*")) {
    return false;
  }
  const std::size_t end = text.find("*/", 2);
  if (end == std::string_view::npos) {
    return false;
  }
  content = trim(text.substr(2, end - 2));
  text = trim(text.substr(end + 2));
  return true;
}

}  // namespace

SassListingParser::SassListingParser(std::string file, Filter wanted)
    : file_(std::move(file)), wanted_(std::move(wanted)) {}

void SassListingParser::fail(const std::string& message) const {
  throw TraceError(fmt::format("{}:{}: {}", file_, line_, message));
}

void SassListingParser::line(std::string_view text) {
  ++line_;
  text = trim(text);
  if (text.starts_with("/*")) {
    if (in_function_) {
      instruction_line(text);
    }
    return;
  }
  constexpr std::string_view kCode = "code for sm_";
  constexpr std::string_view kFunction = "Function : ";
  if (text.starts_with(kCode)) {
    end_function();
    text.remove_prefix(kCode.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), architecture_);
    if (error != std::errc{} || architecture_ > 1000) {
      fail("expected an architecture number after 'code for sm_'");
    }
  } else if (text.starts_with(kFunction)) {
    end_function();
    begin_function(text.substr(kFunction.size()));
  }
}

void SassListingParser::begin_function(std::string_view name) {
  if (architecture_ == 0) {
    fail("a function begins before 'code for sm_..'");
  }
  in_function_ = true;
  current_wanted_ = wanted_(name, architecture_);
  all_encoded_ = true;
  code_words_.clear();
  if (current_wanted_) {
    StaticProgram& program = programs_.emplace_back();
    program.function = name;
    program.architecture = architecture_;
    program.has_listing = true;
    program.instruction_bytes = code_layout_of(architecture_).instruction_bytes;
  }
}

void SassListingParser::end_function() {
  if (waits_for_upper_) {
    fail("the second half of the last instruction's encoding is missing; expected /* 0x<16 hex digits> */");
  }
  if (current_wanted_ && !programs_.back().instructions.empty()) {
    StaticProgram& program = programs_.back();
    program.has_control = has_upper_word() ? all_encoded_ : has_group_words() && !code_words_.empty();
    if (program.has_control && has_group_words()) {
      take_control_words(program);
    }
    for (StaticInstruction& instruction : program.instructions) {
      instruction.has_control = program.has_control;
    }
  }
  in_function_ = false;
  current_wanted_ = false;
}

// Encodings and control words are printed in the order of their addresses, but not always on the line of their
// instruction: the second of a pair may have it one line below, after or instead of the next control word.
void SassListingParser::take_control_words(StaticProgram& program) const {
  const std::size_t expected = program.instructions.back().pc / kWordBytes + 1;
  if (code_words_.size() != expected) {
    fail(
        fmt::format("{} has {} encodings up to offset {:#06x}; expected {}, a control word before every three "
                    "instructions, or no encodings at all",
                    program.function, code_words_.size(), program.instructions.back().pc, expected));
  }
  for (StaticInstruction& instruction : program.instructions) {
    if (!is_maxwell_instruction_offset(instruction.pc)) {
      fail(fmt::format("{} has an instruction at offset {:#06x}; expected a control word there", program.function,
                       instruction.pc));
    }
    const std::uint8_t extra = instruction.control.wait_mask;  // set by DEPBAR's operand
    instruction.control =
        decode_maxwell_control(code_words_[maxwell_control_word(instruction.pc)], maxwell_control_slot(instruction.pc));
    instruction.control.wait_mask |= extra;
  }
}

std::vector<StaticProgram> SassListingParser::finish() {
  ++line_;
  end_function();
  return std::move(programs_);
}

// "/*0010*/ text ; /* 0x... */", or the continuation or control word "/* 0x... */".
void SassListingParser::instruction_line(std::string_view text) {
  if (!current_wanted_) {
    return;
  }
  std::string_view content;
  if (!take_comment(text, content)) {
    fail("a comment does not end; expected '*/'");
  }
  std::uint64_t number = 0;
  if (content.starts_with("0x")) {
    if (!parse_hex(content.substr(2), number)) {
      fail(fmt::format("'{}' is not an encoding; expected 0x and 16 hexadecimal digits", content));
    }
    encoding_line(number);
    return;
  }
  if (!parse_hex(content, number) || number > kLargestPc) {
    fail(fmt::format("'{}' is not an instruction's offset; expected hexadecimal digits", content));
  }
  if (waits_for_upper_) {
    fail("the second half of the previous instruction's encoding is missing");
  }
  const std::size_t end = text.find("/*");
  std::string_view body = trim(text.substr(0, end));
  std::string_view encoding = end == std::string_view::npos ? std::string_view{} : text.substr(end);
  std::uint64_t word = 0;
  bool has_encoding = false;
  if (!encoding.empty()) {
    has_encoding = take_comment(encoding, content) && content.starts_with("0x") && parse_hex(content.substr(2), word);
    if (!has_encoding) {
      fail("malformed encoding; expected /* 0x<16 hex digits> */");
    }
    if (has_group_words()) {
      code_words_.push_back(word);
    }
  }
  add_instruction(static_cast<std::uint32_t>(number), body, has_encoding);
}

void SassListingParser::add_instruction(std::uint32_t pc, std::string_view text, bool has_encoding) {
  const std::optional<std::string_view> instruction_part = instruction_text(text);
  if (!instruction_part) {
    fail("expected ';' at the end of the instruction");
  }
  text = *instruction_part;
  // Its text is stored as it is, in messages that are UTF-8.
  if (std::any_of(text.begin(), text.end(), [](char letter) { return static_cast<unsigned char>(letter) >= 0x80; })) {
    fail("a character outside ASCII in an instruction; expected SASS");
  }
  if (pc % 8 != 0) {
    fail(fmt::format("offset {:#06x} is not a multiple of 8; expected the offset of an instruction", pc));
  }
  StaticProgram& program = programs_.back();
  if (!program.instructions.empty() && pc <= program.instructions.back().pc) {
    fail(fmt::format("offset {:#06x} does not follow {:#06x}; expected increasing offsets", pc,
                     program.instructions.back().pc));
  }
  StaticInstruction& instruction = program.instructions.emplace_back();
  instruction.pc = pc;
  all_encoded_ = all_encoded_ && has_encoding;
  try {
    decode_sass(text, architecture_, program.opcodes, instruction);
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
  program.text.emplace_back(text);
  waits_for_upper_ = has_upper_word() && has_encoding;
}

void SassListingParser::encoding_line(std::uint64_t word) {
  if (has_upper_word()) {
    if (!waits_for_upper_) {
      fail("an encoding without its instruction");
    }
    ControlBits& control = programs_.back().instructions.back().control;
    const std::uint8_t extra = control.wait_mask;  // set by DEPBAR's operand
    control = decode_volta_control(word);
    control.wait_mask |= extra;
    waits_for_upper_ = false;
    return;
  }
  if (has_group_words()) {
    code_words_.push_back(word);
  }
}

}  // namespace warpsim
