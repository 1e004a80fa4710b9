#include "stats/run_record.h"

namespace warpsim {

std::map<std::string, std::string> detail_settings(const DetailOptions& details) {
  std::map<std::string, std::string> settings;
  if (details.sample_interval != 0) {
    settings["sample_interval"] = std::to_string(details.sample_interval);
  }
  if (details.hot_spots) {
    settings["hot_spots"] = "1";
  }
  return settings;
}

}  // namespace warpsim
