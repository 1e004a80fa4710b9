// Where the build that a test belongs to has the programs that the test starts.
#pragma once

namespace warpsim::test {

const char* warpsim_binary();
// The folder of the programs of tests/cuda_programs.
const char* cuda_programs();

}  // namespace warpsim::test
