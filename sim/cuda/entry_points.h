// The driver's functions by name, as cuGetProcAddress and dlsym give them.
//
// Source: CUDA driver API, driver entry point access: for a plain name and a version of the toolkit, the newest form of
// the function that this version has; forms for the default stream of each thread have second names (_ptsz, _ptds).
#pragma once

namespace warpsim::cuda {

// What a function does when it is called without a stream.
enum class NullStream : bool { kLegacy, kOfThread };

// For a version like 12080. Null if there is no such function, or not yet in this version.
void* driver_function(const char* name, int version, NullStream null_stream);

}  // namespace warpsim::cuda
