// Keeps what kernels ask the device runtime for, and runs nothing: for tests of the emulator.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/execution/device_graphs.h"
#include "emulator/execution/device_launches.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::test {

class RecordedLaunches final : public DeviceLaunches, public DeviceQueries, public DeviceGraphs {
 public:
  explicit RecordedLaunches(DeviceMemory& memory) : memory_(memory) {}

  std::vector<DeviceLaunch> launches;  // with the bytes of their buffers
  std::vector<DeviceTransfer> transfers;
  int waits = 0;
  int answer = kDeviceSuccess;  // to launches and transfers
  std::string why_not;          // they cannot be waited for

  static constexpr std::uint64_t kBufferBytes = 16;

  Address parameter_buffer(const DeviceThread& /*thread*/, std::uint64_t bytes) override {
    return memory_.allocate(bytes);
  }
  Address parameter_buffer(const DeviceLaunch& launch) override {
    const Address buffer = memory_.allocate(kBufferBytes);
    configured_[buffer] = launch;
    return buffer;
  }
  int launch(const DeviceLaunch& launch, Address buffer) override {
    DeviceLaunch& kept = launches.emplace_back(launch);
    if (buffer != 0) {
      const std::byte* const bytes = memory_.host(buffer, kBufferBytes);
      kept.parameters.assign(bytes, bytes + kBufferBytes);
    }
    return answer;
  }
  int launch_configured(Address buffer, const DeviceStream& stream, const DeviceThread& thread) override {
    DeviceLaunch launched = configured_.at(buffer);
    launched.stream = stream;
    launched.parent = thread;
    return launch(launched, buffer);
  }
  int transfer(const DeviceTransfer& transfer) override {
    transfers.push_back(transfer);
    return answer;
  }
  std::string why_not_synchronised(const DeviceThread& /*thread*/) const override { return why_not; }
  int synchronise(const DeviceThread& /*thread*/) override {
    ++waits;
    return answer;
  }
  int create(DeviceObject kind, const DeviceThread& /*thread*/, std::uint64_t& handle) override {
    handle = 0x100 + objects_.size();
    objects_[handle] = kind;
    return kDeviceSuccess;
  }
  int destroy(DeviceObject /*kind*/, std::uint64_t handle) override {
    return objects_.erase(handle) != 0 ? kDeviceSuccess : kDeviceInvalidHandle;
  }
  bool exists(DeviceObject kind, std::uint64_t handle) override {
    const auto found = objects_.find(handle);
    return found != objects_.end() && found->second == kind;
  }
  void set_last_error(const DeviceThread& thread, int error) override { errors_[thread] = error; }
  int last_error(const DeviceThread& thread, bool clear) override {
    const int error = errors_[thread];
    errors_[thread] = clear ? kDeviceSuccess : error;
    return error;
  }
  DeviceQueries& queries() override { return *this; }
  DeviceGraphs& graphs() override { return *this; }

  struct GraphLaunch {
    std::uint64_t graph;
    GraphStream stream;
  };
  std::vector<GraphLaunch> graph_launches;
  std::vector<DeviceNodeChange> changes;
  std::string why_not_launched(const DeviceThread& /*thread*/) const override { return why_not; }
  int launch_graph(const DeviceThread& /*thread*/, std::uint64_t graph, GraphStream stream) override {
    graph_launches.push_back({graph, stream});
    return answer;
  }
  int change_node(const DeviceThread& /*thread*/, const DeviceNodeChange& change) override {
    changes.push_back(change);
    return answer;
  }

  int attribute(int number, int& value) override {
    value = number + 1;
    return kDeviceSuccess;
  }
  int limit(int number, std::uint64_t& value) override {
    value = static_cast<std::uint64_t>(number) << 32U;
    return kDeviceSuccess;
  }
  int runtime_version() override { return 1; }
  int function_attributes(const DeviceThread& /*thread*/, std::uint32_t kernel,
                          std::vector<std::byte>& bytes) override {
    bytes.assign(4, static_cast<std::byte>(kernel + 7));
    return kDeviceSuccess;
  }
  int active_blocks(const DeviceLaunch& launch, int& blocks) override {
    blocks = static_cast<int>(launch.block.x + launch.dynamic_shared_bytes);
    return kDeviceSuccess;
  }
  Address error_text(int error, bool name) override { return static_cast<Address>(error) * 2 + (name ? 1 : 0); }

 private:
  DeviceMemory& memory_;
  std::map<Address, DeviceLaunch> configured_;
  std::map<std::uint64_t, DeviceObject> objects_;
  std::map<DeviceThread, int> errors_;
};

}  // namespace warpsim::test
