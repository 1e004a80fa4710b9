// The host's waits for the device.
#include <chrono>
#include <thread>

#include "cuda/context.h"

namespace warpsim::cuda {

namespace {

constexpr std::chrono::milliseconds kPause{1};
constexpr int kPausesBeforeNote = 10000;

}  // namespace

void Context::require_not_finished() const {
  if (finished_) {
    throw CallError(kUnloading);
  }
}

void Context::let_others_work(int pauses, const char* note) {
  mutex_.unlock();
  std::this_thread::sleep_for(kPause);
  mutex_.lock();
  require_not_finished();
  if (pauses == kPausesBeforeNote) {
    say_once(note);
  }
}

void Context::wait(const std::function<void()>& wait) {
  HostThreads::Wait waiting(threads_);
  wait();
  for (int pauses = 1; has_device();) {
    if (device().queue().is_interrupted()) {
      waiting.interrupted();
      require_not_finished();
      wait();
      continue;
    }
    if (!device().queue().is_stuck()) {
      return;
    }
    let_others_work(pauses++,
                    "a kernel or a stream waits for a value in memory or for an event of another process, and nothing "
                    "on the device will bring it");
    wait();
  }
}

void Context::wait_for_others(const std::function<bool()>& done) {
  for (int pauses = 1; !done(); ++pauses) {
    let_others_work(pauses, "the host waits for an event of another process");
  }
}

void Context::finish_work() {
  wait([this] { device().finish_work(); });
  note_failure();
}

void Context::note_failure() {
  for (const auto& one : devices_) {
    const Outcome failure = one->take_failure();
    if (!failure) {
      const int code = code_of(failure.failure);
      sticky_error_ = is_sticky(code) ? code : sticky_error_;
      say_once(failure.message);
    }
  }
}

}  // namespace warpsim::cuda
