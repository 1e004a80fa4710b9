// How `warpsim exec` passes its options to the libraries in the program's process: environment variables.
#pragma once

#include <string>
#include <vector>

#include "cuda/device/device.h"

namespace warpsim::cuda {

struct Environment {
  std::vector<std::string> gpus;  // files
  DeviceOptions options;
};

inline constexpr const char* kGpuVariable = "WARPSIM_GPU";  // one a line
inline constexpr const char* kResultsVariable = "WARPSIM_OUT";
inline constexpr const char* kRunVariable = "WARPSIM_RUN";  // DeviceOptions::begun_run
inline constexpr const char* kNameVariable = "WARPSIM_NAME";
inline constexpr const char* kCommandVariable = "WARPSIM_COMMAND";
inline constexpr const char* kTraceVariable = "WARPSIM_TRACE";
inline constexpr const char* kMaxCyclesVariable = "WARPSIM_MAX_CYCLES";
inline constexpr const char* kThreadsVariable = "WARPSIM_THREADS";
inline constexpr const char* kMaxInstructionsVariable = "WARPSIM_MAX_INSTRUCTIONS";
inline constexpr const char* kQuarantineVariable = "WARPSIM_QUARANTINE_MIB";
inline constexpr const char* kCheckVariable = "WARPSIM_CHECK";        // as --check
inline constexpr const char* kTolerantVariable = "WARPSIM_TOLERANT";  // "1"
inline constexpr const char* kSampleVariable = "WARPSIM_SAMPLE_INTERVAL";
inline constexpr const char* kHotSpotsVariable = "WARPSIM_HOT_SPOTS";          // "1"
inline constexpr const char* kReplaceVariable = "WARPSIM_REPLACE";             // "1"
inline constexpr const char* kFunctionalVariable = "WARPSIM_FUNCTIONAL_ONLY";  // "1"
inline constexpr const char* kFlushVariable = "WARPSIM_FLUSH_CACHES";          // "1"
inline constexpr const char* kForceTargetVariable = "WARPSIM_FORCE_TARGET";    // "1"
inline constexpr const char* kMemoryVariable = "WARPSIM_MEMORY_AT";            // address
inline constexpr const char* kPtxasVariable = "WARPSIM_PTXAS";                 // words, one a line
inline constexpr const char* kCodeVariable = "WARPSIM_CODE";                   // "ptx", "machine"
inline constexpr const char* kOverridesVariable = "WARPSIM_SET";               // one a line
inline constexpr const char* kSkipVariable = "WARPSIM_SKIP_KERNELS";           // names, one a line
inline constexpr const char* kProfileVariable = "WARPSIM_PROFILE_FROM_START";  // "off"
inline constexpr const char* kRangesVariable = "WARPSIM_RANGES";               // SelectionOptions::ranges, one a line
inline constexpr const char* kBreakVariable = "WARPSIM_BREAK";                 // KERNEL:LINE, one a line
inline constexpr const char* kBreakWarpVariable = "WARPSIM_BREAK_WARP";        // BLOCK,WARP
inline constexpr const char* kBreakCountVariable = "WARPSIM_BREAK_COUNT";

// CUDA's variable: numbers of GPUs, which the program then numbers in this order, up to the first one that does not
// exist.
inline constexpr const char* kVisibleVariable = "CUDA_VISIBLE_DEVICES";
// Those of them that the list selects. Throws UserError if it contains names of GPUs.
std::vector<std::string> visible_gpus(const std::vector<std::string>& gpus, const std::string& list);

// With the visible GPUs, which may be none. Throws UserError if there is no GPU.
Environment read_environment();

}  // namespace warpsim::cuda
