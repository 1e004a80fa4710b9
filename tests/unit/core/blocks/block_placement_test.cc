#include "core/blocks/block_placement.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>

#include "unit/core/h200_limits.h"

namespace warpsim {
namespace {

BlockPlacementConfig h200_placement() {
  return {BlockPlacementPolicy::kGpcBatches, 5, 6};
}

// Places blocks on SMs that hold `capacity` blocks each and never finish one.
class Wave {
 public:
  explicit Wave(const Topology& topology, std::uint32_t capacity, const BlockPlacementConfig& config)
      : stats_("gpu"), placement_(config, topology, stats_), sms_(topology.sm_count(), SmResources(limits(capacity))) {}

  std::vector<std::uint32_t> place(std::uint64_t blocks, std::uint32_t cluster = 1) {
    std::vector<std::uint32_t> order;
    placement_.begin_grid(cluster, 0);
    while (order.size() < blocks) {
      const std::uint32_t sm = placement_.next(sms_, kBlock, blocks - order.size());
      if (sm == BlockPlacement::kNoSm) {
        break;
      }
      sms_[sm].take(kBlock);
      order.push_back(sm);
    }
    return order;
  }
  // One more block of the grid.
  std::uint32_t place_next(std::uint64_t left) {
    const std::uint32_t sm = placement_.next(sms_, kBlock, left);
    sms_[sm].take(kBlock);
    return sm;
  }
  void begin(std::uint32_t cluster) { placement_.begin_grid(cluster, 0); }
  // A block that had left the SM. Returns whether it is placed.
  bool come_back(std::uint32_t sm) {
    if (!placement_.make_way(sm)) {
      return false;
    }
    sms_[sm].take(kBlock);
    return true;
  }
  void finish(std::uint32_t sm, std::uint32_t slot) { sms_[sm].give_back(slot); }
  void finish_all() {
    for (SmResources& sm : sms_) {
      for (std::uint32_t slot = 0; sm.resident_blocks() > 0; ++slot) {
        sm.give_back(slot);
      }
    }
  }

 private:
  static constexpr BlockDemand kBlock{1, 0, 0, 0};
  static OccupancyConfig limits(std::uint32_t capacity) {
    OccupancyConfig config = test::h200_occupancy();
    config.blocks_per_sm = capacity;
    return config;
  }
  LaunchStats<StatGroup> stats_;
  BlockPlacement placement_;
  std::vector<SmResources> sms_;
};

struct Record {
  std::string kernels;
  std::uint64_t blocks = 0;
  std::uint32_t capacity = 0;
  std::uint32_t first_gpc = 0;
  std::uint32_t cluster = 1;
  bool halves_swapped = false;
  std::vector<std::uint32_t> sms;
};

std::vector<std::uint32_t> parse_ranges(const std::string& text) {
  std::vector<std::uint32_t> sms;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t dash = item.find('-');
    const auto first = static_cast<std::uint32_t>(std::stoul(item));
    const auto last = dash == std::string::npos ? first : static_cast<std::uint32_t>(std::stoul(item.substr(dash + 1)));
    for (std::uint32_t sm = first; sm <= last; ++sm) {
      sms.push_back(sm);
    }
  }
  return sms;
}

std::vector<Record> read_records() {
  std::ifstream file(WARPSIM_SOURCE_DIR "/tests/data/first_wave.txt");
  std::vector<Record> records;
  std::string kernels;
  for (std::string line; std::getline(file, line);) {
    if (line.front() == '#') {
      kernels = line.substr(2);
      continue;
    }
    Record record;
    std::string ranges;
    std::istringstream(line) >> record.blocks >> record.capacity >> record.first_gpc >> record.cluster >>
        record.halves_swapped >> ranges;
    record.kernels = kernels;
    record.sms = parse_ranges(ranges);
    records.push_back(record);
  }
  return records;
}

// Share of a record's blocks that are placed on the recorded SM. Which half of the singletons is first is not
// modelled: a record with the other order is compared with the halves exchanged.
double share_equal(const Record& record, const Topology& topology) {
  Wave wave(topology, record.capacity, h200_placement());
  if (record.first_gpc > 0) {
    wave.place(8 + record.first_gpc);  // 8 singletons, then one block for each GPC before the first
    wave.finish_all();
  }
  const std::vector<std::uint32_t> order = wave.place(record.blocks, record.cluster);
  REQUIRE(order.size() == record.sms.size());
  std::size_t equal = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool swap = record.halves_swapped && order[i] >= 124;
    const std::uint32_t sm = swap ? (order[i] < 128 ? order[i] + 4 : order[i] - 4) : order[i];
    equal += sm == record.sms[i] ? 1 : 0;
  }
  return static_cast<double>(equal) / static_cast<double>(order.size());
}

TEST_CASE("Block placement: first waves equal those recorded on an H200", "[core][hardware]") {
  // In these, each the first kernel of its process, the second to fourth turns of the singletons are earlier.
  const std::vector<std::pair<std::string, double>> known_gaps = {
      {"blackscholes/kernel-1", 0.67},  {"conv2d/kernel-1", 0.90},      {"fp64/kernel-1", 0.52},
      {"half2_axpy/kernel-1", 0.37},    {"hist_global/kernel-1", 0.45}, {"mandelbrot/kernel-1", 0.93},
      {"matmul_shared/kernel-1", 0.45}, {"reduce_shfl/kernel-1", 0.78},
  };
  const Topology topology(test::h200_topology());
  const std::vector<Record> records = read_records();
  REQUIRE(records.size() == 40);
  for (const Record& record : records) {
    CAPTURE(record.kernels);
    const double share = share_equal(record, topology);
    const auto gap = std::find_if(known_gaps.begin(), known_gaps.end(),
                                  [&](const auto& g) { return record.kernels.find(g.first) != std::string::npos; });
    if (gap == known_gaps.end()) {
      CHECK(share == 1.0);
    } else {
      CHECK(share >= gap->second);
      CHECK(share < 1.0);
    }
  }
}

TopologyConfig two_gpcs(std::uint32_t singletons) {
  TopologyConfig config;
  config.gpc_tpcs = {1, 2};  // SMs 0 1 | 2 3, 4 5
  config.singleton_tpcs = singletons;
  config.sms_per_tpc = 2;
  config.gpc_l2_partition = {0, 0};
  return config;
}

using Order = std::vector<std::uint32_t>;

TEST_CASE("Block placement: the next grid begins at the GPC after the last one served", "[core]") {
  const Topology topology(two_gpcs(0));
  Wave wave(topology, 4, h200_placement());
  CHECK(wave.place(1) == Order{0});
  CHECK(wave.place(2) == Order{2, 1});
}

TEST_CASE("Block placement: few blocks go to different TPCs first", "[core]") {
  const Topology topology(two_gpcs(0));
  CHECK(Wave(topology, 4, h200_placement()).place(3) == Order{0, 2, 4});
  CHECK(Wave(topology, 4, h200_placement()).place(4) == Order{0, 1, 2, 4});
}

TEST_CASE("Block placement: a full GPU gets a new block only where one has finished", "[core]") {
  const Topology topology(two_gpcs(1));
  Wave wave(topology, 2, h200_placement());
  CHECK(wave.place(100).size() == 16);
  wave.finish(7, 1);
  CHECK(wave.place(100) == Order{7});
  wave.finish(3, 0);
  CHECK(wave.place(100) == Order{3});
}

TEST_CASE("Block placement: blocks of another size are placed where only they fit", "[core]") {
  const Topology topology(two_gpcs(0));
  OccupancyConfig limits = test::h200_occupancy();
  limits.warps_per_sm = 12;
  std::vector<SmResources> sms(topology.sm_count(), SmResources(limits));
  LaunchStats<StatGroup> stats{"root"};
  BlockPlacement placement(h200_placement(), topology, stats);
  const auto placed = [&](const BlockDemand& demand) {
    placement.begin_grid(1, 0);
    std::uint32_t count = 0;
    for (std::uint32_t sm = 0; (sm = placement.next(sms, demand, 1000 - count)) != BlockPlacement::kNoSm; ++count) {
      sms[sm].take(demand);
    }
    return count;
  };
  const BlockDemand large{8, 0, 0, 0};
  const BlockDemand small{2, 0, 0, 0};
  CHECK(placed(large) == topology.sm_count());
  CHECK(placed(small) == 2 * topology.sm_count());
  CHECK(placed(large) == 0);
  CHECK(sms[0].free_warps() == 0);
  sms[0].give_back(0);
  CHECK(sms[0].free_warps() == 8);
  CHECK(placed(small) == 4);
}

TEST_CASE("Block placement: a block that comes back takes a planned place", "[core]") {
  const Topology topology(test::h200_topology());
  Wave reference(topology, 1, h200_placement());
  const std::vector<std::uint32_t> planned = reference.place(20);
  for (std::size_t next = 1; next < 6; ++next) {
    Wave wave(topology, 1, h200_placement());
    wave.begin(1);
    REQUIRE(wave.place_next(20) == planned[0]);
    REQUIRE(wave.come_back(planned[next]));
    for (std::uint64_t left = 19; left > 0; --left) {
      CHECK(wave.place_next(left) != planned[next]);  // placing without room would be an internal error
    }
  }
}

TEST_CASE("Block placement: a block comes back after the rest of a cluster that needs its SM", "[core]") {
  const Topology topology(test::h200_topology());
  Wave wave(topology, 1, h200_placement());
  wave.begin(4);
  const std::uint32_t first = wave.place_next(8);
  Wave reference(topology, 1, h200_placement());
  const std::vector<std::uint32_t> planned = reference.place(8, 4);
  REQUIRE(planned[0] == first);
  CHECK_FALSE(wave.come_back(planned[1]));
  CHECK(wave.place_next(7) == planned[1]);
  CHECK(wave.come_back(planned[7]));
}

TEST_CASE("Block placement: a cluster stays in one GPC and does not use singletons", "[core]") {
  const Topology topology(two_gpcs(1));
  Wave wave(topology, 1, h200_placement());
  CHECK(wave.place(8, 2) == Order{0, 1, 2, 3, 4, 5});
  LaunchStats<StatGroup> stats("gpu");
  BlockPlacement placement(h200_placement(), topology, stats);
  CHECK(placement.cluster_fits(4, 1));
  CHECK_FALSE(placement.cluster_fits(5, 1));
  CHECK(placement.cluster_fits(8, 2));
}

TEST_CASE("Block placement: round robin visits the SMs in order", "[core]") {
  const Topology topology(two_gpcs(1));
  Wave wave(topology, 1, {BlockPlacementPolicy::kRoundRobin, 1, 1});
  CHECK(wave.place(100) == Order{0, 1, 2, 3, 4, 5, 6, 7});
}

}  // namespace
}  // namespace warpsim
