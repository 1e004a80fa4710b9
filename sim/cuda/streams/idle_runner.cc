#include "cuda/streams/idle_runner.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/program_threads.h"

namespace warpsim::cuda {

namespace {

// A program that polls by calls, or computes between two of them, is not disturbed.
constexpr std::chrono::milliseconds kPatience{100};
constexpr std::chrono::milliseconds kBetweenSteps{1};
constexpr double kFirstStepNs = 50'000;
constexpr double kLongestStepNs = 50'000'000;

}  // namespace

IdleRunner::IdleRunner(std::recursive_mutex& calls, Actions actions)
    : calls_mutex_(calls), actions_(std::move(actions)) {}

IdleRunner::~IdleRunner() {
  stop();
}

void IdleRunner::call_made() {
  ++calls_;
  if (!actions_.needed()) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (stopped_) {
    return;
  }
  watching_ = true;
  if (!thread_.joinable()) {
    thread_ = std::thread([this] {
      mark_own_thread();
      watch();
    });
  }
  wake_.notify_one();
}

void IdleRunner::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_.notify_one();
  }
  if (!thread_.joinable()) {
    return;
  }
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void IdleRunner::watch() {
  std::uint64_t seen = 0;
  double step_ns = kFirstStepNs;
  std::chrono::milliseconds pause = kPatience;
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (!watching_) {
      wake_.wait(lock, [this] { return stopped_ || watching_; });
      seen = calls_ - 1;
    }
    wake_.wait_for(lock, pause, [this] { return stopped_; });
    if (stopped_) {
      return;
    }
    if (seen != calls_) {
      seen = calls_;
      step_ns = kFirstStepNs;
      pause = kPatience;
      continue;
    }
    lock.unlock();
    bool needed = true;
    if (const std::unique_lock call(calls_mutex_, std::try_to_lock); call.owns_lock() && seen == calls_) {
      needed = actions_.needed();
      if (needed) {
        actions_.drift(step_ns);
        step_ns = std::min(2 * step_ns, kLongestStepNs);
        pause = kBetweenSteps;
      }
    }
    lock.lock();
    watching_ = needed && watching_;
  }
}

}  // namespace warpsim::cuda
