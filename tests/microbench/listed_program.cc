#include "microbench/listed_program.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "isa/sass_decode.h"

namespace warpsim::microbench {
namespace {

constexpr std::uint32_t kArchitecture = 90;

class Parser {
 public:
  explicit Parser(std::string path) : path_(std::move(path)) {}

  void line(std::string_view text) {
    ++line_;
    if (text.empty() || text.starts_with('#')) {
      return;
    }
    if (text.starts_with("kernel ")) {
      end_kernel();
      name_ = text.substr(7);
      program_ = std::make_shared<StaticProgram>();
      program_->function = name_;
      program_->architecture = kArchitecture;
      program_->has_listing = true;
      program_->has_control = true;
    } else if (program_ == nullptr) {
      fail("expected 'kernel NAME'");
    } else if (text.starts_with("repeat ")) {
      repeat_begin_ = program_->instructions.size();
      repeats_ = number(text.substr(7), 10);
    } else if (text == "end") {
      repeat();
    } else {
      instruction(text);
    }
  }

  Programs finish() {
    end_kernel();
    return std::move(programs_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw UserError(fmt::format("{}:{}: {}", path_, line_, message));
  }

  std::uint32_t number(std::string_view text, int base) const {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) {
      fail(fmt::format("'{}' is not a number", text));
    }
    return value;
  }

  void end_kernel() {
    if (repeats_ != 0) {
      fail("expected 'end' before the kernel is over");
    }
    if (program_ != nullptr && !programs_.emplace(name_, std::move(program_)).second) {
      fail("a second kernel " + name_);
    }
    program_ = nullptr;
  }

  void repeat() {
    if (repeats_ == 0) {
      fail("'end' without 'repeat'");
    }
    const std::size_t end = program_->instructions.size();
    for (; repeats_ > 1; --repeats_) {
      for (std::size_t i = repeat_begin_; i < end; ++i) {
        const StaticInstruction copy = program_->instructions[i];
        add(copy, std::string(program_->text[i]));
      }
    }
    repeats_ = 0;
  }

  void add(StaticInstruction instruction, std::string text) {
    instruction.pc = static_cast<std::uint32_t>(program_->instructions.size()) * program_->instruction_bytes;
    program_->instructions.push_back(instruction);
    program_->text.push_back(std::move(text));
  }

  // "0:-:5:Y:4:0 LDG.E R0, desc[UR4][R6.64]"
  void instruction(std::string_view text) {
    const std::size_t blank = text.find(' ');
    std::string_view fields = text.substr(0, blank);
    if (blank == std::string_view::npos) {
      fail("expected control bits, a blank and an instruction");
    }
    const std::string_view sass = text.substr(blank + 1);
    StaticInstruction decoded;
    try {
      decode_sass(sass, kArchitecture, program_->opcodes, decoded);
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
    const std::uint8_t extra = decoded.control.wait_mask;  // set by DEPBAR's operand
    decoded.control = control(fields);
    decoded.control.wait_mask |= extra;
    decoded.has_control = true;
    add(decoded, std::string(sass));
  }

  ControlBits control(std::string_view fields) const {
    std::array<std::string_view, 6> field;
    for (std::size_t i = 0; i < field.size(); ++i) {
      const std::size_t colon = fields.find(':');
      field[i] = fields.substr(0, colon);
      if (field[i].empty() || (colon == std::string_view::npos) != (i + 1 == field.size())) {
        fail("expected control bits waits:read:write:yield:stall:reuse");
      }
      fields.remove_prefix(colon == std::string_view::npos ? fields.size() : colon + 1);
    }
    ControlBits bits;
    for (std::size_t i = 0; field[0] != "-" && i < field[0].size(); ++i) {
      bits.wait_mask = static_cast<std::uint8_t>(bits.wait_mask | 1U << number(field[0].substr(i, 1), 8));
    }
    bits.read_barrier = field[1] == "-" ? kNoBarrier : static_cast<std::uint8_t>(number(field[1], 8));
    bits.write_barrier = field[2] == "-" ? kNoBarrier : static_cast<std::uint8_t>(number(field[2], 8));
    bits.yield = field[3] == "Y";
    bits.stall_cycles = static_cast<std::uint8_t>(number(field[4], 16));
    bits.reuse_mask = static_cast<std::uint8_t>(number(field[5], 16));
    return bits;
  }

  std::string path_;
  std::size_t line_ = 0;
  std::string name_;
  std::shared_ptr<StaticProgram> program_;
  std::size_t repeat_begin_ = 0;
  std::uint32_t repeats_ = 0;  // 0: not within one
  Programs programs_;
};

}  // namespace

Programs parse_programs(const std::string& text, const std::string& path) {
  Parser parser(path);
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    parser.line(line);
  }
  return parser.finish();
}

Programs load_programs(const std::string& bench) {
  const std::string path = std::string(WARPSIM_SOURCE_DIR "/tests/microbench/code/") + bench + ".sass";
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) {
    throw UserError(path + ": cannot be read");
  }
  return parse_programs(text.str(), path);
}

std::shared_ptr<const StaticProgram> find_program(const Programs& programs, const std::string& name) {
  const auto found = programs.find(name);
  if (found == programs.end()) {
    throw UserError("there is no code of a kernel " + name);
  }
  return found->second;
}

}  // namespace warpsim::microbench
