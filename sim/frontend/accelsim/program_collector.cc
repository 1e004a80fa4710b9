#include "frontend/accelsim/program_collector.h"

#include <algorithm>
#include <utility>

#include "frontend/accelsim/pc_index.h"
#include "frontend/accelsim/thread_block_scanner.h"
#include "frontend/accelsim/trace_program.h"
#include "isa/code_layout.h"

namespace warpsim {
namespace {

constexpr std::size_t kMaxInstructions = 4U << 20U;

class Collector {
 public:
  Collector(const InputStream& input, const AccelsimHeader& header)
      : input_(input), format_(line_format(header)), architecture_(header.architecture) {}

  void begin_warp(std::uint32_t /*warp*/) {}

  void instruction(std::string_view text) {
    TraceLine line(input_.place(), text);
    const InstructionPrefix prefix = scan_prefix(line, format_);
    if (!line.at_end() && index_.find(prefix.pc, line.position()) == PcIndex::kNone) {
      add(line, prefix);
    }
  }

  StaticProgram finish(const AccelsimHeader& header) {
    StaticProgram program;
    program.function = header.launch.kernel;
    program.architecture = architecture_;
    program.instruction_bytes = code_layout_of(architecture_).instruction_bytes;
    std::ranges::stable_sort(instructions_, {}, &StaticInstruction::pc);
    program.instructions = std::move(instructions_);
    program.opcodes = std::move(opcodes_);
    return program;
  }

 private:
  void add(TraceLine& line, const InstructionPrefix& prefix) {
    const char* start = line.position();
    const InstructionBody body = scan_body(line);
    const char* end = line.position();
    if (prefix.pc % 8 != 0) {
      line.fail("the PC is not a multiple of 8; expected an instruction's offset");
    }
    if (instructions_.size() >= kMaxInstructions) {
      line.fail("the kernel has more than 4 million instructions; expected a real program");
    }
    std::int64_t immediate = -1;
    if (format_.has_immediate && body.access_bytes == 0) {
      immediate = line.signed_decimal("immediate");
    }
    PcIndex::Entry entry;
    entry.signature.assign(start, static_cast<std::size_t>(end - start));
    if (!knows(prefix.pc, body.opcode)) {
      instructions_.push_back(instruction_from_trace(prefix.pc, body, immediate, architecture_, opcodes_));
      entry.instruction = static_cast<std::uint32_t>(instructions_.size() - 1);
    }
    index_.add(prefix.pc, std::move(entry));
  }
  // The same opcode at the same PC is the same instruction, independent of the spelling of its registers or modifiers.
  bool knows(std::uint32_t pc, std::string_view opcode) const {
    for (std::uint32_t i = index_.first(pc); i != PcIndex::kNone; i = index_.entry(i).next) {
      const StaticInstruction& other = instructions_[index_.entry(i).instruction];
      if (other.pc == pc && base_of(opcodes_[other.opcode]) == base_of(opcode)) {
        return true;
      }
    }
    return false;
  }
  static std::string_view base_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

  const InputStream& input_;
  LineFormat format_;
  std::uint32_t architecture_;
  PcIndex index_;
  std::vector<StaticInstruction> instructions_;
  std::vector<std::string> opcodes_;
};

}  // namespace

LineFormat line_format(const AccelsimHeader& header) {
  LineFormat format;
  format.has_block = header.version <= 2;
  format.has_source_line = header.has_source_lines;
  format.has_immediate = header.version >= 5;
  return format;
}

std::shared_ptr<const StaticProgram> collect_program(const std::string& path) {
  InputStream input(path);
  const AccelsimHeader header = read_accelsim_header(input);
  ThreadBlockScanner scanner(input, header);
  Collector collector(input, header);
  while (scanner.next_block()) {
    scanner.read_warps(collector);
  }
  return std::make_shared<const StaticProgram>(collector.finish(header));
}

}  // namespace warpsim
