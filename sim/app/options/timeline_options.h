// The timeline options of a run, as typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/launch/timeline_request.h"

namespace warpsim {

class Arguments;

struct TimelineOptions {
  std::string file;                     // empty: none
  std::optional<std::uint32_t> launch;  // none: the first simulated one
  std::uint64_t from = 0;               // core cycles since the launch began
  std::uint64_t to = 0;
  SmSelection sms;                    // whose warps are recorded
  std::optional<SmSelection> blocks;  // whose blocks are recorded; none: as `sms`
  NumberSelection sub_cores;
  NumberSelection warp_slots;
  std::vector<std::uint32_t> channels;  // of DRAM, whose commands are recorded
};

// "100:2000": from and to. Throws UsageError.
void set_window(TimelineOptions& options, const std::string& text);
// The numbers of "0,3-5", in order. Throws UsageError that names the option.
std::vector<std::uint32_t> number_list(const std::string& option, const std::string& text);
// "first", "all", or numbers as above.
SmSelection sm_selection(const std::string& option, const std::string& text);
// Of a command that takes the options --timeline*. Throws UsageError.
TimelineOptions timeline_options(const Arguments& arguments);

}  // namespace warpsim
