// Finds the SASS listing of a traced kernel.
//
// Searched: the user's file; or, in the trace's folder, func-N.sass of the header's `-function id`, then all
// other *.sass and *.sass.gz in order of name. A function matches if its mangled name is the kernel's (or
// demangles to it) and its architecture is the trace's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/static_instruction.h"

namespace warpsim {

struct FoundListing {
  std::string path;
  std::shared_ptr<const StaticProgram> program;
};

struct ListingQuery {
  std::string trace_path;
  std::string sass_file;  // empty: search the trace's folder
  std::string kernel;
  std::uint32_t architecture = 0;
  std::optional<std::uint64_t> function;
};

// The listings that may be searched for kernels of a trace file: only `sass_file` if it is not empty, otherwise all in
// the trace's folder, in order of name.
std::vector<std::string> listing_files(const std::string& trace_path, const std::string& sass_file);

// Empty if no listing holds the kernel. Throws TraceError if a listing that holds it is malformed, or if `sass_file`
// cannot be read.
std::optional<FoundListing> find_listing(const ListingQuery& query);

}  // namespace warpsim
