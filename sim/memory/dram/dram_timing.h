// Timing table of a DRAM channel and its configuration.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "mechanisms/mechanism_choice.h"

namespace warpsim {

// Constraints between commands, in cycles of the DRAM clock (JEDEC names).
struct DramTiming {
  std::uint32_t t_rcd = 1;    // activate to column command
  std::uint32_t t_rp = 1;     // precharge to activate
  std::uint32_t t_ras = 1;    // activate to precharge
  std::uint32_t t_rc = 1;     // activate to activate, same bank
  std::uint32_t t_cl = 1;     // read to data
  std::uint32_t t_wl = 1;     // write to data
  std::uint32_t t_ccd_s = 1;  // column to column, other bank group
  std::uint32_t t_ccd_l = 1;  // column to column, same bank group
  std::uint32_t t_rrd_s = 1;  // activate to activate, other bank group
  std::uint32_t t_rrd_l = 1;  // activate to activate, same bank group
  std::uint32_t t_faw = 1;    // window of four activates
  std::uint32_t t_wtr_s = 1;  // end of write data to read, other bank group
  std::uint32_t t_wtr_l = 1;  // end of write data to read, same bank group
  std::uint32_t t_rtw = 1;    // read to write
  std::uint32_t t_wr = 1;     // end of write data to precharge
  std::uint32_t t_rtp = 1;    // read to precharge
  std::uint32_t t_refi = 1;   // refresh interval
  std::uint32_t t_rfc = 1;    // duration of a refresh
};
void describe(ConfigSection& section, DramTiming& timing);

enum class RefreshMode : std::uint8_t { kNone, kAllBank, kPerBank };
enum class PagePolicy : std::uint8_t { kOpen, kClosed };

struct DramConfig {
  DramTiming timing;
  std::uint32_t burst_bytes = 32;  // bytes of one column command
  std::uint32_t burst_cycles = 1;  // cycles of the data bus it takes
  std::uint32_t read_queue_entries = 1;
  std::uint32_t write_queue_entries = 1;
  std::uint32_t write_high_watermark = 1;
  std::uint32_t write_low_watermark = 0;
  std::uint32_t max_row_hits = 16;
  MechanismChoice<mechanism::DramScheduler> scheduler;  // none: first-ready, first-come first-served
  RefreshMode refresh = RefreshMode::kNone;
  PagePolicy page_policy = PagePolicy::kOpen;
  std::uint32_t request_latency_l2_cycles = 1;
  std::uint32_t return_latency_cycles = 1;
  std::uint32_t slice_queue_entries = 8;
  bool ideal = false;
  std::uint32_t ideal_latency_cycles = 1;
};
void describe(ConfigSection& section, DramConfig& config);

}  // namespace warpsim
