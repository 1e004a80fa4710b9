// The timeline options of a run, as typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

struct TimelineOptions {
  std::string file;                     // empty: none
  std::optional<std::uint32_t> launch;  // none: the first that is simulated
  std::uint64_t from = 0;               // core cycles since the launch began
  std::uint64_t to = 0;
  std::vector<std::uint32_t> sms;       // whose warps are shown
  std::vector<std::uint32_t> channels;  // of DRAM, whose commands are shown
};

// "100:2000": from and to. Throws UsageError.
void set_window(TimelineOptions& options, const std::string& text);
// The numbers of "0,3-5", in order. Throws UsageError that names the option.
std::vector<std::uint32_t> number_list(const std::string& option, const std::string& text);

}  // namespace warpsim
