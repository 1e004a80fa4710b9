// Places in PTX at which a warp prints its registers.
//
// Modelled: a breakpoint stops at one instruction of the code that a kernel can reach, for one warp: the first that
// reaches it, or the requested one. Nothing is paused: the kernel continues at once. Cost for kernels without a
// breakpoint: one test of a pointer each time a warp starts a piece of code.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "emulator/execution/breakpoint.h"

namespace warpsim {

class KernelImage;
class WarpContext;
struct FunctionCode;

class Breakpoints {
 public:
  // `show` gets the text of each stop, whole lines.
  Breakpoints(std::vector<Breakpoint> asked, std::function<void(const std::string&)> show);

  // Finds the instructions of a kernel that is about to run; reports once if there is none for a line. Returns whether
  // there are any at which a warp may still stop.
  bool prepare(const KernelImage& kernel);
  // The first operation from `at` on at which some warp stops; ~0: none.
  std::uint32_t next(const FunctionCode& code, std::uint32_t at) const;
  // A warp is about to execute the operation for `lanes`, without those whose guard is false.
  void reached(const WarpContext& warp, std::uint32_t at, LaneMask lanes);
  // "kernel:line" of breakpoints at which no warp has stopped yet.
  std::vector<std::string> not_reached() const;

 private:
  struct Stop {
    std::size_t asked = 0;
    const FunctionCode* code = nullptr;
    std::uint32_t operation = 0;
    std::optional<Breakpoint::OneWarp> warp;
    std::uint32_t left = 0;
  };

  std::vector<Breakpoint> asked_;
  std::vector<bool> hit_;
  std::function<void(const std::string&)> show_;
  std::vector<Stop> stops_;  // of the running kernel
};

// The registers of the running call that its code uses, one per line: name, type, then each lane's value, or one for
// all lanes if it is the same; "-" means lanes that do not execute.
std::string registers_text(const WarpContext& warp, LaneMask lanes);

}  // namespace warpsim
