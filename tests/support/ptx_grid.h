// Launches kernels of PTX on the emulator and returns their output: for tests of warps, blocks and clusters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "emulator/execution/launch_context.h"
#include "ptx/module.h"

namespace warpsim::test {

struct PtxGrid {
  // The kernel's instructions, with registers %r<64> .b32, %q<64> .b64, %f<16> .f32 and %p<16> .pred. %t is the
  // thread's number in its block, %in and %out are the buffers, %own is the thread's own word of %out.
  std::string body;
  std::string before = {};  // functions and variables of the module
  std::vector<std::uint32_t> input = {};
  std::uint32_t output_words = 0;  // 0: one per thread
  Dim3 grid = {1, 1, 1};
  Dim3 block = {32, 1, 1};
  Dim3 cluster = {1, 1, 1};
  bool independent_threads = true;  // 7.0 and later
  std::uint32_t resident_blocks = 1;
  std::uint32_t local_bytes = 4096;  // per thread
  bool optimised = false;            // like timed kernels (codegen/code_generator.h)
  std::uint32_t threads = 1;         // of the host; results of several need not be the same each time
  HostCodeUse host_code = HostCodeUse::kNever;
};

// The prepared launch: module, buffers, parameters. Data referenced by `context` live as long as this.
class PreparedPtx {
 public:
  explicit PreparedPtx(const PtxGrid& launch);
  ~PreparedPtx();
  PreparedPtx(const PreparedPtx&) = delete;
  PreparedPtx& operator=(const PreparedPtx&) = delete;

  LaunchContext context;
  std::vector<std::uint32_t> output() const;
  const ptx::Module& module() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The output buffer, which was 0 before. Throws PtxError and KernelFault. Executes the kernel as written, like timed
// kernels, on several threads of the host, and translated to the host's instructions; throws std::runtime_error if the
// results differ.
std::vector<std::uint32_t> execute_ptx(const PtxGrid& launch);

}  // namespace warpsim::test
