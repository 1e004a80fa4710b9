// The test kit of block placements: finds violations of block_placement.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "fills the SM that ...");
//     for (const std::string& sentence : check_block_placement(entry)) { ... }
//
// Grids of many sizes are placed on GPUs of 1 to 132 SMs while blocks end. Checked after each block: the SM exists and
// has room; two objects with equal calls choose alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpsim/block_placement.h"
#include "warpsim/testing/contract_parts.h"

namespace warpsim::mechanism::testing {

// A GPU of so many SMs in TPCs of two, which go around the GPCs.
class PlacementSite {
 public:
  PlacementSite(std::uint32_t sms, std::uint32_t gpcs) : gpcs_(gpcs) {
    for (std::uint32_t sm = 0; sm < sms; ++sm) {
      tpc_of_sm_.push_back(sm / 2);
      gpc_of_sm_.push_back(sm / 2 % gpcs);
    }
  }
  BlockPlacementSite site() const {
    return {static_cast<std::uint32_t>(gpc_of_sm_.size()), gpcs_, gpc_of_sm_.data(), tpc_of_sm_.data()};
  }

 private:
  std::uint32_t gpcs_;
  std::vector<std::uint32_t> gpc_of_sm_;
  std::vector<std::uint32_t> tpc_of_sm_;
};

class BlockPlacementContract {
 public:
  explicit BlockPlacementContract(Factory<BlockPlacement>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<PlacementSite> gpus{{1, 1}, {2, 1}, {9, 3}, {132, 8}};
    std::vector<BlockPlacementSite> sites;
    for (const PlacementSite& gpu : gpus) {
      sites.push_back(gpu.site());
    }
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const BlockPlacementSite& site) { check_choices(site); },
        [&](BlockPlacement& placement, const BlockPlacementSite& site, const std::string& where) {
          choices_of(placement, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  static constexpr std::uint32_t kGrids = 8;

  using Choices = std::vector<std::uint32_t>;

  static std::string text_of_site(const BlockPlacementSite& site) { return std::to_string(site.sms) + " SMs"; }

  void check_choices(const BlockPlacementSite& site) {
    const std::string where = text_of_site(site);
    check_two_objects(
        factory_, site, where, violations_,
        [&](BlockPlacement& placement, std::uint64_t seed) { return choices_of(placement, site, seed, where); },
        [](BlockPlacement& /*first*/, BlockPlacement& /*other*/, const Choices& /*expected*/, bool /*alike*/) {});
  }

  Choices choices_of(BlockPlacement& placement, const BlockPlacementSite& site, std::uint64_t seed,
                     const std::string& where) {
    Choices choices;
    Draws draws(seed);
    std::vector<SmSpace> sms(site.sms);
    for (std::uint32_t grid = 0; grid < kGrids; ++grid) {
      const std::uint32_t limit = 1 + draws.below(4);  // blocks of an SM
      for (SmSpace& sm : sms) {
        sm.room = limit > sm.resident ? limit - sm.resident : 0;
      }
      placement.grid_begins();
      for (std::uint64_t left = 1 + draws.below(2 * site.sms); left > 0; --left) {
        while (!has_room(sms)) {
          end_block(sms[draws.below(site.sms)]);
        }
        const std::uint32_t sm = placement.choose(sms.data(), left);
        if (sm >= site.sms || sms[sm].room == 0) {
          violations_.add(where + ": choose() answers an SM that has no room, or that does not exist");
          return choices;
        }
        choices.push_back(sm);
        ++sms[sm].resident;
        --sms[sm].room;
        if (draws.one_in(3)) {
          end_block(sms[draws.below(site.sms)]);
        }
      }
    }
    return choices;
  }
  static bool has_room(const std::vector<SmSpace>& sms) {
    return std::any_of(sms.begin(), sms.end(), [](const SmSpace& sm) { return sm.room > 0; });
  }
  static void end_block(SmSpace& sm) {
    if (sm.resident > 0) {
      --sm.resident;
      ++sm.room;
    }
  }

  Factory<BlockPlacement>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_block_placement(Factory<BlockPlacement>& factory) {
  return BlockPlacementContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_block_placement(const Entry<BlockPlacement>& entry) {
  return check_entry(entry, [](Factory<BlockPlacement>& factory) { return check_block_placement(factory); });
}

}  // namespace warpsim::mechanism::testing
