#include "cuda/device/race_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpsim::cuda {

RaceSearch::RaceSearch(RaceCheck* races, LaunchContext& launch, std::vector<std::string>& findings)
    : races_(races), findings_(findings) {
  launch.races = races;
  if (races_ != nullptr) {
    races_->begin_launch(launch);
  }
}

RaceSearch::~RaceSearch() {
  if (races_ != nullptr) {
    std::ranges::move(races_->end_launch(), std::back_inserter(findings_));
  }
}

std::string summary_of(const RaceCheck& races) {
  std::string text = fmt::format("races: {} pair{} of instructions in {} launch{}",
                                 races.races() == 0 ? "no" : std::to_string(races.races()),
                                 races.races() == 1 ? "" : "s", races.launches(), races.launches() == 1 ? "" : "es");
  if (races.words_left_out() != 0) {
    text += fmt::format(
        "; {} accesses to words of global memory were not checked, since a launch used more than 256 "
        "MiB of it",
        races.words_left_out());
  }
  return text;
}

}  // namespace warpsim::cuda
