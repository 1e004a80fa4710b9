// Kernels that began before kernels that they depend on were over (programmatic dependent launch).
//
// Modelled: such a kernel is over when its blocks have ended and the kernels before it are over, so that what follows
// waits for all of them; its warps at griddepcontrol.wait go on when those that it names as awaited are over. Evidence:
// PTX ISA, griddepcontrol; CUDA C++ programming guide, "Programmatic Dependent Launch and Synchronization"; CUDA
// runtime API, cudaGraphKernelNodePortProgrammatic. State: what each such kernel still depends on.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/work.h"

namespace warpsim {

class DependentLaunches {
 public:
  // A kernel starts, after these.
  void start(std::uint64_t number, const std::vector<Dependence>& after);
  // Whether its warps at griddepcontrol.wait wait; whether anything before it is not over.
  bool waits(std::uint64_t number) const;
  bool is_held(std::uint64_t number) const { return kernels_.contains(number); }

  struct Change {
    std::uint64_t number = 0;
    bool waits_end = false;  // its warps at griddepcontrol.wait go on
    bool is_free = false;    // everything before it is over
  };
  // Work is over. Returns the kernels for which this changes something, in the order of their numbers.
  std::vector<Change> end(const WorkHandle& work);

 private:
  std::map<std::uint64_t, std::vector<Dependence>> kernels_;
};

}  // namespace warpsim
