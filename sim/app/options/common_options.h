// Options that several commands have.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "app/options/arguments.h"
#include "app/options/options.h"

namespace warpsim {

inline constexpr std::uint64_t kMostCycles = 1'000'000'000'000'000;  // --max-cycles

DetailOptions detail_options(const Arguments& arguments);
// The same for a command with one database, which stores the details. Throws UsageError without one.
DetailOptions details_for(const Arguments& arguments, const std::string& out, const char* command);
std::uint32_t threads_option(const Arguments& arguments);
// The words of --ptxas. Throws UsageError if there is none in it.
std::vector<std::string> ptxas_option(const Arguments& arguments);
// Throws UsageError for places that are none: now, not when the kernel runs.
BreakOptions break_options(const Arguments& arguments);
// Throws UsageError for options that have no meaning without timing.
void refuse_timing(const Arguments& arguments, std::initializer_list<const char*> options, const char* command);

}  // namespace warpsim
