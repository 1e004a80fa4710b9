// The hot spots of a launch while several SMs count them at the same time: each SM writes to a table of its own, and
// the tables are added up when the launch ends. All columns are sums or maxima of integers, so that the result does not
// depend on which SM counted what, or when.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "stats/hot_spot_table.h"

namespace warpsim {

class HotSpotParts {
 public:
  // For `writers` components that run at the same time; 0: for any number that run one after another, which all write
  // to the launch's table. `whole` is that table and outlives the parts.
  HotSpotParts(HotSpotTable& whole, std::size_t writers) : whole_(whole), parts_(writers) {}

  // The table of one writer, which makes it at its first call: SMs without blocks need none. Writers may call it at the
  // same time.
  HotSpotTable& part(std::size_t writer);
  // Once, while no writer runs: adds all parts to the launch's table.
  void add_up();

 private:
  HotSpotTable& whole_;
  std::vector<std::unique_ptr<HotSpotTable>> parts_;  // by writer
};

}  // namespace warpsim
