// Forms of PTX instructions with operands for each, read from tests/hardware/instructions/forms.txt, and the PTX that
// executes them: one kernel per form, one thread per row of operands. The recorder on hardware and the test of the
// emulator share this file, so that both execute the same text on the same values. Uses only the standard library.
#pragma once

#include <cstdint>
#include <istream>
#include <set>
#include <string>
#include <vector>

namespace warpsim::test {

struct FormGroup {
  std::string name;
  std::vector<std::string> types;                // of the result d, then of the operands a, b, c, e
  std::vector<std::vector<std::uint64_t>> rows;  // operands as bits; whole warps: the first rows again at the end
  std::vector<std::string> forms;                // PTX, every alternative written out
  // Those of them whose results on hardware contradict PTX; the emulator follows PTX.
  std::set<std::string> contradicting;
};

// Throws std::runtime_error with the invalid line.
std::vector<FormGroup> read_form_groups(std::istream& text);

// Kernels f0, f1, ... of the group's forms, for blocks of 32 threads. Parameters: addresses of the operands (32 bytes
// per row), of the results (8 bytes per row) and of 16 bytes per row for the thread itself.
std::string module_text(const FormGroup& group);

inline constexpr std::uint64_t kOperandBytes = 32;
inline constexpr std::uint64_t kResultBytes = 8;
inline constexpr std::uint64_t kOwnBytes = 16;

// The operands in their memory format: four words of 64 bits per row.
std::vector<std::uint64_t> operand_words(const FormGroup& group);

}  // namespace warpsim::test
