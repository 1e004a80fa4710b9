// Where the threads of a launch wait or are, as lines of a message: those in the same place are listed together.
#pragma once

#include <string>
#include <vector>

#include "emulator/execution/warp.h"
#include "ptx/module.h"

namespace warpsim {

class BlockExecution;

// `reads`: the last read of warps in loops. Each line begins with a line end and two blanks.
std::string describe_whereabouts(const ptx::Module& module, const std::vector<BlockExecution*>& blocks,
                                 const std::vector<Warp::SpinRead>& reads);

}  // namespace warpsim
