// The order in which work from kernels is run, and the limits of it.
#include "cuda/device/child_launches.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

namespace warpsim::cuda::child_launches_tests {
namespace {

using Kind = DeviceStream::Kind;

struct Child {
  std::uint32_t name;
  Kind kind = Kind::kBlock;
  std::uint64_t block = 0;
};

// Grids are named by numbers, which are their kernels; each launches what `family` says when it runs.
struct Family {
  std::map<std::uint32_t, std::vector<Child>> family;
  DeviceInterface interface = DeviceInterface::kSecond;
  std::map<std::uint32_t, std::uint64_t> waits;  // which block of a grid waits for its launches
  std::vector<std::uint32_t> order;
  std::vector<int> errors;
  std::vector<int> wait_errors;
  ChildLaunches children{[this](const ChildLaunches::Work& work) { return run(work); }};

  Family() {
    children.set_most_pending(2048);
    children.set_sync_depth(2);
  }
  std::uint64_t run(const ChildLaunches::Work& work) {
    if (std::holds_alternative<DeviceTransfer>(work)) {
      order.push_back(0);
      return 0;
    }
    return run_grid(std::get<DeviceLaunch>(work).kernel);
  }
  std::uint64_t run_grid(std::uint32_t name) {
    children.begin(name, 1);
    order.push_back(name);
    for (const Child& child : family[name]) {
      if (child.name == 0) {
        DeviceTransfer transfer;
        transfer.parent = {name, child.block, 0};
        errors.push_back(children.add(transfer, false));
        continue;
      }
      DeviceLaunch launch;
      launch.parent = {name, child.block, 0};
      launch.interface = interface;
      launch.stream.kind = child.kind;
      launch.kernel = child.name;
      errors.push_back(children.add(launch, false));
    }
    if (const auto wait = waits.find(name); wait != waits.end()) {
      wait_errors.push_back(children.synchronise({name, wait->second, 0}));
      order.push_back(name + 1000);  // continues
    }
    return name;
  }
  std::vector<std::uint32_t> from_host(std::uint32_t name) {
    run_grid(name);
    children.complete(name);
    return order;
  }
};

using Order = std::vector<std::uint32_t>;

TEST_CASE("children run after their parent, in the order of their launches, each with its own children") {
  Family test;
  test.family = {{1, {{2, Kind::kFireAndForget}, {3}, {4, Kind::kCreated}}}, {2, {{5}}}, {3, {{6}, {0}}}};
  CHECK(test.from_host(1) == Order{1, 2, 5, 3, 6, 0, 4});
  CHECK(test.children.is_idle());
}

TEST_CASE("tail launches run when all other descendants are complete, and those of tail launches before the next") {
  Family test;
  test.family = {
      {1, {{2, Kind::kTail}, {3, Kind::kTail}, {4}}}, {2, {{5, Kind::kTail}, {6}}}, {4, {{7, Kind::kTail}, {8}}}};
  // The programming guide's example: the tail launches of a tail launch precede the parent's next one.
  CHECK(test.from_host(1) == Order{1, 4, 8, 7, 2, 6, 5, 3});
}

TEST_CASE("a launch beyond the limit of pending ones fails, until others are complete") {
  Family test;
  test.children.set_most_pending(3);
  test.family = {{1, {{2}, {3}, {4}, {5}}}, {2, {{6}}}, {3, {{7}, {8}}}};
  // While 2 runs, 2, 3 and 4 are pending. Then 2 is complete, and 3 may launch one grid.
  CHECK(test.from_host(1) == Order{1, 2, 3, 7, 4});
  CHECK(test.errors == std::vector<int>{0, 0, 0, kDevicePendingCountExceeded, kDevicePendingCountExceeded, 0,
                                        kDevicePendingCountExceeded});
  // Nothing is pending now.
  test.family = {{9, {{10}, {11}, {12}, {13}}}};
  test.errors.clear();
  test.from_host(9);
  CHECK(test.errors == std::vector<int>{0, 0, 0, kDevicePendingCountExceeded});
}

TEST_CASE("a chain of tail launches may be longer than the limit of pending ones") {
  Family test;
  test.children.set_most_pending(2);
  for (std::uint32_t i = 1; i < 50; ++i) {
    test.family[i] = {{i + 1, Kind::kTail}};
  }
  CHECK(test.from_host(1).size() == 50);
}

TEST_CASE("a block that waits runs its own launches at once") {
  Family test;
  test.interface = DeviceInterface::kFirst;
  test.family = {{1, {{2, Kind::kBlock, 0}, {3, Kind::kBlock, 1}, {4, Kind::kBlock, 0}}}, {2, {{5}}}};
  test.waits = {{1, 0}};
  CHECK(test.from_host(1) == Order{1, 2, 5, 4, 1001, 3});
  CHECK(test.wait_errors == std::vector<int>{0});
}

TEST_CASE("grids may wait on as many levels as the limit says") {
  Family test;
  test.interface = DeviceInterface::kFirst;
  test.family = {{1, {{2}}}, {2, {{3}}}, {3, {{4}}}};
  test.waits = {{1, 0}, {2, 0}, {3, 0}};
  CHECK(test.from_host(1) == Order{1, 2, 3, 1003, 4, 1002, 1001});
  CHECK(test.wait_errors == std::vector<int>{kDeviceSyncDepthExceeded, 0, 0});
  test.children.set_sync_depth(3);
  test.order.clear();
  test.wait_errors.clear();
  CHECK(test.from_host(1) == Order{1, 2, 3, 4, 1003, 1002, 1001});
  CHECK(test.wait_errors == std::vector<int>{0, 0, 0});
}

TEST_CASE("the first interface has 24 levels below the host's grid, the second one any number") {
  for (const DeviceInterface interface : {DeviceInterface::kFirst, DeviceInterface::kSecond}) {
    Family test;
    test.interface = interface;
    for (std::uint32_t i = 1; i < 40; ++i) {
      test.family[i] = {{i + 1}};
    }
    const bool first = interface == DeviceInterface::kFirst;
    CHECK(test.from_host(1).size() == (first ? 25U : 40U));
    CHECK(test.errors.back() == (first ? kDeviceMaxDepthExceeded : 0));
  }
}

TEST_CASE("after a failure nothing is left to run") {
  Family test;
  test.family = {{1, {{2}}}};
  test.run_grid(1);
  test.children.abandon();
  CHECK(test.children.is_idle());
  test.family = {};
  test.order.clear();
  CHECK(test.from_host(3) == Order{3});
}

}  // namespace
}  // namespace warpsim::cuda::child_launches_tests
