// The throughput table of NVIDIA's programming guides, and the same table of the simulated GPUs: kernels of
// one operation each, run until the rate is steady.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/gpu_config.h"

namespace warpsim::generations {

// One GPU for each column, a compute capability.
struct Capability {
  std::string name;  // "2.0"
  std::string gpu;   // whose description is used
  std::uint32_t architecture = 0;
};
const std::vector<Capability>& capabilities();
// With one SM only: enough for a rate per SM. Front end and constants are perfect.
GpuConfig gpu_of(const Capability& capability, const std::vector<std::string>& overrides = {});

// The guides' statement on one operation on one capability, in operations per clock and SM.
struct Cell {
  enum class Kind : std::uint8_t {
    kRate,         // one native instruction
    kSeveral,      // several native instructions: `rate` follows from the sequence of the lowering table
    kUnsupported,  // must be refused
    kSilent,       // not stated
  };
  Kind kind = Kind::kSilent;
  double rate = 0;
};

struct Row {
  std::string name;
  std::string opcode;     // whose native instructions are executed
  double operations = 1;  // of a thread: 2 for packed halves
  std::string finish;     // another instruction after it, on the result: "IADD3"
  std::string note;
  std::vector<Cell> cells;  // one per capability
};
const std::vector<Row>& rows();

// Instructions per clock in the middle half of the issue cycles of all warps, when all of them are busy.
double steady_rate(std::vector<Cycle> issued);

// The native instructions of an operation: "XMAD, XMAD.MRG, XMAD.PSL.CBCC". Empty if the capability has none.
std::string sequence(const Row& row, const Capability& capability);
// Operations per clock and SM that issue slots and units of the GPU's description allow for that sequence.
double bound(const Row& row, const Capability& capability);
// The same for a simulated kernel in the steady state.
double measure(const Row& row, const Capability& capability);

// docs/throughput.md.
std::string throughput_document();

}  // namespace warpsim::generations
