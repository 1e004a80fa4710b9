// A device that runs no PTX: it records launches, and a test can define what a kernel does to memory.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cuda/device/device.h"

namespace warpsim::test {

struct RecordedLaunch {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::uint64_t stream = 0;
  WorkPlace place = {};
  WorkHandle work = {};
  std::vector<std::byte> parameters;

  template <class T>
  T parameter(std::size_t offset) const {
    T value;
    std::copy_n(parameters.data() + offset, sizeof value, reinterpret_cast<std::byte*>(&value));
    return value;
  }
};

// Work is done when it is requested; its time is that of the launches so far.
class FakeQueue final : public cuda::DeviceQueue {
 public:
  explicit FakeQueue(const double& now_ns) : now_ns_(now_ns) {}

  std::vector<Work> works;  // without their effects
  std::vector<WorkHandle> handles;
  std::uint64_t graphs = 0;  // launched

  void open_stream(std::uint64_t /*stream*/, const Streams::Traits& /*traits*/) override {}
  void close_stream(std::uint64_t /*stream*/) override {}
  void stream_waits(std::uint64_t /*stream*/, const WorkHandle& /*work*/, Dependence::Edge /*edge*/) override {}
  WorkHandle submit(Work work) override;
  std::vector<Dependence> begin_graph(std::uint64_t /*stream*/) override {
    ++graphs;
    return {};
  }
  WorkHandle end_graph(WorkPlace place, std::function<void()> effect) override;
  void wait(const WorkHandle& /*work*/) override {}
  void wait_for_stream(std::uint64_t /*stream*/) override {}
  bool ask(const WorkHandle& /*work*/) override { return true; }
  bool ask_for_stream(std::uint64_t /*stream*/) override { return true; }
  void stage(std::uint64_t /*bytes*/) override {}
  void drift(double /*ns*/) override {}
  bool idle() const override { return true; }
  double now_ns() const override { return now_ns_; }

 private:
  const double& now_ns_;
};

class FakeDevice : public cuda::Device {
 public:
  using Work = std::function<cuda::Outcome(FakeDevice&, const RecordedLaunch&)>;

  explicit FakeDevice(GpuConfig config) : config_(std::move(config)) {}

  std::vector<RecordedLaunch> launches;
  std::map<std::string, Work> work;  // by kernel
  std::vector<cuda::TextureDescription> textures;
  std::vector<std::string> modules;  // texts
  double launch_ns = 1000;           // duration of each
  std::string printed;
  std::vector<std::string> findings;
  std::uint64_t heap_bytes = 0;

  const GpuConfig& config() const override { return config_; }
  DeviceMemory& memory() override { return memory_; }
  using cuda::Device::load_module;
  cuda::Outcome load_module(std::string_view ptx, const std::string& file, cuda::ModuleId& module,
                            const Managed& managed) override;
  cuda::Outcome load_linked(std::span<const std::string> texts, const std::string& file, cuda::ModuleId& module,
                            const Managed& managed) override;
  void unload_module(cuda::ModuleId /*module*/) override {}
  cuda::Outcome find_kernel(cuda::ModuleId module, std::string_view name, cuda::KernelId& kernel) override;
  std::vector<std::string> kernel_names(cuda::ModuleId module) const override;
  cuda::Outcome find_variable(cuda::ModuleId module, std::string_view name, cuda::VariableInfo& variable) override;
  const cuda::KernelInfo& info(cuda::KernelId kernel) const override { return kernels_[kernel - 1]; }
  cuda::Outcome launch(cuda::KernelId kernel, const cuda::Launch& launch, WorkHandle* done) override;
  FakeQueue& queue() override { return queue_; }
  // Of copies between host and device.
  std::uint64_t copied_bytes() const;
  std::uint64_t create_texture(const cuda::TextureDescription& texture) override;
  void destroy_texture(std::uint64_t /*object*/) override {}
  std::string take_printed() override { return std::exchange(printed, {}); }
  std::vector<std::string> take_findings() override { return std::exchange(findings, {}); }
  void set_heap_bytes(std::uint64_t bytes) override { heap_bytes = bytes; }
  void set_stack_bytes(std::uint32_t /*bytes*/) override {}

 private:
  GpuConfig config_;
  DeviceMemory memory_{1ULL << 33};
  std::vector<cuda::KernelInfo> kernels_;
  std::map<std::string, cuda::VariableInfo> variables_;
  double now_ns_ = 0;
  FakeQueue queue_{now_ns_};
};

}  // namespace warpsim::test
