// A recorded workload as the host's sequence of commands: kernel launches and copies to the device, in program order.
//
// Opens a TRACE of the command line: a directory with a kernelslist.g, a kernelslist.g, one kernel file
// (.traceg, also compressed by gzip, xz or zstd, detected by content) or a native .wtrace. Kernel files
// are opened one at a time, when their command is requested, so memory is bounded by the blocks in flight.
// A file named in kernelslist.g is also found with the suffix .xz, .gz or .zst.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/launch/instruction_source.h"

namespace warpsim {

struct WorkloadOptions {
  std::string sass_file;  // listing of all kernels; empty: the listings in the trace's folder
  bool strict = false;    // an opcode that is not in the opcode table is an error
  // For simulation: asynchronous copies and barriers are inferred, waiting loops reduced (async_kernel.h). Otherwise
  // kernels are returned as recorded.
  bool infer_asynchronous = false;
};

class Workload : public CommandSource {
 public:
  // Directory name, without a trailing `traces`; or the file's stem.
  virtual const std::string& name() const = 0;
  // xxhash64 over all files of the trace (lists, kernel files, listings used), 16 hex digits.
  virtual const std::string& content_hash() const = 0;
  // Notes for the summary about the commands returned so far: no listing, unknown opcodes. One sentence each,
  // each reported once.
  virtual std::vector<std::string> notes() const = 0;
  // All files of the trace: those that the hash covers.
  virtual std::vector<std::string> files() const = 0;
};

// Throws TraceError if `path` is none of these or a file it names is missing.
std::unique_ptr<Workload> open_workload(const std::string& path, const WorkloadOptions& options);

}  // namespace warpsim
