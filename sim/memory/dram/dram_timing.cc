#include "memory/dram/dram_timing.h"

#include "base/types.h"

namespace warpsim {

void describe(ConfigSection& section, DramTiming& timing) {
  const auto cycles = [&section](const char* key, std::uint32_t& value, const char* sentence) {
    section.integer(key, value, 1, 1000000, sentence);
  };
  cycles("t_rcd", timing.t_rcd, "activate to column command");
  cycles("t_rp", timing.t_rp, "precharge to activate");
  cycles("t_ras", timing.t_ras, "activate to precharge");
  cycles("t_rc", timing.t_rc, "activate to activate of the same bank");
  cycles("t_cl", timing.t_cl, "read command to data");
  cycles("t_wl", timing.t_wl, "write command to data");
  cycles("t_ccd_s", timing.t_ccd_s, "column to column command, other bank group");
  cycles("t_ccd_l", timing.t_ccd_l, "column to column command, same bank group");
  cycles("t_rrd_s", timing.t_rrd_s, "activate to activate, other bank group");
  cycles("t_rrd_l", timing.t_rrd_l, "activate to activate, same bank group");
  cycles("t_faw", timing.t_faw, "window with at most four activates");
  cycles("t_wtr_s", timing.t_wtr_s, "end of write data to read, other bank group");
  cycles("t_wtr_l", timing.t_wtr_l, "end of write data to read, same bank group");
  cycles("t_rtw", timing.t_rtw, "read command to write command");
  cycles("t_wr", timing.t_wr, "end of write data to precharge");
  cycles("t_rtp", timing.t_rtp, "read command to precharge");
  cycles("t_refi", timing.t_refi, "refresh interval");
  cycles("t_rfc", timing.t_rfc, "duration of one refresh");
}

void describe(ConfigSection& section, DramConfig& config) {
  section.nested("timing_cycles", config.timing, "constraints between commands, in DRAM cycles");
  section.integer("burst_bytes", config.burst_bytes, kSectorBytes, kLineBytes,
                  "bytes of one column command: 32, 64 or 128");
  section.integer("burst_cycles", config.burst_cycles, 1, 64, "DRAM cycles of the data bus for one burst");
  section.integer("read_queue_entries", config.read_queue_entries, 1, 4096, "reads a channel chooses from");
  section.integer("write_queue_entries", config.write_queue_entries, 1, 4096, "writes a channel chooses from");
  section.integer("write_high_watermark", config.write_high_watermark, 1, 4096,
                  "writes at which a channel switches to writing");
  section.integer("write_low_watermark", config.write_low_watermark, 0, 4096,
                  "writes at which it switches back when reads wait");
  choose_mechanism(section, "scheduler", {"fr_fcfs"}, config.scheduler,
                   "which access goes next: fr_fcfs takes open rows first, within max_row_hits, then the oldest");
  section.integer("max_row_hits", config.max_row_hits, 1, 65536,
                  "consecutive column commands that may overtake an older request of the bank");
  section.choice(
      "refresh", config.refresh,
      {{"none", RefreshMode::kNone}, {"all_bank", RefreshMode::kAllBank}, {"per_bank", RefreshMode::kPerBank}},
      "what one refresh closes; per_bank refreshes one bank every t_refi / banks");
  section.choice("page_policy", config.page_policy, {{"open", PagePolicy::kOpen}, {"closed", PagePolicy::kClosed}},
                 "whether a row stays open when no request for it waits");
  section.integer("request_latency_l2_cycles", config.request_latency_l2_cycles, 1, 10000,
                  "L2 cycles from a slice to its channel's queue");
  section.integer("return_latency_cycles", config.return_latency_cycles, 1, 10000,
                  "DRAM cycles from the end of the data burst to the slice");
  section.integer("slice_queue_entries", config.slice_queue_entries, 1, 4096,
                  "requests that wait between a slice and its channel");
  section.boolean("ideal", config.ideal, "idealisation: fixed latency and no bandwidth limit");
  section.integer("ideal_latency_cycles", config.ideal_latency_cycles, 0, 100000,
                  "DRAM cycles of every access when ideal; 0: those of a read from an open row");
  if (config.burst_bytes != 32 && config.burst_bytes != 64 && config.burst_bytes != 128) {
    section.problem("burst_bytes", "must be 32, 64 or 128");
  }
  if (config.write_high_watermark > config.write_queue_entries ||
      config.write_low_watermark >= config.write_high_watermark) {
    section.problem("write_high_watermark", "must be above write_low_watermark and within write_queue_entries");
  }
}

}  // namespace warpsim
