#include "sass/cubin_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "sass/decoder.h"
#include "sass/printer.h"

namespace warpsim::sass {

namespace {

constexpr std::string_view kCodePrefix = ".text.";
constexpr std::size_t kMnemonicColumn = 35;
constexpr std::size_t kSpaceBeforeWords = 2;

struct ListedSection {
  std::string_view name;
  std::vector<MachineInstruction> instructions;
  std::vector<std::string> lines;
};

bool is_padding(const MachineInstruction& instruction) {
  return instruction.mnemonic == "NOP" && instruction.guard == 7 && !instruction.guard_negated;
}

bool branches_to_itself(const MachineInstruction& instruction) {
  if (instruction.mnemonic != "BRA" || instruction.guard != 7 || instruction.guard_negated) {
    return false;
  }
  return std::any_of(instruction.operands.begin(), instruction.operands.end(), [&](const MachineOperand& operand) {
    return operand.kind == MachineOperand::Kind::kTarget &&
           static_cast<std::uint64_t>(operand.value) == instruction.address;
  });
}

// Where the end of a function begins that never executes: a branch to itself and NOP. cuobjdump prints no space before
// their semicolons.
std::size_t end_of_code(const std::vector<MachineInstruction>& instructions) {
  std::size_t end = instructions.size();
  while (end > 0 && is_padding(instructions[end - 1])) {
    --end;
  }
  return end > 0 && branches_to_itself(instructions[end - 1]) ? end - 1 : end;
}

// Mnemonics are in one column, with guards before it.
std::string line_of(const MachineInstruction& instruction, bool executes) {
  const std::string text = instruction_text(instruction);
  const std::size_t guard = text.starts_with('@') ? text.find(' ') + 1 : 0;
  std::string line = fmt::format("        /*{:04x}*/", instruction.address);
  const std::size_t used = line.size() + guard;
  line.append(used < kMnemonicColumn ? kMnemonicColumn - used : 1, ' ');
  return line + text + (executes ? " ;" : ";");
}

ListedSection list_section(const Cubin& cubin, const CubinSection& section, const Decoder& decoder) {
  ListedSection listed;
  listed.name = std::string_view(section.name).substr(kCodePrefix.size());
  for (std::uint64_t at = 0; at < section.content.size(); at += kInstructionBytes) {
    try {
      listed.instructions.push_back(decoder.decode(word_at(section.content, at), at));
    } catch (const UnknownInstruction& error) {
      throw UnknownInstruction(fmt::format("{}: function {}: {}", cubin.name(), listed.name, error.what()));
    }
  }
  const std::size_t end = end_of_code(listed.instructions);
  for (std::size_t i = 0; i < listed.instructions.size(); ++i) {
    listed.lines.push_back(line_of(listed.instructions[i], i < end));
  }
  return listed;
}

// Of each section that is printed: whether one of its functions is requested.
std::vector<bool> wanted_sections(const Cubin& cubin, const ListingOptions& options) {
  std::vector<bool> wanted(cubin.sections().size(), !options.wanted);
  if (options.wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::string_view name = cubin.sections()[i].name;
      wanted[i] = name.starts_with(kCodePrefix) && options.wanted(name.substr(kCodePrefix.size()));
    }
    for (const CubinFunction& function : cubin.functions()) {
      wanted[function.section] = wanted[function.section] || options.wanted(function.name);
    }
  }
  return wanted;
}

}  // namespace

std::size_t print_listing(const Cubin& cubin, const ListingOptions& options, std::ostream& out) {
  const Decoder decoder(cubin.architecture());
  const std::vector<bool> wanted = wanted_sections(cubin, options);
  std::vector<ListedSection> listed;
  std::size_t width = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] && cubin.sections()[i].kind == CubinSection::Kind::kCode) {
      listed.push_back(list_section(cubin, cubin.sections()[i], decoder));
      for (const std::string& line : listed.back().lines) {
        width = std::max(width, line.size());
      }
    }
  }
  if (listed.empty()) {
    return 0;
  }
  width += kSpaceBeforeWords;
  out << fmt::format("\n\tcode for sm_{0}\n\t.target\tsm_{0}\n\n", cubin.architecture());
  for (const ListedSection& section : listed) {
    out << "\t\tFunction : " << section.name << "\n";
    for (std::size_t i = 0; i < section.lines.size(); ++i) {
      const InstructionWord& word = section.instructions[i].word;
      if (options.words) {
        out << fmt::format("{1:<{0}}/* 0x{2:016x} */\n{3:<{0}}/* 0x{4:016x} */\n", width, section.lines[i], word.low,
                           "", word.high);
      } else {
        out << section.lines[i] << "\n";
      }
    }
    out << "\t\t..........\n\n\n";
  }
  return listed.size();
}

}  // namespace warpsim::sass
