// Kernels and copies on the streams of a tiny device, and what became of them.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "device/device_run.h"
#include "support/machine.h"

namespace warpsim::test {

// A kernel on a stream.
class StreamKernel final : public KernelSource {
 public:
  StreamKernel(const KernelBuilder& builder, const KernelShape& shape, std::uint32_t index, std::uint64_t stream)
      : kernel_(builder, shape), launch_(kernel_.launch()) {
    launch_.launch_index = index;
    launch_.stream = stream;
  }
  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override {
    return kernel_.start_block(linear_index, sm);
  }
  Concurrency concurrency() const override { return Concurrency::kFree; }

 private:
  SyntheticKernel kernel_;
  KernelLaunch launch_;
};

inline KernelBuilder waiting_kernel(std::uint32_t rounds) {
  KernelBuilder k;
  k.loop(rounds, [&] { k.ffma(5, 5, 5, 5); });
  k.exit();
  return k;
}

// Runs kernels of one block and so many rounds on these streams.
struct Course {
  explicit Course(const MachineOptions& options = {}, const Overrides& overrides = {})
      : config(tiny_config(overrides)),
        machine(config, options),
        device(
            machine, config,
            {.begin = {}, .submitted = {}, .end = [this](KernelSource& kernel, const EndedLaunch& launch, StatGroup&) {
               ended.push_back(kernel.launch().launch_index);
               launches[kernel.launch().launch_index] = launch;
             }}) {}
  WorkHandle launch(std::uint64_t stream, std::uint32_t rounds = 2000) {
    Work work;
    work.kind = WorkKind::kKernel;
    work.place.stream = stream;
    work.kernel = std::make_unique<StreamKernel>(waiting_kernel(rounds), KernelShape{}, count++, stream);
    return device.submit(std::move(work));
  }
  WorkHandle submit(WorkKind kind, std::uint64_t stream, std::uint64_t bytes = 0, std::function<void()> effect = {}) {
    Work work;
    work.kind = kind;
    work.place.stream = stream;
    work.bytes = bytes;
    work.effect = std::move(effect);
    return device.submit(std::move(work));
  }

  GpuConfig config;
  Machine machine;
  std::map<std::uint32_t, EndedLaunch> launches;
  std::vector<std::uint32_t> ended;
  std::uint32_t count = 0;
  DeviceRun device;
};

inline MachineOptions keeping_caches() {
  return MachineOptions{.flush_before_launch = false};
}

}  // namespace warpsim::test
